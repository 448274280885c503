import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, root, signIn } from './console';

/** Deployments: the sample application of the quickstart, and one of a repository whose application does not start. */

const NAME = `broken-${Date.now().toString(36)}`;
let browser: Browser;
let context: BrowserContext;
let base = '';
let sample = '';
let folder = '';
let integration = '';

function git(...arguments_: string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main', ...arguments_], { stdio: 'pipe' });
}

/** Creates a repository whose application ends before it is ready. */
function createRepository(): void {
  const work = join(folder, 'work');
  git('init', '-q', work);
  writeFileSync(join(work, 'langgraph.json'), JSON.stringify({ graphs: { agent: { command: ['java', 'Missing.java'] } } }));
  writeFileSync(join(work, 'Agent.java'), readFileSync(join(root, 'deployment-runtime/samples/java/Agent.java')));
  git('-C', work, 'add', '.');
  git('-C', work, 'commit', '-q', '-m', 'Start a class that is missing');
  git('clone', '-q', '--bare', work, join(folder, 'agent.git'));
}

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  base = `/w/${environment('WAYBILL_TENANT_ID')}/deployments`;
  sample = (await api('CONTROL_PLANE', '/v2/deployments?name=sample-application')).resources[0].id;
  folder = mkdtempSync(join(tmpdir(), 'deployments-'));
  createRepository();
  integration = (await api('CONTROL_PLANE', '/v1/integrations/repohost/install', { installation_id: Date.now(), name: NAME, base_url: `file://${folder}`, provider: 'other' })).id;
});

afterAll(async () => {
  await browser.close();
  for (const one of (await api('CONTROL_PLANE', `/v2/deployments?name_contains=${NAME}`)).resources) {
    await api('CONTROL_PLANE', `/v2/deployments/${one.id}`, undefined, { method: 'DELETE' });
  }
  rmSync(folder, { recursive: true });
});

