import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { address, api, environment, launch, open, signIn, type Watched } from './console';

let browser: Browser;
let context: BrowserContext;
let workspace = '';
/** A project of its own for each test. */
let project: { id: string; name: string };

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = environment('WAYBILL_TENANT_ID');
});

afterAll(() => browser.close());

beforeEach(async () => {
  project = { id: '', name: `console-live-${randomUUID()}` };
  await send('first');
  project.id = (await api('EXPERIMENT', `/api/v1/sessions?name=${project.name}`))[0].id;
});

async function send(name: string, changes: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const time = new Date().toISOString();
  const dotted = `${time.replace(/[-:.]/g, '').replace('Z', '000Z')}${id}`;
  await api('EXPERIMENT', '/api/v1/runs/batch', { post: [{ id, trace_id: id, dotted_order: dotted, name, run_type: 'chain', session_name: project.name, start_time: time, end_time: new Date().toISOString(), inputs: { question: `input of ${name}` }, outputs: {}, ...changes }] });
  return id;
}

/** Opens a page and waits until it receives changes. */
async function openConnected(path: string): Promise<Watched> {
  const watched = await open(context, '/gallery/states');
  const connected = watched.page.waitForResponse('**/api/v1/events');
  await watched.page.goto(address + path);
  await connected;
  return watched;
}

const row = (name: string): string => `.grid-body .run-name:has-text("${name}")`;

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

it('new runs appear while the page is open', async () => {
  const { page, problems } = await openConnected(`/w/${workspace}/projects/${project.id}`);
  await page.waitForSelector(row('first'));
  await send('second');
  await page.waitForSelector(row('second'));
  expect(await page.locator('.grid-body .one-line', { hasText: 'input of second' }).count()).toBe(1);
  expect(problems).toEqual([]);
  await page.close();
});

it('one connection serves all pages of a tab', async () => {
  const { page, problems } = await open(context, '/gallery/states');
  const streams: string[] = [];
  page.on('request', (request) => new URL(request.url()).pathname === '/api/v1/events' && streams.push(request.url()));
  await page.goto(`${address}/w/${workspace}/projects`);
  await page.waitForSelector('.grid-body .list-link');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForSelector('.grid-body .list-link');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.waitForSelector('.card table');
  expect(streams).toHaveLength(1);
  expect(problems).toEqual([]);
  await page.close();
});

it('one connection serves all pages of a browser', async () => {
  const streams: string[] = [];
  const pages: Watched[] = [];
  // A browser opens six connections to a host.
  for (let index = 0; index < 8; index++) {
    const watched = await open(context, '/gallery/states');
    watched.page.on('response', (response) => new URL(response.url()).pathname === '/api/v1/events' && streams.push(response.url()));
    await watched.page.goto(`${address}/w/${workspace}/projects/${project.id}`);
    await watched.page.waitForSelector(row('first'));
    pages.push(watched);
  }
  expect(streams).toHaveLength(1);
  await send('for all');
  await Promise.all(pages.map(({ page }) => page.waitForSelector(row('for all'))));
  await pages.shift()!.page.close();
  await expect.poll(() => streams.length).toBe(2);
  await send('after a page was closed');
  await Promise.all(pages.map(({ page }) => page.waitForSelector(row('after a page was closed'))));
  for (const { page, problems } of pages) {
    expect(problems).toEqual([]);
    await page.close();
  }
});

it('a hidden page reads nothing, and everything when it is seen again', async () => {
  const { page, problems } = await openConnected(`/w/${workspace}/projects/${project.id}`);
  await page.waitForSelector(row('first'));
  await page.waitForSelector('.activity .u-over');
  await setHidden(page, true);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await send('while hidden');
  await page.waitForTimeout(4_000);
  expect(requests).toEqual([]);
  const connected = page.waitForResponse('**/api/v1/events');
  await setHidden(page, false);
  await connected;
  await page.waitForSelector(row('while hidden'));
  await send('seen');
  await page.waitForSelector(row('seen'));
  expect(problems).toEqual([]);
  await page.close();
});

it('a lost connection is established again', async () => {
  const { page, problems } = await open(context, '/gallery/states');
  let attempts = 0;
  await page.route('**/api/v1/events', (route) => (attempts++ < 2 ? route.abort() : route.continue()));
  await page.goto(`${address}/w/${workspace}/projects/${project.id}`);
  await page.waitForSelector(row('first'));
  await page.waitForResponse('**/api/v1/events');
  await send('after the interruption');
  await page.waitForSelector(row('after the interruption'));
  expect(attempts).toBeGreaterThan(2);
  expect(await page.locator('.banner').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it('a running trace grows while the page is open', async () => {
  const root = await send('root', { end_time: null, outputs: null });
  const { page, problems } = await openConnected(`/w/${workspace}/traces/${root}`);
  await page.waitForSelector('.tree-row:has-text("root")');
  const parent = (await api('EXPERIMENT', `/api/v1/runs/${root}`)) as { dotted_order: string };
  const id = randomUUID();
  const time = new Date().toISOString();
  await send('child', { id, trace_id: root, parent_run_id: root, dotted_order: `${parent.dotted_order}.${time.replace(/[-:.]/g, '').replace('Z', '000Z')}${id}`, start_time: time });
  await page.waitForSelector('.tree-row:has-text("child")');
  expect(problems).toEqual([]);
  await page.close();
});

it('a bucket of the chart narrows the range', async () => {
  const { page, problems } = await open(context, `/w/${workspace}/projects/${project.id}`);
  await page.locator('.activity .u-over').first().click();
  await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'));
  await page.waitForSelector(row('first'));
  await page.goBack();
  await page.click('.activity .chart-data summary');
  await page.locator('.activity .chart-data button').last().click();
  await page.waitForURL((url) => url.searchParams.has('from'));
  expect(problems).toEqual([]);
  await page.close();
});

it('columns are chosen by keyboard and kept in the address', async () => {
  const { page, problems } = await open(context, `/w/${workspace}/projects/${project.id}`);
  await page.waitForSelector(row('first'));
  await page.locator('.menu summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('.menu input[name=tags]').focus();
  await page.keyboard.press(' ');
  await page.waitForURL(/columns=.*tags/);
  await page.waitForSelector('.grid-head :text-is("Tags")');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  await page.reload();
  await page.waitForSelector('.grid-head :text-is("Tags")');
  await page.click('.menu summary');
  await page.click('.menu .button.quiet');
  await page.waitForURL((url) => !url.searchParams.has('columns'));
  expect(problems).toEqual([]);
  await page.close();
});
