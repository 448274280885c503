import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, environment, launch, open, signIn } from './console';

const EXAMPLES = 40;
/** Scores by example: the baseline, and two candidates. */
const SCORES: readonly ((example: number) => number)[] = [() => 0.5, (example) => (example < 10 ? 0.2 : example < 15 ? 0.9 : 0.5), (example) => (example >= 35 ? 0 : 0.6)];

let browser: Browser;
let context: BrowserContext;
let dataset = '';
let experiments: string[] = [];
let path = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  const name = `console-compare-${Date.now()}`;
  const ids = Array.from({ length: EXAMPLES }, () => randomUUID());
  for (const [index, scoreOf] of SCORES.entries()) {
    await api('EXPERIMENT', '/api/v1/datasets/upload-experiment', {
      experiment_name: `${name} ${index}`,
      dataset_name: name,
      experiment_start_time: `2026-11-0${index + 1}T12:00:00Z`,
      experiment_end_time: `2026-11-0${index + 1}T13:00:00Z`,
      results: ids.map((id, example) => ({
        row_id: id,
        inputs: { question: `question ${example}` },
        expected_outputs: { answer: 'a' },
        actual_outputs: { answer: `answer ${example}` },
        start_time: `2026-11-0${index + 1}T12:00:00Z`,
        end_time: `2026-11-0${index + 1}T12:00:01Z`,
        evaluation_scores: [{ key: 'correct', score: scoreOf(example) }],
      })),
    });
  }
  dataset = (await api('EXPERIMENT', `/api/v1/datasets?name=${name}`))[0].id;
  const sessions = await api('EXPERIMENT', `/api/v1/sessions?reference_dataset=${dataset}`);
  experiments = SCORES.map((_, index) => sessions.find((one: { name: string }) => one.name === `${name} ${index}`).id);
  path = `/w/${environment('WAYBILL_TENANT_ID')}/datasets/${dataset}/compare?base=${experiments[0]}&with=${experiments[1]},${experiments[2]}`;
});

afterAll(() => browser.close());

/** Numbers of examples whose difference satisfies the condition, calculated here. */
const differing = (candidate: number, condition: (difference: number) => boolean): number =>
  Array.from({ length: EXAMPLES }, (_, example) => SCORES[candidate]!(example) - SCORES[0]!(example)).filter(condition).length;

const examples = (page: Page, count: number): Promise<unknown> => page.waitForSelector(`.bar [role=status]:text-matches("^${count} .*example")`);

async function counts(page: Page, histogram: number): Promise<number[]> {
  const labels = await page.locator('.histogram').nth(histogram).locator('.bin').evaluateAll((bins) => bins.map((bin) => bin.getAttribute('aria-label') ?? ''));
  return labels.map((label) => Number(/: ([\d,]+) examples$/.exec(label)![1]!.replace(',', '')));
}

async function middle(page: Page, histogram: number, bin: number): Promise<[number, number]> {
  const box = (await page.locator('.histogram').nth(histogram).locator('.bin-area').nth(bin).boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

it('bins have the numbers of the uploaded scores', async () => {
  const { page, problems } = await open(context, `${path}&charts=shown`);
  await page.waitForSelector('.histogram .bin');
  const distribution = (await api('EXPERIMENT', `/api/v1/datasets/${dataset}/comparison`, { experiment_ids: experiments.slice(1), baseline_experiment_id: experiments[0], experiment_id: experiments[1], feedback_key: 'correct', parts: ['distribution'] })).distribution;
  const shown = await counts(page, 0);
  expect(shown).toEqual(distribution.differences.map((bin: { count: number }) => bin.count));
  const zero = distribution.differences.findIndex((bin: { range: { gte?: number; lte?: number } }) => bin.range.gte === 0 && bin.range.lte === 0);
  const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0);
  expect([sum(shown.slice(0, zero)), shown[zero], sum(shown.slice(zero + 1))]).toEqual([differing(1, (one) => one < 0), differing(1, (one) => one === 0), differing(1, (one) => one > 0)]);
  expect(sum(await counts(page, 1))).toBe(EXAMPLES);
  expect(problems).toEqual([]);
  await page.close();
});

it('a click and a drag over bins select examples', async () => {
  const { page, problems } = await open(context, `${path}&charts=shown`);
  await page.waitForSelector('.histogram .bin');
  const zero = (await counts(page, 0)).indexOf(differing(1, (one) => one === 0));
  await page.mouse.click(...(await middle(page, 0, 0)));
  await page.waitForURL(/range=/);
  await examples(page, differing(1, (one) => one < 0));
  expect(await page.locator('.histogram').first().locator('.bin[aria-pressed=true]').count()).toBe(1);

  await page.mouse.move(...(await middle(page, 0, zero)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, 0, 0)), { steps: 5 });
  await page.mouse.up();
  await examples(page, differing(1, (one) => one <= 0));
  const address = page.url();
  await page.reload();
  await examples(page, differing(1, (one) => one <= 0));
  expect(page.url()).toBe(address);

  await page.click('.condition');
  await examples(page, EXAMPLES);
  expect(new URL(page.url()).searchParams.has('range')).toBe(false);
  expect(problems).toEqual([]);
  await page.close();
});

it('bins and cells are selected by keyboard alone', async () => {
  const { page, problems } = await open(context, path);
  await page.waitForSelector('.grid-body .clamp');
  await page.keyboard.press('d');
  await page.waitForURL(/charts=shown/);
  await page.locator('.histogram').nth(1).locator('.bin[tabindex="0"]').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await examples(page, differing(2, (one) => one < 0));
  await page.keyboard.press('Shift+End');
  await examples(page, EXAMPLES);
  expect(new URL(page.url()).searchParams.get('of')).toBe(experiments[2]);
  await page.locator('.scatter').first().locator('.cell[tabindex="0"]').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.waitForURL(/cell=/);
  await examples(page, differing(1, (one) => one < 0));
  expect(problems).toEqual([]);
  await page.close();
});

it('every candidate can be sorted and filtered by', async () => {
  const { page, problems } = await open(context, path);
  await page.waitForSelector('.grid-body .clamp');
  await page.locator('.grid-head button', { hasText: 'difference' }).nth(1).click();
  await page.waitForURL((url) => url.searchParams.get('by') === experiments[2] && url.searchParams.get('sort') === 'difference');
  await page.waitForSelector('.grid-body .grid-row[aria-rowindex="2"] .grid-cell:nth-child(4):has-text("−0.50")');
  await page.locator('.candidate').nth(1).locator('.counters .chip', { hasText: 'worse' }).click();
  await examples(page, differing(2, (one) => one < 0));
  await page.selectOption('[aria-label="Experiment to sort and filter by"]', experiments[1]!);
  await examples(page, differing(1, (one) => one < 0));
  expect(problems).toEqual([]);
  await page.close();
});