/** Checks both themes. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect(await violations(page), `${what}, ${theme}`).toEqual([]);
  }
}

describe('the sample deployment', () => {
  it('is listed, found and opened by keyboard', async () => {
    const { page, problems } = await open(context, base);
    await page.waitForSelector('.grid-body .list-link');
    await page.keyboard.press('/');
    await page.keyboard.type('sample-app');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('sample-app');
    await page.getByRole('rowheader', { name: 'sample-application' }).waitFor();
    // The list before the search stays until the found ones are read.
    await expect.poll(() => page.locator('.grid-body .list-link').allInnerTexts().then((names) => names.every((one) => one.includes('sample-app')))).toBe(true);
    await page.getByText('Healthy').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.timeline');
    expect(new URL(page.url()).pathname).toBe(`${base}/${sample}`);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.waitForSelector('.grid-body .list-link');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('that no filter matches leads back to all', async () => {
    const { page, problems } = await open(context, `${base}?q=${randomUUID()}`);
    await page.getByRole('link', { name: 'Show all deployments' }).click();
    await page.waitForSelector('.grid-body .list-link');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows address, code, state and revisions', async () => {
    const { page, problems } = await open(context, `${base}/${sample}`);
    await page.waitForSelector('.timeline .phase-bar');
    const { url } = await api('CONTROL_PLANE', `/v2/deployments/${sample}`);
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await page.getByRole('tab', { name: language }).click();
      await expect.poll(() => page.locator('.address .code').innerText()).toContain(url);
    }
    await page.locator('.health').getByText('Healthy').waitFor();
    await expect.poll(() => page.locator('.figure', { hasText: 'Instances' }).innerText()).toMatch(/[1-9]\d* \/ [1-9]/);
    const revisions = (await api('CONTROL_PLANE', `/v2/deployments/${sample}/revisions`)).resources;
    expect(await page.locator('.timeline li').count()).toBe(Math.min(50, revisions.length));
    expect(await page.locator('.timeline').innerText()).toContain(revisions[0].commit.message.split('\n')[0]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('asks for its name before it is deleted', async () => {
    const { page, problems } = await open(context, `${base}/${sample}`);
    await page.locator('.page-head .menu summary').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete the deployment' }).press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.type('another name');
    expect(await page.locator('dialog input').inputValue()).toBe('another name');
    expect(await page.locator('dialog button[type=submit]').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('SUMMARY');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows what changed between two revisions', async () => {
    const [newer, older] = (await api('CONTROL_PLANE', `/v2/deployments/${sample}/revisions?status=DEPLOYED`)).resources;
    const { page, problems } = await open(context, `${base}/${sample}?tab=changes&revision=${newer.id}&base=${older.id}`);
    const row = page.getByRole('row', { name: /^Commit / });
    await row.waitFor();
    expect(await row.locator('del').innerText()).toBe(older.source_revision_config.repo_commit_sha);
    expect(await row.locator('ins').innerText()).toBe(newer.source_revision_config.repo_commit_sha);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows its server log, filtered by text and level', async () => {
    const active = (await api('CONTROL_PLANE', `/v2/deployments/${sample}`)).active_revision_id;
    const { page, problems } = await open(context, `${base}/${sample}?tab=log&phase=server&revision=${active}`);
    await page.waitForSelector('.log-line');
    await page.keyboard.press('/');
    await page.keyboard.type('worker is ready');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('worker is ready');
    await page.locator('.log-line mark', { hasText: 'worker is ready' }).first().waitFor();
    await expect.poll(() => page.locator('.log-line').allInnerTexts().then((lines) => lines.every((one) => one.toLowerCase().includes('worker is ready')))).toBe(true);
    await page.getByLabel('Search in the log').fill('no line has this text');
    await page.getByText('No line matches.').waitFor();
    await page.getByLabel('Search in the log').fill('');
    await page.getByLabel('Least severe level').selectOption('warn');
    await expect.poll(() => page.locator('.log-line.info').count()).toBe(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused/).waitFor();
    await page.getByRole('tab', { name: 'Build' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.log-line', { hasText: 'Fetching commit' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a log', () => {
  /** A short line, and longer ones than fit into any window. */
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index} ${index % 3 ? 'a path/without/spaces'.repeat(index % 50) : ''}`);

  it.each([390, 1280, 1920])('has no line that is wider than %i pixels, and is followed', async (width) => {
    const { page, problems } = await open(context, base);
    await page.setViewportSize({ width, height: 800 });
    const stream = lines.map((line, index) => `id: ${index}\nevent: log\ndata: ${JSON.stringify({ phase: 'build', line })}\n\n`).join('');
    await page.route('**/logs*', (route) => route.fulfill({ contentType: 'text/event-stream', body: `${stream}event: end\ndata: {}\n\n` }));
    await page.goto(`${address}${base}/${sample}?tab=log&phase=build`);
    await page.locator('.log-line', { hasText: 'line 299' }).waitFor();
    const distances = () =>
      page.evaluate(() => {
        const box = document.querySelector('.log-lines')!;
        return [...[document.documentElement, document.querySelector('.page')!, box].map((one) => one.scrollWidth - one.clientWidth), Math.round((box.scrollHeight - box.scrollTop - box.clientHeight) / 10)];
      });
    await expect.poll(distances).toEqual([0, 0, 0, 0]);
    // No line covers another one.
    const overlaps = () => page.locator('.log-line').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).sort((a, b) => a.top - b.top).filter((one, index, sorted) => index > 0 && sorted[index - 1]!.bottom > one.top + 1).length);
    await expect.poll(overlaps).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a new deployment', () => {
  it('has every violation at its field', async () => {
    const { page, problems } = await open(context, `${base}/new`);
    await page.getByLabel('Name', { exact: true }).fill('Bad Name');
    await page.getByLabel('Repository', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByLabel('Name of variable 1').fill('1');
    await page.getByText('Build commands and resources').click();
    await page.getByLabel('CPU (cores)').fill('0');
    await page.getByRole('button', { name: 'Create the deployment' }).click();
    await page.waitForSelector('[aria-invalid=true]');
    for (const field of ['#field-name', '#field-source_config-repo_url', '[aria-label="Name of variable 1"]', '#field-source_config-resource_spec-cpu']) {
      expect(await page.locator(field).getAttribute('aria-invalid'), field).toBe('true');
    }
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-name');
    await expectAccessible(page, 'new');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('that fails shows its cause, and is deleted behind its name', async () => {
    const { page, problems } = await open(context, `${base}/new`);
    await page.getByLabel('Name', { exact: true }).fill(NAME);
    await page.waitForSelector(`#field-integration option[value="${integration}"]`, { state: 'attached' });
    await page.getByLabel('Integration').selectOption(integration);
    await page.getByText(`The repositories of this host cannot be listed. Address, or a name below file://${folder}.`).waitFor();
    await page.getByLabel('Repository', { exact: true }).fill('agent.git');
    await page.getByRole('button', { name: 'Create the deployment' }).click();
    await page.waitForSelector('.timeline');
    await page.locator('.reason', { hasText: 'The application did not start' }).waitFor({ timeout: 110_000 });
    await expectAccessible(page, 'failed');
    expect((await api('CONTROL_PLANE', `/v2/deployments?name=${NAME}`)).resources[0].source_config.repo_url).toBe(`file://${folder}/agent.git`);
    await page.getByRole('link', { name: 'Show the line in the log' }).click();
    await page.waitForSelector('.log-line.cause');
    expect(await page.locator('.log-line.cause').innerText()).toContain('Missing');
    await expectAccessible(page, 'log');
    await page.locator('.sidebar').getByRole('link', { name: 'Home' }).click();
    await page.getByRole('row', { name: new RegExp(`${NAME} Deployment failed`) }).waitFor();
    await expectAccessible(page, 'home');
    await page.getByRole('link', { name: NAME, exact: true }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(NAME.slice(1));
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(NAME);
    await confirm.click();
    await page.waitForURL(`${address}${base}`);
    await expect.poll(() => api('CONTROL_PLANE', `/v2/deployments?name=${NAME}`).then((found) => found.resources.every((one: { status: string }) => one.status === 'AWAITING_DELETE'))).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  }, 180_000);
});

