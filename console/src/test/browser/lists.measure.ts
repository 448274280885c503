import { appendFileSync, writeFileSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { api, environment, launch, open, signIn } from './console';
import { firstSeconds, heap, scroll } from './large';

/** Measures lists of many deployments and exports, and long logs; ./verify bench --only console-lists starts it. */

const FILE = process.env['WAYBILL_FIGURES']!;
const ROUNDS = Number(process.env['WAYBILL_ROUNDS'] ?? 5);
const SECONDS = Number(process.env['WAYBILL_SECONDS'] ?? 60);
const LINES_PER_SECOND = 5_000;
const PIECES_PER_SECOND = 10;

let browser: Browser;
let context: BrowserContext;
let workspace = '';
const figures: Record<string, number[]> = { deployments: [], exports: [], log: [], list_frames: [], log_frames: [], accounted: [], heap: [] };

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
}, 60_000);

afterAll(async () => {
  writeFileSync(FILE, JSON.stringify(figures));
  await browser.close();
});

async function logPath(): Promise<string> {
  const { id, active_revision_id: revision } = (await api('CONTROL_PLANE', `/v2/deployments?name=${environment('WAYBILL_DEPLOYMENT')}`)).resources[0];
  return `${workspace}/deployments/${id}?tab=log&phase=server&revision=${revision}`;
}

it('measures lists', async () => {
  for (const list of ['deployments', 'exports']) {
    figures[list] = await firstSeconds(context, `${workspace}/${list}`, '.grid-body .list-link', ROUNDS);
    const { page } = await open(context, `${workspace}/${list}`);
    await page.waitForSelector('.grid-body .list-link');
    figures['list_frames']!.push(...(await scroll(page, 600, 200)).frames);
    await page.close();
  }
}, 600_000);

it('measures a long log', async () => {
  figures['log'] = await firstSeconds(context, await logPath(), '.log-line', ROUNDS);
}, 600_000);

it('measures a log that grows fast', async () => {
  const { page } = await open(context, await logPath());
  await page.waitForSelector('.log-line');
  await page.evaluate(() => (navigator.clipboard.writeText = async (text) => void ((window as unknown as { copied: string }).copied = text)));
  // How many lines the service left out, by the line after them.
  const notes = new Map<string, number>();
  /** Counts the lines that the page received, and those that it says it did not receive. */
  const seen = async (): Promise<number> => {
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const [foot, copied] = await page.evaluate(() => [document.querySelector('.log-foot')!.textContent!.replaceAll(',', ''), (window as unknown as { copied: string }).copied]);
    // Notes can be equal; the line after each is not.
    for (const [, count, next] of copied!.matchAll(/^.* (\d+) lines were left out,.*\n(.*)$/gm)) {
      notes.set(next!, Number(count));
    }
    const received = [...foot!.matchAll(/(\d+) (?:older )?lines/g)].reduce((sum, found) => sum + Number(found[1]), 0);
    return [...notes.values()].reduce((sum, count) => sum + count, received - notes.size);
  };
  await page.waitForTimeout(2_000);
  const before = await seen();
  let written = 0;
  const writer = setInterval(() => {
    const lines = Array.from({ length: LINES_PER_SECOND / PIECES_PER_SECOND }, () => `line ${written++} of a busy application`);
    appendFileSync(environment('WAYBILL_LOG'), `${lines.join('\n')}\n`);
  }, 1_000 / PIECES_PER_SECOND);
  const end = performance.now() + SECONDS * 1_000;
  while (performance.now() < end) {
    figures['log_frames']!.push(
      ...(await page.evaluate(async () => {
        const durations: number[] = [];
        let last = await new Promise(requestAnimationFrame);
        for (let frame = 0; frame < 60; frame++) {
          const now = await new Promise(requestAnimationFrame);
          durations.push(now - last);
          last = now;
        }
        return durations;
      })),
    );
    await seen();
    figures['heap']!.push((await heap(context, page)) / 1_000_000);
  }
  clearInterval(writer);
  await page.waitForTimeout(5_000);
  figures['accounted'] = [((await seen()) - before) / written];
  await page.close();
}, 600_000);
