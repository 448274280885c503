import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch, open, signIn } from './console';
import { heap, rowsOf, scroll, uploadLarge } from './large';

/** The comparison of three experiments of 50,000 rows; large.measure.ts measures its times. */

const ROWS = 50_000;
const WINDOW = 100;
const ROW_HEIGHT = 53;
const MAX_DOM_ROWS = 80;
const MB = 1_000_000;

let browser: Browser;
let context: BrowserContext;
let path = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  path = await uploadLarge(ROWS);
}, 300_000);

afterAll(() => browser.close());

/** Row of the grid with this index, when its values are shown. */
const shown = (page: Page, index: number): Promise<unknown> => page.waitForSelector(`.grid-body .grid-row[aria-rowindex="${index + 2}"] .clamp`);
const scrollTo = (page: Page, index: number): Promise<void> => page.locator('.grid').evaluate((grid, top) => grid.scrollTo({ top }), index * ROW_HEIGHT);

function watchRows(page: Page): { offset: number; limit: number }[] {
  const requests: { offset: number; limit: number }[] = [];
  page.on('request', (request) => {
    const rows = rowsOf(request);
    if (rows) {
      requests.push(rows);
    }
  });
  return requests;
}

/** Windows in which some of the rows are, and the next one. */
const allowed = (first: number, last: number): number[] => {
  const from = Math.floor(first / WINDOW);
  return Array.from({ length: Math.floor(last / WINDOW) + 2 - from }, (_, index) => (from + index) * WINDOW);
};

/** The rows in the document, which are those in view and some around them. */
const rendered = (page: Page): Promise<[number, number]> =>
  page.locator('.grid-body .grid-row').evaluateAll((rows) => {
    const indices = rows.map((row) => Number(row.getAttribute('aria-rowindex')) - 2);
    return [Math.min(...indices), Math.max(...indices)];
  });

it('shows its first rows and requests only windows in view', async () => {
  const { page, problems } = await open(context, '/gallery/states');
  const requests = watchRows(page);
  await page.goto(new URL(path, page.url()).href);
  await shown(page, 0);
  await page.waitForSelector('.bar [role=status]:has-text("50,000 examples")');
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
  expect(requests.map((one) => one.offset).filter((offset) => !allowed(0, 30).includes(offset))).toEqual([]);
  for (const target of [25_000, 49_990, 7_777, 0]) {
    requests.length = 0;
    await scrollTo(page, target);
    await shown(page, Math.min(target, ROWS - 1));
    const [first, last] = await rendered(page);
    expect(first).toBeLessThanOrEqual(target);
    expect(last).toBeGreaterThanOrEqual(Math.min(target, ROWS - 1));
    expect(requests.map((one) => one.offset).filter((offset) => !allowed(first, last).includes(offset)), `at ${target}`).toEqual([]);
    expect(requests.filter((one) => one.limit > WINDOW)).toEqual([]);
  }
  expect(problems).toEqual([]);
  await page.close();
});

it('aborts requests for windows that left the view', async () => {
  const { page, problems } = await open(context, path);
  await shown(page, 0);
  await page.waitForSelector('.bar [role=status]:has-text("50,000 examples")');
  const held: Request[] = [];
  const aborted: (number | undefined)[] = [];
  let isHolding = true;
  const releases: (() => void)[] = [];
  page.on('requestfailed', (request) => rowsOf(request) && aborted.push(rowsOf(request)!.offset));
  await page.route('**/comparison', async (route) => {
    if (isHolding && rowsOf(route.request())) {
      held.push(route.request());
      await new Promise<void>((resolve) => releases.push(resolve));
    }
    await route.continue().catch(() => undefined);
  });
  await scrollTo(page, 40_050);
  await expect.poll(() => held.map((request) => rowsOf(request)!.offset).sort()).toEqual([40_000, 40_100]);
  await scrollTo(page, 10_050);
  await expect.poll(() => [...aborted].sort()).toEqual([40_000, 40_100]);
  isHolding = false;
  releases.forEach((release) => release());
  await shown(page, 10_050);
  expect(await page.locator('.banner, main [role=alert]').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it('keeps few rows in the document and no memory of what it left', async () => {
  const { page, problems } = await open(context, path);
  await shown(page, 0);
  await page.waitForSelector('.bar [role=status]:has-text("50,000 examples")');
  // Fills the windows that the page keeps.
  const round = async (): Promise<number> => {
    let rows = 0;
    for (let part = 0; part < 12; part++) {
      rows = Math.max(rows, (await scroll(page, 60, 4_000)).rows);
      await page.waitForSelector('.grid-body .clamp');
    }
    await scrollTo(page, 0);
    await shown(page, 0);
    return rows;
  };
  expect(await round()).toBeLessThanOrEqual(MAX_DOM_ROWS);
  expect(await round()).toBeLessThanOrEqual(MAX_DOM_ROWS);
  const before = await heap(context, page);
  const after = [];
  for (let repetition = 0; repetition < 4; repetition++) {
    expect(await round()).toBeLessThanOrEqual(MAX_DOM_ROWS);
    after.push(await heap(context, page));
  }
  console.log(`heap ${(before / MB).toFixed(1)} MB, then ${after.map((one) => (one / MB).toFixed(1)).join(', ')} MB`);
  expect(Math.max(before, ...after)).toBeLessThan(60 * MB);
  expect(Math.min(...after)).toBeLessThan(before + 2 * MB);
  expect(problems).toEqual([]);
  await page.close();
}, 300_000);

it('selects and sorts all rows, not only the loaded ones', async () => {
  const { page, problems } = await open(context, `${path}&key=correct&sort=difference`);
  await shown(page, 0);
  const requests = watchRows(page);
  const difference = (index: number): number => (((index * 7_919 + 104_729) % 11) - ((index * 7_919) % 11)) / 10;
  const worse = Array.from({ length: ROWS }, (_, index) => difference(index)).filter((one) => one < 0).length;
  await page.locator('.candidate').first().getByRole('button', { name: 'worse' }).click();
  await page.waitForSelector(`.bar [role=status]:has-text("${worse.toLocaleString('en')} worse examples")`);
  await scrollTo(page, worse);
  await shown(page, worse - 1);
  expect(requests.filter((one) => one.limit > WINDOW)).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});
