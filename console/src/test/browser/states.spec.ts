import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { address, api, environment, launch, open, otherAccount, sample, signIn } from './console';
import { exportOf, root, send, sessionOf, upload } from './sent';

/** What pages do without a session, without a service, with ids that they cannot show, and with invalid filters. */

let browser: Browser;
let context: BrowserContext;
let workspace = '';
let PAGES: Record<string, { path: string; ready: string }> = {};
let project = '';
let rule = '';
/** Pages that are opened at the same time. */
const AT_ONCE = 6;

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  const { dataset, project: sampled, trace } = await sample();
  project = sampled.id;
  const exported = await exportOf(project);
  const deployment = (await api('CONTROL_PLANE', '/v2/deployments?name=sample-application')).resources[0].id;
  rule = (await api('CONTROL_PLANE', '/v1/notification-rules', { name: `states ${Date.now()}`, events: ['export.failed'], webhook_url: 'https://hooks.example.com/waybill' })).id;
  const example = (await api('EXPERIMENT', `/api/v1/examples?dataset=${dataset.id}&limit=1`))[0].id;
  PAGES = {
    home: { path: '', ready: '.card table' },
    projects: { path: '/projects', ready: '.grid-body .list-link' },
    project: { path: `/projects/${project}`, ready: '.grid-body .run-name' },
    trace: { path: `/traces/${trace}`, ready: '.run-body .message, .run-body .json' },
    datasets: { path: '/datasets', ready: '.grid-body .list-link' },
    dataset: { path: `/datasets/${dataset.id}`, ready: '.experiments .table' },
    examples: { path: `/datasets/${dataset.id}?tab=examples`, ready: '.grid-body .clamp' },
    example: { path: `/datasets/${dataset.id}/examples/${example}`, ready: '.badges' },
    comparison: { path: `/datasets/${dataset.id}/compare`, ready: '.grid-body .clamp' },
    exports: { path: '/exports', ready: '.grid-body .list-link' },
    export: { path: `/exports/${exported.id}`, ready: '.tabs-line' },
    'new export': { path: '/exports/new', ready: '#bulk_export_destination_id:has(option:nth-child(2))' },
    destinations: { path: '/exports/destinations', ready: '.destination' },
    deployments: { path: '/deployments', ready: '.grid-body .list-link' },
    deployment: { path: `/deployments/${deployment}`, ready: '.timeline' },
    'new deployment': { path: '/deployments/new', ready: '#field-integration:has(option:nth-child(2))' },
    ...Object.fromEntries(['keys', 'integrations', 'notifications', 'workspaces', 'retention', 'audit'].map((tab) => [tab, { path: `/settings?tab=${tab}`, ready: '.settings .table' }])),
    session: { path: '/settings?tab=session', ready: '.facts dl' },
  };
});

// Pages that a failed test left open would take the connections of the next.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));

afterAll(async () => {
  await api('CONTROL_PLANE', `/v1/notification-rules/${rule}`, undefined, { method: 'DELETE' });
  await browser.close();
});

async function enterKey(page: Page, key = environment('WAYBILL_API_KEY')): Promise<void> {
  await page.waitForSelector('#api-key');
  await page.fill('#api-key', key);
  await page.keyboard.press('Enter');
}

describe('a session that ends', () => {
  const filtered = (): string => `${workspace}/projects/${project}?filter=${encodeURIComponent('eq(is_root, true)')}&scope=runs&order=start`;

  it.each(['while a page is open', 'before a page is opened'])('%s comes back to the same address', async (when) => {
    const own = await browser.newContext();
    await signIn(own);
    const { page, problems } = await open(own, filtered());
    await page.waitForSelector('.grid-body .run-name');
    const before = page.url();
    await own.clearCookies();
    await (when === 'while a page is open' ? page.keyboard.press('r') : page.reload());
    await page.waitForSelector('#api-key');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await enterKey(page);
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(before);
    expect(problems).toEqual([]);
    await own.close();
  });

  it('with its key shows the sign-in page', async () => {
    const created = await api('CONTROL_PLANE', '/v1/api-keys', { name: 'revoked by a test', workspace_id: environment('WAYBILL_TENANT_ID') });
    const own = await browser.newContext();
    await signIn(own, created.key);
    const { page } = await open(own, filtered());
    await page.waitForSelector('.grid-body .run-name');
    const before = page.url();
    await api('CONTROL_PLANE', `/v1/api-keys/${created.id}`, undefined, { method: 'DELETE' });
    // The services know their callers for a while.
    await expect.poll(() => page.keyboard.press('r').then(() => page.locator('#api-key').count()), { interval: 1_000, timeout: 90_000 }).toBe(1);
    await enterKey(page, created.key);
    await page.waitForSelector('[role=alert]');
    await enterKey(page);
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(before);
    await own.close();
  });
});

