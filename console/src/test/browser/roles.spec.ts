import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { api, environment, launch, open, signIn } from './console';

/** Settings: roles of keys, the tiers of projects, and what members may do. */

let browser: Browser;
let context: BrowserContext;
let path = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  path = `/w/${environment('WAYBILL_TENANT_ID')}/settings`;
});

afterAll(() => browser.close());

describe('API keys', () => {
  it('get another name and role', async () => {
    const name = `renamed by a test ${Date.now()}`;
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: `before ${name}`, workspace_id: environment('WAYBILL_TENANT_ID') });
    const { page, problems } = await open(context, path);
    await page.getByRole('button', { name: `Change before ${name}` }).click();
    expect(await page.inputValue('#field-name')).toBe(`before ${name}`);
    await page.fill('#field-name', ' ');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#name-error');
    await page.fill('#field-name', name);
    await page.selectOption('#field-role', 'admin');
    await page.getByText('applies everywhere within 30 seconds').waitFor();
    expect(await page.getByText('This is the key of your session').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Change ${name}` }).count()).toBe(1);
    expect(await page.locator('tr', { hasText: name }).locator('[data-name=Role]').textContent()).toBe('admin');
    expect(problems).toEqual([]);
    await page.close();
    await api('CONTROL_PLANE', `/v1/api-keys/${created.id}`, undefined, { method: 'DELETE' });
  });

  it('warn before the role of the own key is changed', async () => {
    const { page } = await open(context, path);
    await page.locator('tr', { hasText: 'this session' }).getByRole('button', { name: 'Change' }).click();
    await page.selectOption('#field-role', 'member');
    await page.getByText('This is the key of your session').waitFor();
    await page.keyboard.press('Escape');
    await page.close();
  });
});

describe('retention', () => {
  it('asks before a tier that deletes runs, and says which', async () => {
    const project = await api('EXPERIMENT', '/api/v1/sessions', { name: `short ${Date.now()}` });
    const { page, problems } = await open(context, '/gallery/states');
    await page.route('**/api/v1/retention', async (route) => {
      const body = await (await route.fetch()).json();
      body.tiers.find((tier: { trace_tier: string }) => tier.trace_tier === 'shortlived').retention_seconds = 14 * 86_400;
      await route.fulfill({ json: body });
    });
    await page.goto(new URL(`${path}?tab=retention&q=${encodeURIComponent(project.name)}`, page.url()).href);
    await page.getByText('Runs are deleted 14 days after their start').waitFor();
    const tier = page.getByLabel(`Tier of ${project.name}`);
    await tier.selectOption('shortlived');
    await page.getByText('This cannot be undone').waitFor();
    const before = Date.parse((await page.locator('dialog time').getAttribute('datetime'))!);
    expect(Math.abs(Date.now() - 14 * 86_400_000 - before)).toBeLessThan(3_600_000);
    expect(await tier.inputValue()).toBe('longlived');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change the tier' }).click();
    await expect.poll(() => tier.inputValue()).toBe('shortlived');
    await tier.selectOption('longlived');
    await expect.poll(async () => (await api('EXPERIMENT', `/api/v1/sessions/${project.id}`)).trace_tier).toBe('longlived');
    expect(await page.locator('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
    await api('EXPERIMENT', `/api/v1/sessions/${project.id}`, undefined, { method: 'DELETE' });
  });

  it('lists the projects of one tier', async () => {
    const { page, problems } = await open(context, `${path}?tab=retention&tier=shortlived&q=no-such-project`);
    await page.getByText('There is no such project').waitFor();
    expect(await page.getByLabel('Projects with the tier').inputValue()).toBe('shortlived');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('members', () => {
  let own: BrowserContext;
  let member: { id: string; key: string };

  beforeAll(async () => {
    member = await api('CONTROL_PLANE', '/v1/api-keys', { name: `member ${Date.now()}`, workspace_id: environment('WAYBILL_TENANT_ID') });
    own = await browser.newContext();
    await signIn(own, member.key);
  });

  afterAll(async () => {
    await own.close();
    await api('CONTROL_PLANE', `/v1/api-keys/${member.id}`, undefined, { method: 'DELETE' });
  });

  it.each([
    ['keys', 'Only admins manage API keys'],
    ['workspaces', 'Only admins list workspaces'],
    ['session', 'Access to'],
  ])('find no action in the tab %s', async (tab, shown) => {
    const { page, problems } = await open(own, `${path}?tab=${tab}`);
    await page.getByText(shown).waitFor();
    expect(await page.locator('.settings button').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('read what each role may do', async () => {
    const { page, problems } = await open(own, path);
    await page.getByText('What each role may do').click();
    const row = page.locator('.settings tr', { hasText: 'See, create, change and delete API keys' });
    expect(await row.locator('[data-name=Member]').textContent()).toBe('No');
    expect(await row.locator('[data-name=Admin]').textContent()).toBe('Yes');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('manage integrations', async () => {
    const name = `of a member ${Date.now()}`;
    const { page, problems } = await open(own, `${path}?tab=integrations`);
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.fill('#field-name', name);
    await page.fill('#field-base_url', 'https://git.example.com/member');
    await page.fill('#field-installation_id', String(Date.now()));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete integration' }).click();
    await expect.poll(() => page.getByRole('button', { name: `Delete ${name}` }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('select the tier of a project', async () => {
    const project = await api('EXPERIMENT', '/api/v1/sessions', { name: `retained ${Date.now()}` });
    const { page, problems } = await open(own, `${path}?tab=retention&q=${encodeURIComponent(project.name)}`);
    await page.selectOption(`select[aria-label="Tier of ${project.name}"]`, 'shortlived');
    await expect.poll(async () => (await api('EXPERIMENT', `/api/v1/sessions/${project.id}`)).trace_tier).toBe('shortlived');
    expect(problems).toEqual([]);
    await page.close();
    await api('EXPERIMENT', `/api/v1/sessions/${project.id}`, undefined, { method: 'DELETE' });
  });
});