/** A deployment of the Java sample, whose revisions the tests change. */
describe('a deployment with revisions of its own', () => {
  const name = `${NAME}-own`;
  let id = '';
  const revisions = async (): Promise<any[]> => (await api('CONTROL_PLANE', `/v2/deployments/${id}/revisions`)).resources;
  const latest = async (): Promise<any> => (await revisions())[0];

  function commit(message: string, files: Readonly<Record<string, string>>): void {
    const work = join(folder, 'own');
    Object.entries(files).forEach(([file, content]) => writeFileSync(join(work, file), content));
    git('-C', work, 'add', '.');
    git('-C', work, 'commit', '-q', '-m', message);
    git('-C', work, 'push', '-q', join(folder, 'own.git'), 'HEAD:main');
  }

  it('is created', async () => {
    git('init', '-q', join(folder, 'own'));
    git('init', '-q', '--bare', join(folder, 'own.git'));
    commit('The first revision', { 'wait.sh': 'exit 0\n', 'langgraph.json': JSON.stringify({ graphs: { agent: { command: ['java', 'Agent.java'] } } }), 'Agent.java': readFileSync(join(root, 'deployment-runtime/samples/java/Agent.java'), 'utf8') });
    id = (await api('CONTROL_PLANE', '/v2/deployments', { name, source: 'repohost', source_config: { integration_id: integration, repo_url: `file://${folder}/own.git` }, source_revision_config: { repo_ref: 'main' } })).id;
    const pages = [await watched(`?q=${name}`, '.grid-body .grid-row'), await watched(`/${id}`, '.health')];
    await expect.poll(() => latest().then((one) => one.status), { timeout: 90_000 }).toBe('DEPLOYED');
    for (const page of pages) {
      await page.getByText('Healthy').waitFor();
      expect(await page.evaluate(() => (window as unknown as { states: string[] }).states.filter((one) => /Deployed/.test(one) && /Not running|no revision serves/.test(one)))).toEqual([]);
      await page.close();
    }
  }, 120_000);

  /** Opens a page that collects the different texts of the element while they change. */
  async function watched(path: string, element: string): Promise<Page> {
    const { page } = await open(context, base + path);
    await page.waitForSelector(element);
    await page.evaluate((selector) => {
      const states: string[] = ((window as unknown as { states: string[] }).states = []);
      const record = (): void => {
        const text = (document.querySelector(selector) as HTMLElement | null)?.innerText ?? '';
        states.at(-1) !== text && states.push(text);
      };
      new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true });
      record();
    }, element);
    return page;
  }

  it('deploys the newest commit, and interrupts it', async () => {
    commit('Wait before the build', { 'wait.sh': 'sleep 60\n' });
    const { page, problems } = await open(context, `${base}/${id}?tab=settings`);
    await page.getByText('Build commands and resources').click();
    await page.getByLabel('Install command').fill('sh wait.sh');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('.timeline');
    expect(await latest().then((one) => one.source_revision_config.repo_commit_sha)).not.toBe((await revisions()).at(-1).source_revision_config.repo_commit_sha);
    await expect.poll(() => latest().then((one) => one.status)).toBe('BUILDING');
    await page.getByRole('button', { name: /^Interrupt / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Interrupt' }).click();
    await expect.poll(() => latest().then((one) => one.status), { timeout: 30_000 }).toBe('INTERRUPTED');
    await expect.poll(() => page.locator('.timeline li').first().innerText()).toMatch(/interrupted/i);
    expect((await api('CONTROL_PLANE', `/v2/deployments/${id}`)).active_revision_id).toBe((await revisions()).at(-1).id);
    expect(problems).toEqual([]);
    await page.close();
  }, 120_000);

  it('keeps what was typed while another tab is shown, and closes its menu', async () => {
    const { page, problems } = await open(context, `${base}/${id}?tab=settings`);
    await page.getByLabel('Configuration file').fill('other.json');
    await page.getByRole('tab', { name: 'Revisions' }).click();
    await page.waitForSelector('.timeline');
    await page.locator('.menu > summary', { hasText: 'More' }).click();
    await page.getByRole('button', { name: 'Redeploy the serving revision' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.menu-body').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.getByLabel('Configuration file').inputValue()).toBe('other.json');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keeps what was typed while its settings change elsewhere', async () => {
    const { page, problems } = await open(context, `${base}/${id}?tab=settings`);
    await page.getByLabel('Configuration file').fill('other.json');
    await api('CONTROL_PLANE', `/v2/deployments/${id}`, { display_name: 'Changed elsewhere' }, { method: 'PATCH' });
    await expect.poll(() => page.getByLabel('Display name').inputValue(), { timeout: 20_000 }).toBe('Changed elsewhere');
    expect(await page.getByLabel('Configuration file').inputValue()).toBe('other.json');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('rolls back to an earlier revision', async () => {
    commit('The second revision', { 'wait.sh': 'exit 0\n' });
    const { page, problems } = await open(context, `${base}/${id}`);
    await page.getByRole('button', { name: 'Deploy the newest commit' }).click();
    await expect.poll(() => latest().then((one) => one.status), { timeout: 90_000 }).toBe('DEPLOYED');
    await page.locator('.timeline li').first().getByText('serves requests').waitFor();
    await page.getByRole('button', { name: /^Roll back to / }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    const first = (await revisions()).at(-1).source_revision_config.repo_commit_sha;
    await expect.poll(() => latest().then((one) => one.source_revision_config.repo_commit_sha), { timeout: 30_000 }).toBe(first);
    await expect.poll(() => latest().then((one) => one.status), { timeout: 90_000 }).toBe('DEPLOYED');
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);
});

describe('deployments', () => {
  it.each(['', '/try'])('of an unknown id are explained%s', async (part) => {
    const { page, problems } = await open(context, `${base}/${randomUUID()}${part}`);
    await page.locator('main [role=alert]').getByRole('link').click();
    await page.waitForSelector('.grid-body .list-link');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('are accessible in both themes', async () => {
    const { page, problems } = await open(context, base);
    const pages = { list: ['', '.grid-body .list-link'], detail: [`/${sample}`, '.figure'], settings: [`/${sample}?tab=settings`, '.deployment-settings'], changes: [`/${sample}?tab=changes`, '.changes'], try: [`/${sample}/try`, '.talk-input'] };
    for (const [name, [path, ready]] of Object.entries(pages)) {
      await page.goto(address + base + path);
      await page.waitForSelector(ready!);
      await expectAccessible(page, name);
    }
    expect(problems).toEqual([]);
    await page.close();
  });
});
