import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, sample, signIn } from './console';

const GALLERY = ['table', 'tree', 'forest', 'histogram', 'scatter', 'menu', 'time', 'filter', 'messages', 'json', 'diff', 'dialogs', 'tabs', 'states'];

let browser: Browser;
const contexts: Record<string, BrowserContext> = {};
let workspace = '';
/** The quickstart's. */
let dataset: { id: string; name: string };
let project: { id: string };
let trace = '';

beforeAll(async () => {
  browser = await launch();
  for (const theme of ['light', 'dark'] as const) {
    contexts[theme] = await browser.newContext({ colorScheme: theme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await signIn(contexts[theme]);
  }
  workspace = environment('WAYBILL_TENANT_ID');
  ({ dataset, project, trace } = await sample());
});

afterAll(() => browser.close());

const pages = (): Record<string, { path: string; ready: string }> => ({
  home: { path: `/w/${workspace}`, ready: '.card table' },
  projects: { path: `/w/${workspace}/projects`, ready: '.grid-body .list-link' },
  project: { path: `/w/${workspace}/projects/${project.id}`, ready: '.grid-body .run-name' },
  trace: { path: `/w/${workspace}/traces/${trace}`, ready: '.run-body .message, .run-body .json' },
  datasets: { path: `/w/${workspace}/datasets`, ready: '.grid-body .list-link' },
  dataset: { path: `/w/${workspace}/datasets/${dataset.id}`, ready: '.experiments .table' },
  compare: { path: `/w/${workspace}/datasets/${dataset.id}/compare`, ready: '.grid-body .clamp' },
});

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  it.each(['home', 'projects', 'project', 'trace', 'datasets', 'dataset', 'compare'])('%s opens without errors and is accessible', async (name) => {
    const { path, ready } = pages()[name]!;
    const { page, problems } = await open(contexts[theme]!, path);
    await page.waitForSelector(ready);
    await page.waitForTimeout(300);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each(GALLERY)('component %s has no errors and is accessible', async (name) => {
    const { page, problems } = await open(contexts[theme]!, `/gallery/${name}`);
    await page.waitForSelector('.gallery-section');
    await page.waitForTimeout(200);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

it('links of tracing clients open their pages', async () => {
  const { runs } = await api('EXPERIMENT', '/api/v1/runs/query', { trace, is_root: true, select: ['app_path'] });
  const experiments = await api('EXPERIMENT', `/api/v1/sessions?reference_dataset=${dataset.id}`);
  for (const [link, ready] of [
    [runs[0].app_path, '.run-body .message, .run-body .json'],
    [`/o/${workspace}/datasets/${dataset.id}/compare?selectedSessions=${experiments[0].id}`, '.grid-body .clamp'],
  ]) {
    const { page, problems } = await open(contexts['light']!, link);
    await page.waitForSelector(ready!);
    expect(problems).toEqual([]);
    await page.close();
  }
});

describe('by keyboard alone', () => {
  it('a person finds the answers that got worse, and why', async () => {
    const { page, problems } = await open(contexts['light']!, `/w/${workspace}`);
    await page.waitForSelector('.card table');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForSelector('.grid-body .list-link');
    await page.goto(`${address}/w/${workspace}/datasets/${dataset.id}/compare?key=answer_length`);
    await page.waitForSelector('.grid-body .clamp');
    await page.keyboard.press('v');
    await page.keyboard.press('w');
    await page.waitForURL(/view=worse/);
    await page.waitForSelector('.grid-body .clamp');
    await page.keyboard.press('j');
    await page.waitForSelector('.panel .output');
    const first = new URL(page.url()).searchParams.get('row');
    await page.keyboard.press('j');
    await page.waitForFunction((before) => new URL(window.location.href).searchParams.get('row') !== before, first);
    await page.goBack();
    await page.waitForFunction(() => !new URL(window.location.href).searchParams.get('row'));
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a person walks through a trace', async () => {
    const { page, problems } = await open(contexts['light']!, `/w/${workspace}/traces/${trace}`);
    await page.waitForSelector('.tree-row[aria-selected="true"]');
    await page.keyboard.press('j');
    await page.waitForURL(/run=/);
    await page.keyboard.press('/');
    await page.keyboard.type('llm');
    await page.waitForURL(/q=llm/);
    expect(await page.locator('.tree-row').count()).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('figures', () => {
  it('of the comparison are those of the API', async () => {
    const experiments = await api('EXPERIMENT', `/api/v1/sessions?reference_dataset=${dataset.id}&limit=100`);
    const [candidate, base] = experiments;
    const compared = await api('EXPERIMENT', `/api/v1/datasets/${dataset.id}/comparison`, { experiment_ids: [candidate.id], baseline_experiment_id: base.id, limit: 1 });
    const expected = compared.experiments.find((one: { id: string }) => one.id === candidate.id).feedback;
    const { page } = await open(contexts['light']!, `/w/${workspace}/datasets/${dataset.id}/compare?base=${base.id}&with=${candidate.id}`);
    await page.waitForSelector('.forest-table tbody tr');
    for (const key of Object.keys(expected)) {
      await page.click(`.forest-table .key a[title="${key}"]`);
      await page.waitForURL((url) => url.searchParams.get('key') === key);
      const chips = await page.locator('.counters .chip').allInnerTexts();
      const counts = Object.fromEntries(chips.map((chip) => [chip.trim().split(/\s+/).at(-1), Number(chip.replace(/\D/g, ''))]));
      expect(counts, key).toEqual({ worse: expected[key].worse, better: expected[key].better, same: expected[key].same, missing: expected[key].missing });
    }
    await page.close();
  });
});

describe('sessions', () => {
  it('that ended come back to the same address after signing in', async () => {
    const context = await browser.newContext();
    const path = `/w/${workspace}/projects/${project.id}?scope=runs`;
    const { page } = await open(context, path);
    await page.waitForSelector('#api-key');
    await page.fill('#api-key', 'wb_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await page.fill('#api-key', environment('WAYBILL_API_KEY'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(address + path);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }))).not.toContain('wb_');
    await context.close();
  });

  it.skipIf(!process.env['WAYBILL_CONSOLE_SIGN_IN_KEY'])('start once with the address that the quickstart prints', async () => {
    const created = await fetch(`${environment('WAYBILL_CONSOLE_MANAGEMENT_URL')}/sign-in-codes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${environment('WAYBILL_CONSOLE_SIGN_IN_KEY')}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ api_key: environment('WAYBILL_API_KEY') }),
    });
    const path = `/w/${workspace}/datasets/${dataset.id}/compare#code=${(await created.json()).code}`;
    const first = await browser.newContext();
    const opened = await open(first, path);
    await opened.page.waitForSelector('.grid-body .clamp');
    expect(opened.page.url()).not.toContain('code=');
    expect(opened.problems).toEqual([]);
    await first.close();

    const second = await browser.newContext();
    const { page } = await open(second, path);
    await page.waitForSelector('#api-key');
    expect(await page.textContent('[role=alert]')).toContain('used before');
    expect(page.url()).not.toContain('code=');
    await second.close();
  });

  it('lead to no other site', async () => {
    const context = await browser.newContext();
    await signIn(context);
    const { page } = await open(context, '/sign-in?return=//example.com/x');
    await page.waitForSelector('.sidebar');
    expect(page.url().startsWith(address)).toBe(true);
    await context.close();
  });
});
