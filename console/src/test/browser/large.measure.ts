import { writeFileSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { environment, launch, open, signIn } from './console';
import { firstSeconds, heap, scroll, uploadLarge } from './large';
import { child, root, send } from './sent';

/** Measures times and memory, which no test asserts; ./verify bench --only console starts it. */

const FILE = process.env['WAYBILL_FIGURES']!;
const number = (name: string, initial: number): number => Number(process.env[name] ?? initial);
const ROWS = number('WAYBILL_ROWS', 50_000);
const ROUNDS = number('WAYBILL_ROUNDS', 5);
const SCROLL_SECONDS = number('WAYBILL_SCROLL_SECONDS', 60);
const RUNS = 10_000;

let browser: Browser;
let context: BrowserContext;
const figures: Record<string, number[]> = { first_rows: [], first_rows_worst: [], first_runs: [], frames: [], heap: [] };

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await signIn(context);
}, 60_000);

afterAll(async () => {
  writeFileSync(FILE, JSON.stringify(figures));
  await browser.close();
});

it('measures a comparison', async () => {
  const path = await uploadLarge(ROWS);
  figures['first_rows'] = await firstSeconds(context, path, '.grid-body .clamp', ROUNDS);
  figures['first_rows_worst'] = await firstSeconds(context, `${path}&key=correct&view=worse`, '.grid-body .clamp', ROUNDS);
  const { page } = await open(context, path);
  await page.waitForSelector('.grid-body .clamp');
  const end = performance.now() + SCROLL_SECONDS * 1_000;
  while (performance.now() < end) {
    figures['frames']!.push(...(await scroll(page, 120, 2_000)).frames);
    figures['heap']!.push((await heap(context, page)) / 1_000_000);
  }
  await page.close();
}, 1_800_000);

it('measures a trace', async () => {
  const first = root(`large trace ${Date.now()}`, Date.now() - 600_000, 60_000, { name: 'large' });
  await send([first, ...Array.from({ length: RUNS - 1 }, (_, index) => child(first, index, 5, { name: `child ${index}` }))]);
  figures['first_runs'] = await firstSeconds(context, `/w/${environment('WAYBILL_TENANT_ID')}/traces/${first.id}`, '.tree-row', ROUNDS);
}, 600_000);
