import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address, api, environment, launch, open, sample, signIn } from './console';
import { child, root, send } from './sent';

let browser: Browser;
let context: BrowserContext;
let workspace = '';
let dataset = '';
let project = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  const found = await sample();
  dataset = `${workspace}/datasets/${found.dataset.id}`;
  project = `${workspace}/projects/${found.project.id}`;
});

afterAll(() => browser.close());

it('a misspelled field of a filter is corrected', async () => {
  const { page, problems } = await open(context, `${project}?filter=${encodeURIComponent('and(eq(statsu, "error"))')}`);
  await page.click('.filter-error button:has-text("status")');
  await page.waitForURL((url) => url.searchParams.get('filter') === 'and(eq(status, "error"))');
  await page.waitForSelector('.grid-body .run-name');
  expect(await page.locator('.filter-error').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it('a filter without matches draws no charts', async () => {
  const { page, problems } = await open(context, `${project}?filter=${encodeURIComponent('eq(name, "no such name")')}`);
  await page.waitForSelector('.activity-note:has-text("matches the filter")');
  await page.waitForSelector('.state:has-text("No root run matches")');
  expect(await page.locator('.time-series').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it('runs are sorted by duration after all are loaded', async () => {
  const { page, problems } = await open(context, project);
  await page.waitForSelector('.grid-body .run-name');
  await page.click('.grid-head button:has-text("Duration")');
  await page.waitForURL((url) => url.searchParams.get('order') === '-latency');
  await page.waitForSelector('.grid-foot:has-text("in all")');
  const links = await page.locator('.grid-body a.run-name').evaluateAll((found) => found.map((link) => link.getAttribute('href')!.split('/').at(-1)!));
  const latencies = await Promise.all(links.slice(0, 5).map(async (id) => (await api('EXPERIMENT', `/api/v1/runs/${id}`)).latency as number));
  const stats = await api('EXPERIMENT', '/api/v1/runs/stats', { session: [project.split('/').at(-1)], is_root: true });
  expect(latencies).toEqual([...latencies].sort((a, b) => b - a));
  expect(latencies[0]).toBeGreaterThanOrEqual(stats.latency_p99);
  await page.click('.figures button');
  await page.waitForURL((url) => /^gte\(latency, /.test(url.searchParams.get('filter') ?? ''));
  await page.waitForSelector('.grid-body .run-name');
  expect(problems).toEqual([]);
  await page.close();
});

it('reasons of evaluators are beside the scores', async () => {
  const { page, problems } = await open(context, `${dataset}/compare?view=worse&key=correct`);
  await page.waitForSelector('.grid-body .clamp');
  await page.keyboard.press('j');
  await page.waitForSelector('.panel .reasons');
  const reasons = await page.locator('.reasons ul[aria-label="Reasons for correct"] li').allInnerTexts();
  expect(reasons.map((reason) => reason.replace(/\s+/g, ' '))).toEqual([expect.stringMatching(/^Base Says the same/), expect.stringMatching(/^A Refers to the phone/)]);
  expect(problems).toEqual([]);
  await page.close();
});

it('a trace of an experiment leads back to its comparison', async () => {
  const { page, problems } = await open(context, `${dataset}/compare?view=worse&key=correct`);
  await page.waitForSelector('.grid-body .clamp');
  await page.keyboard.press('j');
  await page.waitForSelector('.panel .output a');
  const row = new URL(page.url()).searchParams.get('row');
  await page.locator('.panel .output a').last().click();
  await page.waitForURL((url) => url.pathname.includes('/traces/') && url.searchParams.has('run'));
  await page.waitForSelector('.page-head a:has-text("Example")');
  expect(await page.locator('.crumbs a').nth(1).getAttribute('href')).toBe(dataset);
  await page.keyboard.press('b');
  await page.waitForURL((url) => url.pathname === `${dataset}/compare` && url.searchParams.get('row') === row && url.searchParams.has('base'));
  await page.waitForSelector('.panel .reasons');
  await page.goBack();
  await page.click('.page-head a:has-text("Example")');
  await page.waitForURL((url) => url.pathname === `${dataset}/examples/${row}`);
  expect(problems).toEqual([]);
  await page.close();
});

it('an experiment without a named baseline is compared', async () => {
  const experiments = await api('EXPERIMENT', `/api/v1/sessions?reference_dataset=${dataset.split('/').at(-1)}&limit=100`);
  for (const { id } of experiments.slice(0, 2)) {
    const { page, problems } = await open(context, `${workspace}/projects/${id}`);
    await page.click('.page-head a:has-text("Compare")');
    await page.waitForSelector('.candidate .forest-table');
    expect(problems).toEqual([]);
    await page.close();
  }
});

it('tables look the same after a comparison', async () => {
  const { page, problems } = await open(context, `${dataset}/compare`);
  await page.waitForSelector('.candidate .forest-table');
  await page.click('.sidebar a:has-text("Home")');
  await page.waitForSelector('main .table.cards td');
  expect(await page.locator('main .table.cards').first().evaluate((table) => getComputedStyle(table).display)).toBe('table');
  expect(problems).toEqual([]);
  await page.close();
});

it('the link to a view is copied', async () => {
  const { page, problems } = await open(context, `${project}?scope=runs`);
  await page.waitForSelector('.grid-body .run-name');
  await page.keyboard.press('y');
  await page.waitForSelector('.toast');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  expect(problems).toEqual([]);
  await page.close();
});

it('tables are cards on a phone', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await signIn(phone);
  for (const path of [project, `${workspace}/projects`, `${workspace}/datasets`, `${dataset}/compare`, `${dataset}?tab=examples`]) {
    const { page, problems } = await open(phone, path);
    await page.waitForSelector('.grid.narrow .grid-body .grid-cell:not(:has(.skeleton))');
    const widths = await page.locator('.grid').evaluate((grid) => [grid.scrollWidth, grid.clientWidth]);
    expect(widths[0], path).toBeLessThanOrEqual(widths[1]!);
    const boxes = await page.locator('.grid-body .grid-row').evaluateAll((rows) => rows.map((row) => ({ height: row.clientHeight, content: row.scrollHeight })));
    expect(boxes.filter((box) => box.content > box.height + 1), path).toEqual([]);
    const cut = await page.locator('.grid-body .grid-cell').evaluateAll((cells) => cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 1).map((cell) => cell.textContent));
    expect(cut, path).toEqual([]);
    expect(problems, path).toEqual([]);
    await page.close();
  }
  await phone.close();
});

it('parts of a comparison do not overlap in a small window', async () => {
  const { page, problems } = await open(context, `${dataset}/compare?charts=shown`);
  await page.setViewportSize({ width: 768, height: 700 });
  await page.waitForSelector('.distribution .chart');
  // As many conditions as need another line.
  await page.locator('.bar').evaluate((bar) => bar.append(...Array.from({ length: 8 }, () => Object.assign(document.createElement('span'), { className: 'chip', textContent: 'a condition of the rows' }))));
  const [bar, below] = await Promise.all(['.bar', '.distribution'].map((selector) => page.locator(selector).evaluate((one) => ({ top: one.getBoundingClientRect().top, end: one.getBoundingClientRect().top + one.scrollHeight }))));
  expect(below!.top).toBeGreaterThanOrEqual(bar!.end - 1);
  expect(problems).toEqual([]);
  await page.close();
});

it('names of deeply nested runs are readable', async () => {
  const runs = [root(`nested ${Date.now()}`, Date.now() - 60_000, 50_000, { name: 'the root of a deeply nested trace' })];
  for (let depth = 1; depth <= 24; depth++) {
    runs.push(child(runs.at(-1)!, 1, 1_000, { name: `a run at depth ${depth} with a long name` }));
  }
  await send(runs);
  for (const width of [390, 1280]) {
    const own = await browser.newContext({ viewport: { width, height: 1_200 }, reducedMotion: 'reduce' });
    await signIn(own);
    const { page, problems } = await open(own, `${workspace}/traces/${runs[0]!.id}`);
    await page.waitForSelector('.tree-row');
    await page.locator('.tree').evaluate((tree) => tree.scrollTo({ top: tree.scrollHeight }));
    await page.getByRole('row', { name: 'a run at depth 24' }).waitFor();
    const widths = await page.locator('.tree-name bdi').evaluateAll((names) => names.map((name) => name.clientWidth));
    expect(Math.min(...widths), `${width} pixels`).toBeGreaterThan(40);
    expect(problems).toEqual([]);
    await own.close();
  }
});

it('a menu is in view on a phone, and closes when left', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await signIn(phone);
  const { page, problems } = await open(phone, project);
  await page.waitForSelector('.grid-body .run-name');
  await page.locator('.menu summary').focus();
  await page.keyboard.press('Enter');
  const box = (await page.locator('.menu[open] .menu-body').boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await page.keyboard.press('Shift+Tab');
  await page.waitForSelector('.menu[open]', { state: 'detached' });
  expect(problems).toEqual([]);
  await phone.close();
});

it('the first Tab goes to the beginning of a page', async () => {
  for (const path of [`${workspace}/settings`, `${dataset}?tab=examples`]) {
    const { page, problems } = await open(context, path);
    await page.waitForSelector('[role=tab][aria-selected=true]');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement!.className), path).toContain('skip');
    expect(problems).toEqual([]);
    await page.close();
  }
});

it('Home and End select the first and the last tab', async () => {
  const { page, problems } = await open(context, `${workspace}/settings?tab=retention`);
  await page.getByRole('tab', { name: 'Retention' }).focus();
  await page.keyboard.press('End');
  await page.waitForURL(/tab=session/);
  await page.waitForFunction(() => document.activeElement?.textContent === 'This session');
  await page.keyboard.press('Home');
  await page.waitForURL((url) => !url.searchParams.has('tab'));
  expect(problems).toEqual([]);
  await page.close();
});

it('Tab leaves completions and rows', async () => {
  const { page, problems } = await open(context, project);
  await page.waitForSelector('.grid-body .run-name');
  await page.keyboard.press('/');
  await page.waitForSelector('.filter-list');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement!.getAttribute('aria-label'))).toBe('Range');
  await page.locator('.grid-head button').last().focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement!.closest('.grid-body'))).toBe(null);
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.includes('/traces/'));
  expect(problems).toEqual([]);
  await page.close();
});