describe('a service that is away', () => {
  const AWAY = { status: 503, contentType: 'application/problem+json', body: JSON.stringify({ status: 503, detail: 'experiment-service does not respond.', service: 'experiment-service' }) };
  const APIS = /^[^?]*\/(api\/v1|v1|v2)\//;

  /** The number of places in which the page says that the service does not respond. */
  const said = (page: Page): Promise<number> => page.evaluate(() => document.body.innerText.split('does not respond').length - 1);

  it('is reported once, and every page recovers by itself', async () => {
    const names = Object.keys(PAGES);
    const check = async (name: string): Promise<void> => {
      const { path, ready } = PAGES[name]!;
      const { page, problems } = await open(context, '/gallery/states');
      let isAway = true;
      await page.route(APIS, (route) => (isAway ? route.fulfill(AWAY) : route.continue()));
      await page.goto(address + workspace + path);
      await page.waitForSelector('.banner');
      await page.waitForTimeout(1_000);
      expect(await page.locator('.banner').count(), name).toBe(1);
      expect(await said(page), name).toBe(1);
      expect(await page.locator('main [role=alert]').count(), name).toBe(0);
      isAway = false;
      await page.waitForSelector(ready);
      await page.waitForSelector('.banner', { state: 'detached' });
      expect(problems, name).toEqual([]);
      await page.close();
    };
    while (names.length) {
      await Promise.all(names.splice(0, AT_ONCE).map(check));
    }
  });

  it('while rows are read leaves the page, which reads them later', async () => {
    const name = `states ${Date.now()}`;
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: randomUUID(), inputs: { question: `question ${index}` }, outputs: { answer: 'a' }, scores: { correct: index % 2 } }));
    const uploaded = [];
    for (const experiment of [0, 1]) {
      uploaded.push(await upload({ name: `${name} ${experiment}`, dataset: name, start: Date.now() - (2 - experiment) * 86_400_000, rows }));
    }
    const { page, problems } = await open(context, `${workspace}/datasets/${uploaded[0]!.dataset}/compare?base=${uploaded[0]!.experiment}&with=${uploaded[1]!.experiment}`);
    await page.waitForSelector('.grid-body .clamp');
    let isAway = true;
    await page.route('**/comparison*', (route) => (isAway ? route.fulfill(AWAY) : route.continue()));
    await page.locator('.grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
    await page.waitForSelector('.banner');
    expect(await said(page)).toBe(1);
    expect(await page.locator('.candidate').count()).toBe(1);
    isAway = false;
    await page.waitForSelector('.grid-body .grid-row[aria-rowindex="1001"] .clamp');
    await page.waitForSelector('.banner', { state: 'detached' });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('at the start of the console is retried', async () => {
    const { page, problems } = await open(context, '/gallery/states');
    let isAway = true;
    await page.route('**/session', (route) => (isAway ? route.fulfill({ ...AWAY, body: JSON.stringify({ status: 503, detail: 'The control-plane does not respond.', service: 'control-plane' }) }) : route.continue()));
    await page.goto(`${address}${workspace}/datasets`);
    await page.waitForSelector('[role=alert]');
    expect(await said(page)).toBe(1);
    isAway = false;
    await page.waitForSelector('.grid-body .list-link');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('an id', () => {
  const PATHS: Readonly<Record<string, (id: string) => string>> = {
    project: (id) => `/projects/${id}`,
    trace: (id) => `/traces/${id}`,
    dataset: (id) => `/datasets/${id}`,
    example: (id) => `${PAGES['dataset']!.path}/examples/${id}`,
    'example of a dataset': (id) => `/datasets/${id}/examples/${id}`,
    comparison: (id) => `/datasets/${id}/compare`,
    export: (id) => `/exports/${id}`,
    deployment: (id) => `/deployments/${id}`,
    'deployment to try': (id) => `/deployments/${id}/try`,
    'compared experiment': (id) => `${PAGES['dataset']!.path}/compare?base=${id}&with=${randomUUID()}`,
  };

  async function expectExplained(path: string, where: string): Promise<void> {
    const { page, problems } = await open(context, workspace + path);
    const state = page.locator('main [role=alert]').first();
    await state.waitFor();
    expect((await state.innerText()).length, where).toBeGreaterThan(20);
    const back = state.getByRole('link');
    await back.click();
    await page.waitForSelector('.grid-body .list-link, .experiments .table');
    expect(page.url().startsWith(`${address}${workspace}/`), where).toBe(true);
    expect(problems, where).toEqual([]);
    await page.close();
  }

  it.each(Object.keys(PATHS))('of no %s is explained, with a way back', async (name) => {
    await expectExplained(PATHS[name]!(randomUUID()), 'unknown');
    await expectExplained(PATHS[name]!('no-uuid'), 'malformed');
  });

  it.skipIf(!otherAccount())('of another workspace is explained, with a way back', async () => {
    const other = otherAccount()!;
    const session = `foreign ${Date.now()}`;
    const run = root(session, Date.now() - 1_000, 10);
    await send([run], { key: other.key });
    const foreign = await sessionOf(session, { key: other.key });
    const uploaded = await upload({ name: session, dataset: session, start: Date.now() - 86_400_000, rows: [{ id: randomUUID(), inputs: { question: 'a' }, scores: { correct: 1 } }] }, { key: other.key });
    const ids: Record<string, string> = { project: foreign, trace: run.id, dataset: uploaded.dataset, comparison: uploaded.dataset, 'compared experiment': uploaded.experiment };
    for (const [name, id] of Object.entries(ids)) {
      await expectExplained(PATHS[name]!(id), name);
    }
  });

  it('of another workspace leads back to the own one', async () => {
    for (const path of ['', '/projects', `/traces/${randomUUID()}`]) {
      const { page, problems } = await open(context, `/w/${otherAccount()?.workspace ?? randomUUID()}${path}`);
      await page.waitForSelector('main [role=alert]');
      await page.locator('main [role=alert]').getByRole('link').click();
      await page.waitForSelector('.card table');
      expect(page.url()).toBe(address + workspace);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it('of no run selects the run that matters', async () => {
    const { page, problems } = await open(context, `${workspace}${PAGES['trace']!.path}?run=${randomUUID()}`);
    await page.waitForSelector('.tree-row[aria-selected=true]');
    await page.waitForSelector(PAGES['trace']!.ready);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a filter', () => {
  /** What the marker below the filter points at. */
  const marked = async (page: Page): Promise<string> => {
    const [line, marker] = (await page.locator('.filter-error pre').innerText()).split('\n') as [string, string];
    return line.slice(marker.indexOf('^'));
  };

  it.each([
    ['and(eq(run_type, "llm"), bogus(name, "b"))', 'bogus(name, "b"))'],
    ['eq(no_such_field, 1)', 'no_such_field, 1)'],
    ['eq(name, "a"', ''],
    [`and(${'eq(name, "x"), '.repeat(30)}nonsense(name, 1))`, 'nonsense(name, 1))'],
  ])('%s marks its place', async (filter, place) => {
    const { page, problems } = await open(context, `${workspace}/projects/${project}?filter=${encodeURIComponent(filter)}`);
    await page.waitForSelector('.filter-error pre');
    expect(await marked(page)).toBe(place);
    const input = page.getByRole('combobox', { name: 'Filter' });
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.filter-error p').innerText()).not.toBe('');
    expect(await page.locator('.grid-body .run-name').count()).toBe(0);
    expect(await page.locator('main [role=alert]').count()).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('that is repaired selects runs', async () => {
    const { page, problems } = await open(context, `${workspace}/projects/${project}`);
    await page.waitForSelector('.grid-body .run-name');
    const input = page.getByRole('combobox', { name: 'Filter' });
    await input.fill('eq(run_type "llm")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.filter-error pre');
    expect(await marked(page)).toBe('"llm")');
    await input.fill('exists(name)');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.grid-body .run-name');
    expect(await page.locator('.filter-error').count()).toBe(0);
    expect(await input.getAttribute('aria-invalid')).toBe('false');
    expect(new URL(page.url()).searchParams.get('filter')).toBe('exists(name)');
    await page.goBack();
    await page.waitForSelector('.filter-error pre');
    expect(problems).toEqual([]);
    await page.close();
  });
});
