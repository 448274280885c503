import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, signIn } from './console';

/** Settings: keys, integrations, notification rules, workspaces, the audit log and the session. */

const READY: Record<string, string> = { keys: '.settings .table', integrations: '.settings .table', notifications: '.settings .table', workspaces: '.settings .table', retention: '.settings .table', audit: '.settings .table', session: '.facts dl' };

let browser: Browser;
let context: BrowserContext;
let path = '';
let integration = '';
let webhookSecret = '';
let rule = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  path = `/w/${environment('WAYBILL_TENANT_ID')}/settings`;
  const name = `settings ${Date.now()}`;
  const created = await api('CONTROL_PLANE', '/v1/integrations/repohost/install', { name, installation_id: Date.now(), base_url: 'https://git.example.com/acme', provider: 'gitea' });
  integration = created.id;
  webhookSecret = created.webhook_secret;
  rule = (await api('CONTROL_PLANE', '/v1/notification-rules', { name, events: ['export.failed'], webhook_url: 'https://hooks.example.com/waybill' })).id;
});

afterAll(async () => {
  await api('CONTROL_PLANE', `/v1/integrations/repohost/${integration}`, undefined, { method: 'DELETE' });
  await api('CONTROL_PLANE', `/v1/notification-rules/${rule}`, undefined, { method: 'DELETE' });
  await browser.close();
});

