import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environment, launch, open, signIn } from './console';
import { child, root, send } from './sent';

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

it('a trace of 10,000 runs shows few rows and follows the keyboard', async () => {
  const first = root(`children ${Date.now()}`, START, 5, { name: 'ten thousand children' });
  const runs = [first, ...Array.from({ length: 9_999 }, (_, index) => child(first, index, 5, { name: `child ${index}`, ...(index === 7_777 ? { error: 'failed' } : {}) }))];
  await send(runs);
  const started = Date.now();
  const { page, problems } = await open(context, `/w/${workspace}/traces/${first.id}`);
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
  await page.waitForSelector('.tree-row[aria-selected="true"]:has-text("ten thousand children")');
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
