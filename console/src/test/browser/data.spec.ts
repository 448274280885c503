import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, environment, launch, open, signIn } from './console';

const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script> \u202Egnitirw esrever\u202C ';
const MAX_DOM_ROWS = 80;
const START = Date.parse('2026-11-01T12:00:00Z');

let browser: Browser;
let context: BrowserContext;
let workspace = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = environment('WAYBILL_TENANT_ID');
});

afterAll(() => browser.close());

function run(offset: number, changes: Record<string, unknown>): Record<string, unknown> {
  const id = randomUUID();
  const time = new Date(START + offset).toISOString();
  const segment = `${time.replace(/[-:.]/g, '').replace('Z', '000Z')}${id}`;
  return { id, trace_id: id, dotted_order: segment, name: 'run', run_type: 'chain', session_name: 'console-tests', start_time: time, end_time: new Date(START + offset + 5).toISOString(), inputs: {}, outputs: {}, ...changes };
}

function child(parent: Record<string, unknown>, offset: number, changes: Record<string, unknown>): Record<string, unknown> {
  const one = run(offset, changes);
  return { ...one, trace_id: parent['trace_id'], parent_run_id: parent['id'], dotted_order: `${parent['dotted_order']}.${one['dotted_order']}` };
}

it('hostile texts are shown as texts and break no layout', async () => {
  let nested: unknown = HOSTILE;
  for (let level = 0; level < 80; level++) {
    nested = { nested };
  }
  const root = run(0, {
    name: HOSTILE + 'N'.repeat(9_900),
    session_name: `hostile ${HOSTILE}`,
    inputs: { [HOSTILE]: nested, messages: [{ role: HOSTILE, content: HOSTILE }] },
    outputs: { big: 'y'.repeat(5_000_000) },
    error: HOSTILE,
    tags: [HOSTILE],
    extra: { metadata: { [HOSTILE]: HOSTILE } },
  });
  await api('EXPERIMENT', '/api/v1/runs/batch', { post: [root] });
  for (const tab of ['messages', 'io', 'metadata', 'feedback', 'raw']) {
    const { page, problems } = await open(context, `/w/${workspace}/traces/${root['id']}?tab=${tab}`);
    await page.waitForSelector('.run-body');
    await page.waitForTimeout(500);
    expect(problems, tab).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), tab).toBe(true);
    expect(await page.locator('.run-body img, .run-body script').count(), tab).toBe(0);
    await page.close();
  }
  const { page, problems } = await open(context, `/w/${workspace}/projects`);
  await page.waitForSelector('.grid-body .list-link');
  expect(problems).toEqual([]);
  await page.close();
});

it('a trace of 10,000 runs shows few rows and follows the keyboard', async () => {
  const root = run(0, { name: 'ten thousand children' });
  const runs = [root, ...Array.from({ length: 9_999 }, (_, index) => child(root, index, { name: `child ${index}`, ...(index === 7_777 ? { error: 'failed' } : {}) }))];
  for (let first = 0; first < runs.length; first += 500) {
    await api('EXPERIMENT', '/api/v1/runs/batch', { post: runs.slice(first, first + 500) });
  }
  const started = Date.now();
  const { page, problems } = await open(context, `/w/${workspace}/traces/${root['id']}`);
  await page.waitForSelector('.tree-row');
  console.log(`first rows of 10,000 runs after ${Date.now() - started} ms`);
  expect(await page.locator('.page-head .stats').innerText()).toContain('10,000');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.reload();
  await page.waitForSelector('.tree-row');
  expect(requests.filter((path) => path.startsWith('/api/v1/traces/'))).toHaveLength(1);
  expect(requests).not.toContain('/api/v1/runs/query');
  await page.locator('.tree').focus();
  await page.keyboard.press('End');
  await page.waitForSelector('.tree-row:has-text("child 9998")');
  expect(await page.locator('.tree-row').count()).toBeLessThanOrEqual(MAX_DOM_ROWS);
  await page.keyboard.press('Home');
  await page.keyboard.press('e');
  await page.waitForSelector('.tree-row[aria-selected="true"]:has-text("child 7777")');
  expect(problems).toEqual([]);
  await page.close();
});

it('a table of 50,000 rows keeps few of them in the document', async () => {
  const { page, problems } = await open(context, '/gallery/table');
  await page.waitForSelector('.grid-body .grid-row');
  const result = await page.evaluate(async () => {
    const grid = document.querySelector('.grid')!;
    let rows = 0;
    let longest = 0;
    let before = performance.now();
    for (let step = 0; step < 200; step++) {
      grid.scrollTop += 5_000;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
      rows = Math.max(rows, document.querySelectorAll('.grid-body .grid-row').length);
    }
    return { rows, longest: Math.round(longest) };
  });
  console.log(`longest frame while scrolling ${result.longest} ms`);
  expect(result.rows).toBeLessThanOrEqual(MAX_DOM_ROWS);
  expect(problems).toEqual([]);
  await page.close();
});

it('feedback is added, edited and deleted', async () => {
  const root = run(0, { name: 'with feedback', inputs: { question: 'a' }, outputs: { answer: 'b' } });
  await api('EXPERIMENT', '/api/v1/runs/batch', { post: [root] });
  const { page, problems } = await open(context, `/w/${workspace}/traces/${root['id']}?tab=feedback`);
  await page.fill('[name=key]', 'correctness');
  await page.fill('[name=score]', '0.5');
  await page.fill('[name=comment]', HOSTILE);
  await page.keyboard.press('Enter');
  await page.waitForSelector('td:has-text("0.50")');
  await page.click('text=Edit');
  await page.fill('[name=score]', '1');
  await page.click('text=Save');
  await page.waitForSelector('td.end:text-is("1.00")');
  await page.click('[aria-label="Delete correctness"]');
  await page.waitForSelector('text=No feedback on this run yet.');
  expect(problems).toEqual([]);
  await page.close();
});

it('a service that is away is reported once, and the page recovers', async () => {
  const { page, problems } = await open(context, '/gallery');
  let isAway = true;
  await page.route('**/api/v1/**', (route) =>
    isAway
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ status: 503, detail: 'experiment-service does not respond; the page tries again by itself.', service: 'experiment-service' }) })
      : route.continue(),
  );
  await page.goto(page.url().replace('/gallery', `/w/${workspace}/datasets`));
  await page.waitForSelector('.banner');
  expect(await page.locator('.banner').count()).toBe(1);
  isAway = false;
  await page.waitForSelector('.grid-body .list-link');
  await page.waitForSelector('.banner', { state: 'detached' });
  expect(problems).toEqual([]);
  await page.close();
});
