import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { address, environment, open } from './console';
import { upload } from './sent';

/** Three experiments of many rows, whose comparison is tested and measured. */

export const EXPERIMENTS = 3;
const DAY = 86_400_000;

/** Uploads the experiments and returns the path of their comparison. */
export async function uploadLarge(rows: number): Promise<string> {
  const name = `large ${Date.now()}`;
  const ids = Array.from({ length: rows }, () => randomUUID());
  const uploaded = [];
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    uploaded.push(
      await upload({
        name: `${name} ${experiment}`,
        dataset: name,
        start: Date.now() - (EXPERIMENTS - experiment) * DAY,
        rows: ids.map((id, index) => ({
          id,
          inputs: { question: `question ${index}` },
          expected: { answer: `reference ${index}` },
          outputs: { answer: `answer ${index} of ${experiment}${' and more'.repeat(index % 7)}` },
          scores: { correct: ((index * 7_919 + experiment * 104_729) % 11) / 10, helpful: (index * 31 + experiment * 17) % 5, length: (index * 13 + experiment) % 100 },
        })),
      }),
    );
  }
  const [base, ...candidates] = uploaded.map((one) => one.experiment);
  return `/w/${environment('WAYBILL_TENANT_ID')}/datasets/${uploaded[0]!.dataset}/compare?base=${base}&with=${candidates.join(',')}`;
}

/** The offset and number of rows that a request reads; null if it reads none. */
export function rowsOf(request: Request): { offset: number; limit: number } | null {
  if (!request.url().endsWith('/comparison')) {
    return null;
  }
  const body = request.postDataJSON() as { parts?: string[]; offset?: number; limit?: number };
  return body.parts?.includes('rows') ? { offset: body.offset ?? 0, limit: body.limit ?? Infinity } : null;
}

export interface Scrolled {
  /** Duration of each frame in milliseconds. */
  readonly frames: readonly number[];
  /** Largest number of rows in the document. */
  readonly rows: number;
}

/** Scrolls the grid by `pixels` in each frame, again from the start when the end is reached. */
export function scroll(page: Page, frames: number, pixels: number): Promise<Scrolled> {
  return page.evaluate(
    async ([count, distance]) => {
      const grid = document.querySelector('.grid')!;
      const durations: number[] = [];
      let rows = 0;
      let before = await new Promise(requestAnimationFrame);
      for (let frame = 0; frame < count!; frame++) {
        grid.scrollTop = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1 ? 0 : grid.scrollTop + distance!;
        const now = await new Promise(requestAnimationFrame);
        durations.push(now - before);
        before = now;
        rows = Math.max(rows, grid.querySelectorAll('.grid-body .grid-row').length);
      }
      return { frames: durations, rows };
    },
    [frames, pixels],
  );
}

/** Returns the seconds from the request for the page to the first element, of each round; a first, cold one is not counted. */
export async function firstSeconds(context: BrowserContext, path: string, ready: string, rounds: number): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const { page } = await open(context, '/gallery/states');
    const started = performance.now();
    await page.goto(address + path, { waitUntil: 'commit' });
    // waitForSelector looks twice a second only.
    await page.waitForFunction((selector) => document.querySelector(selector) !== null, ready, { polling: 'raf' });
    found.push((performance.now() - started) / 1_000);
    await page.close();
  }
  return found.slice(1);
}

/** Returns the bytes that the page's scripts use after a garbage collection. */
export async function heap(context: BrowserContext, page: Page): Promise<number> {
  const client = await context.newCDPSession(page);
  await client.send('HeapProfiler.enable');
  await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  await client.detach();
  return usedSize;
}