const status = async (key: string): Promise<number> => (await fetch(`${environment('WAYBILL_CONTROL_PLANE_URL')}/v1/whoami`, { headers: { 'X-Api-Key': key } })).status;

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each(Object.keys(READY))('tab %s has no errors and is accessible', async (tab) => {
    const { page, problems } = await open(context, '/gallery/states');
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.goto(new URL(`${path}?tab=${tab}${tab === 'integrations' ? `&integration=${integration}` : tab === 'notifications' ? `&rule=${rule}` : ''}`, page.url()).href);
    await page.waitForSelector(READY[tab]!);
    if (tab === 'integrations') {
      await page.waitForSelector('.details [role=alert], .details [role=note], .details ul');
    }
    if (tab === 'notifications') {
      await page.getByText('Nothing was sent yet').waitFor();
    }
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('the dialog of a key is accessible', async () => {
    const { page, problems } = await open(context, path);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForSelector('#name-error');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('API keys', () => {
  it('are created and deleted, and work until then', async () => {
    const name = `created by a test ${Date.now()}`;
    const { page, problems } = await open(context, path);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.fill('#field-name', name);
    await page.selectOption('#field-expires_at', '7');
    await page.locator('#field-name').press('Enter');
    const key = (await page.locator('.secret .code').textContent())!;
    expect(await status(key)).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.locator('body').textContent()).not.toContain(key);
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Delete ${name}` }).count()).toBe(0);
    await expect.poll(() => status(key), { interval: 1_000, timeout: 60_000 }).toBe(401);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('warn before the key of the session is deleted', async () => {
    const { page } = await open(context, path);
    const own = page.locator('tr', { hasText: 'this session' });
    await own.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This is the key of your session').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    expect(await own.count()).toBe(1);
    await page.close();
  });
});

describe('integrations', () => {
  it('place each error at its field', async () => {
    const { page, problems } = await open(context, `${path}?tab=integrations`);
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.fill('#field-base_url', 'git.example.com');
    await page.fill('#field-token', 'a b');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#name-error');
    expect(await page.locator('#base_url-error').textContent()).toContain('https://');
    expect(await page.locator('#token-error').textContent()).toContain('ASCII');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-name');
    expect(await page.inputValue('#field-base_url')).toBe('git.example.com');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('are added with a secret, changed and deleted', async () => {
    const name = `added ${Date.now()}`;
    const { page, problems } = await open(context, `${path}?tab=integrations`);
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.fill('#field-name', name);
    await page.fill('#field-base_url', 'https://git.example.com/other');
    await page.fill('#field-installation_id', String(Date.now()));
    await page.keyboard.press('Enter');
    expect((await page.locator('.secret .code').textContent())!.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Change ${name}` }).click();
    await page.fill('#field-webhook_secret', 'short');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#webhook_secret-error');
    await page.fill('#field-webhook_secret', 's'.repeat(40));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete integration' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Delete ${name}` }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('integrations', () => {
  it('show what the host delivered', async () => {
    const body = JSON.stringify({ ref: 'refs/heads/main', repository: { clone_url: 'https://git.example.com/acme/agent.git' } });
    const headers = { 'Content-Type': 'application/json', 'X-GitHub-Delivery': randomUUID(), 'X-Hub-Signature-256': `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}` };
    const { page, problems } = await open(context, `${path}?tab=integrations&integration=${integration}`);
    await page.getByText('The host has delivered no push').waitFor();
    const sent = await fetch(`${environment('WAYBILL_CONTROL_PLANE_URL')}/v1/integrations/repohost/${integration}/webhook`, { method: 'POST', headers, body });
    expect(sent.status).toBe(202);
    const delivery = page.locator('.details li', { hasText: 'refs/heads/main' });
    await delivery.waitFor();
    expect(await delivery.innerText()).toContain('rebuilt nothing');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('notification rules', () => {
  it('place each error at its field', async () => {
    const { page, problems } = await open(context, `${path}?tab=notifications`);
    await page.getByRole('button', { name: 'Add rule' }).click();
    for (const event of await page.locator('input[name=events]').all()) {
      await event.uncheck();
    }
    await page.fill('#field-webhook_url', 'hooks.example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#name-error');
    expect(await page.locator('#events-error').textContent()).toContain('must have 1 to 3 events');
    expect(await page.locator('#webhook_url-error').textContent()).toContain('https://');
    await page.getByLabel('E-mail').check();
    await page.fill('#field-email_to', 'team@example.com, nobody');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#email_to-error').textContent()).toContain('no mail server is configured');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('are added, tested, disabled and deleted', async () => {
    const received: { headers: Record<string, unknown>; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    const name = `hook ${Date.now()}`;
    const { page, problems } = await open(context, `${path}?tab=notifications`);
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.fill('#field-name', name);
    await page.fill('#field-webhook_url', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await page.keyboard.press('Enter');
    expect(await page.locator('.secret .code').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.waitForSelector('.details .badge.better');
    expect(received).toHaveLength(1);
    expect(received[0]!.headers['webhook-signature']).toMatch(/^v1,/);
    expect(JSON.parse(received[0]!.body).type).toBe('test');
    await page.reload();
    await page.waitForSelector('.details .badge.better');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('tr', { hasText: name }).locator('.badge', { hasText: 'disabled' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete rule' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Delete ${name}` }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
    receiver.close();
  });

  it('are seen and not changed by members', async () => {
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: `member ${Date.now()}`, workspace_id: environment('WAYBILL_TENANT_ID') });
    const own = await browser.newContext();
    await signIn(own, created.key);
    const { page, problems } = await open(own, `${path}?tab=notifications&rule=${rule}`);
    await page.getByText('Nothing was sent yet').waitFor();
    expect(await page.getByRole('button', { name: /rule|Change|Delete|Send a test|Disable/ }).count()).toBe(0);
    expect(problems).toEqual([]);
    await own.close();
    await api('CONTROL_PLANE', `/v1/api-keys/${created.id}`, undefined, { method: 'DELETE' });
  });
});

describe('the audit log', () => {
  const refused = (): Promise<unknown> => api('CONTROL_PLANE', '/v1/api-keys', {}).catch(() => undefined);

  it('shows who changed what, from where, and what was refused', async () => {
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: `audited ${Date.now()}`, workspace_id: environment('WAYBILL_TENANT_ID') });
    await refused();
    const { page, problems } = await open(context, path);
    await page.getByRole('button', { name: `Delete ${created.name}` }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Delete ${created.name}` }).count()).toBe(0);
    await page.goto(new URL(`${path}?tab=audit`, page.url()).href);
    const row = page.locator('tr', { hasText: created.name }).first();
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Deleted API key[^]*done[^]*127\.0\.0\.1/);
    await row.locator('a').first().click();
    await page.locator('dialog', { hasText: `DELETE /v1/api-keys/${created.id}` }).waitFor();
    expect(await page.locator('dialog').innerText()).toContain('Mozilla');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.has('event')).toBe(false);
    await page.selectOption('[aria-label=Outcome]', 'refused');
    await page.locator('tr', { hasText: 'Create API key' }).first().waitFor();
    expect(await page.locator('.settings .badge.better').count()).toBe(0);
    await page.getByLabel('From (UTC)').fill('2999-01-01T00:00');
    await page.getByText('No event matches').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('2999-01-01T00:00Z');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('names the deleted key that changed something', async () => {
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: `caller ${Date.now()}`, role: 'admin', workspace_id: environment('WAYBILL_TENANT_ID') });
    await api('CONTROL_PLANE', '/v1/api-keys', {}, { key: created.key }).catch(() => undefined);
    await api('CONTROL_PLANE', `/v1/api-keys/${created.id}`, undefined, { method: 'DELETE' });
    const { page, problems } = await open(context, `${path}?tab=audit`);
    await page.getByRole('link', { name: created.name }).click();
    await page.waitForURL((url) => url.searchParams.get('actor') === created.id);
    await page.getByLabel('Who').getByRole('option', { name: created.name }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Who').inputValue()).toBe(created.id);
    await page.locator('tbody a').first().click();
    await page.locator('dialog', { hasText: created.name }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('opens the event of an address that is not on the first page', async () => {
    const [event] = (await api('CONTROL_PLANE', '/v1/audit-events?outcome=done&limit=1')).items;
    const { page, problems } = await open(context, `${path}?tab=audit&outcome=refused&event=${event.id}`);
    await page.locator('dialog', { hasText: event.request_id }).waitFor();
    await page.goto(`${address}${path}?tab=audit&event=${randomUUID()}`);
    await page.getByText('The event of this address is not in this workspace.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('loads more', async () => {
    for (let count = 0; count < 55; count++) {
      await refused();
    }
    const { page, problems } = await open(context, `${path}?tab=audit&outcome=refused`);
    await page.waitForSelector('.settings .table');
    expect(await page.locator('.settings tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => page.locator('.settings tbody tr').count()).toBeGreaterThan(50);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is not shown to members', async () => {
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: `member ${Date.now()}`, workspace_id: environment('WAYBILL_TENANT_ID') });
    const own = await browser.newContext();
    await signIn(own, created.key);
    const { page, problems } = await open(own, `${path}?tab=audit`);
    await page.getByText('Only admins see the audit log').waitFor();
    expect(await page.locator('.settings .table').count()).toBe(0);
    expect(problems).toEqual([]);
    await own.close();
    await api('CONTROL_PLANE', `/v1/api-keys/${created.id}`, undefined, { method: 'DELETE' });
  });
});

it('short values of tables are in one line', async () => {
  for (const [tab, names] of [['integrations', ['Host', 'Installation']], ['audit', ['Outcome', 'Address']], ['retention', ['Runs']]] as const) {
    const { page, problems } = await open(context, `${path}?tab=${tab}`);
    await page.waitForSelector('.settings .table td');
    for (const name of names) {
      const heights = await page.locator(`.settings td[data-name="${name}"]`).evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect().height;
        }),
      );
      expect(heights.length, name).toBeGreaterThan(0);
      expect(Math.max(...heights), `${tab}: ${name}`).toBeLessThan(30);
    }
    expect(problems).toEqual([]);
    await page.close();
  }
});

describe('the tabs', () => {
  it('fall back to the keys for an unknown name', async () => {
    const { page } = await open(context, `${path}?tab=unknown`);
    await page.waitForSelector('.settings .table');
    expect(await page.locator('[role=tab][aria-selected=true]').textContent()).toBe('API keys');
    await page.close();
  });

  it('are reached by keyboard and kept in the address', async () => {
    const { page, problems } = await open(context, path.replace('/settings', '/projects'));
    await page.waitForSelector('h1');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForSelector('[role=tab]');
    await page.locator('[role=tab][aria-selected=true]').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=integrations');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Integrations');
    await page.goBack();
    await expect.poll(() => page.locator('[role=tab][aria-selected=true]').textContent()).toBe('API keys');
    expect(problems).toEqual([]);
    await page.close();
  });
});
