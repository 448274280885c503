import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, environment, launch, open, signIn } from './console';
import { upload, type SentRow } from './sent';
import { expectFigure, expectNear, gridRows, numbersIn, tableRows } from './shown';
import { bootstrapError, bootstrapInterval, holm, mean, pairsNeeded, percentile, pValue, studentInterval } from './statistics';

/** The figures of a comparison, against the documented statistics of the uploaded scores. */

const NOW = Date.now();
const DAY = 86_400_000;
const EXAMPLES = 60;
const NAMES = ['baseline', 'first', 'second'];
/** Fewer pairs, all of them with differences of another size. */
const FEW = 20;

/** Scores by key, of an example in an experiment; undefined if it has none. */
const SCORES: Readonly<Record<string, (example: number, experiment: number) => number | undefined>> = {
  // Differences of one size.
  correct: (example, experiment) => (example % 3 === 0 || (experiment === 1 && example % 5 === 1) || (experiment === 2 && example % 4 === 1 && example < 20) ? 0 : 1),
  // Differences of few sizes.
  graded: (example, experiment) => (((example * 7) % 6) + (experiment === 0 ? 0 : experiment === 1 ? (example % 4) - 1 : ((example * 7) % 5) - 1)) / 4,
  // Differences of many sizes; scores are missing in each experiment.
  similarity: (example, experiment) => (example < FEW ? (experiment === 0 ? 0 : ((example % 3 === 0 ? -1 : 1) * (2 * example + 3 * experiment)) / 64) : example < FEW + 7 === (experiment === 0) ? 0.25 : undefined),
  // Lower is better.
  words: (example, experiment) => 100 + ((example * 37) % 50) - (experiment === 1 ? 12 + ((example * 11) % 17) : experiment === 2 ? ((example * 13) % 10) - 4 : 0),
};
const KEYS = Object.keys(SCORES);
const LOWER_IS_BETTER = ['words'];

let browser: Browser;
let context: BrowserContext;
let workspace = '';
let dataset = '';
let experiments: string[] = [];
const ids = Array.from({ length: EXAMPLES }, () => randomUUID());
const rows: readonly SentRow[][] = NAMES.map((_, experiment) => ids.map((id, example) => row(id, example, experiment)));

function row(id: string, example: number, experiment: number): SentRow {
  return {
    id,
    inputs: { question: `question ${example}` },
    expected: { answer: `reference ${example}` },
    outputs: { answer: `answer ${example} of ${experiment}` },
    duration: 200 + ((example * 173 + experiment * 41) % 1_900),
    ...((example + experiment) % 13 === 0 ? { error: 'no answer' } : {}),
    scores: Object.fromEntries(KEYS.flatMap((key) => (SCORES[key]!(example, experiment) === undefined ? [] : [[key, SCORES[key]!(example, experiment)!]]))),
  };
}

const values = (key: string, experiment: number): (number | undefined)[] => rows[experiment]!.map((one) => one.scores[key]);
const known = (list: readonly (number | undefined)[]): number[] => list.filter((one) => one !== undefined);

/** Differences of the examples with a score in both. */
function differences(key: string, experiment: number): number[] {
  const base = values(key, 0);
  return values(key, experiment).flatMap((value, index) => (value === undefined || base[index] === undefined ? [] : [value - base[index]]));
}

/** The documented verdict: the interval excludes zero, and the test is significant. */
function verdict(key: string, experiment: number): 'better' | 'worse' | 'cannot tell' {
  const list = differences(key, experiment);
  const [low, high] = bootstrapInterval(list);
  if (pValue(list) >= 0.05 || (low <= 0 && high >= 0)) {
    return 'cannot tell';
  }
  return low > 0 === !LOWER_IS_BETTER.includes(key) ? 'better' : 'worse';
}

const isBetter = (key: string, difference: number): boolean => (LOWER_IS_BETTER.includes(key) ? difference < 0 : difference > 0);

function counters(key: string, experiment: number): Record<string, number> {
  const list = differences(key, experiment);
  const better = list.filter((one) => isBetter(key, one)).length;
  const same = list.filter((one) => one === 0).length;
  const missing = values(key, experiment).filter((value, index) => (value === undefined) !== (values(key, 0)[index] === undefined)).length;
  return { worse: list.length - better - same, better, same, missing };
}

beforeAll(async () => {
  browser = await launch();
  // High enough that no row of the virtual table is left out.
  context = await browser.newContext({ viewport: { width: 1500, height: 5_200 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  const name = `figures of comparisons ${NOW}`;
  for (const [index, one] of NAMES.entries()) {
    const sent = await upload({ name: `${one} ${NOW}`, dataset: name, start: NOW - (NAMES.length - index) * DAY, rows: rows[index]! });
    dataset = sent.dataset;
    experiments = [...experiments, sent.experiment];
  }
  await api('EXPERIMENT', `/api/v1/datasets/${dataset}`, { higher_is_better: Object.fromEntries(LOWER_IS_BETTER.map((key) => [key, false])) }, { method: 'PATCH' });
}, 120_000);

afterAll(() => browser.close());

async function compare(parameters: string, action: (page: Page) => Promise<void>): Promise<void> {
  const { page, problems } = await open(context, `${workspace}/datasets/${dataset}/compare?base=${experiments[0]}&with=${experiments[1]},${experiments[2]}${parameters}`);
  await page.waitForSelector('.forest-table tbody tr', { state: 'attached' });
  await page.waitForSelector('.grid-body .clamp');
  await action(page);
  expect(problems).toEqual([]);
  await page.close();
}

const card = (page: Page, experiment: number): Locator => page.getByRole('region', { name: `Experiment ${NAMES[experiment]} ${NOW}` });

describe.each([1, 2])('of candidate %i', (experiment) => {
  it('are averages, differences, p and n by key', () =>
    compare('', async (page) => {
      const shown = await tableRows(card(page, experiment).locator('table'));
      expect(shown.map((one) => one['score']!.split(' ')[0])).toEqual([...KEYS].sort());
      for (const key of KEYS) {
        const line = shown.find((one) => one['score']!.startsWith(key))!;
        const list = differences(key, experiment);
        expectFigure(line['baseline'], mean(known(values(key, 0))), `average of the baseline in ${key}`);
        expectFigure(line['average'], mean(known(values(key, experiment))), `average in ${key}`);
        expectFigure(line['difference'], mean(list), `difference in ${key}`);
        expectFigure(line['n'], known(values(key, experiment)).length, `n of ${key}`);
        expectProbability(line['p']!, pValue(list), `p of ${key}`);
      }
    }));

  it('are intervals that the plot shows as well', () =>
    compare('', async (page) => {
      const lines = card(page, experiment).locator('table tbody tr');
      const shown = await tableRows(card(page, experiment).locator('table'));
      for (const [index, line] of shown.entries()) {
        const key = line['score']!.split(' ')[0]!;
        const list = differences(key, experiment);
        const expected = bootstrapInterval(list);
        const ends = line['95 % interval']!.split(' to ');
        expectNear(ends[0]!, expected[0], bootstrapError(list), `lower end of ${key}`);
        expectNear(ends[1]!, expected[1], bootstrapError(list), `upper end of ${key}`);
        const plot = await lines.nth(index).locator('svg').evaluate((svg) => {
          const number = (element: Element, name: string): number => Number(element.getAttribute(name));
          const [zero, range] = [...svg.querySelectorAll('line')] as [Element, Element];
          const mark = svg.querySelector('rect')!;
          return { zero: number(zero, 'x1'), low: number(range, 'x1'), high: number(range, 'x2'), value: number(mark, 'x') + number(mark, 'width') / 2 };
        });
        // Positions relative to the line of no difference are proportional to the values.
        const scale = (plot.value - plot.zero) / mean(list);
        expectNear(ends[0]!, (plot.low - plot.zero) / scale, 1e-6, `lower end of ${key} in the plot`);
        expectNear(ends[1]!, (plot.high - plot.zero) / scale, 1e-6, `upper end of ${key} in the plot`);
      }
    }));

  it.each(KEYS)('are a verdict and counters in %s', (key) =>
    compare(`&key=${key}`, async (page) => {
      const region = card(page, experiment);
      const kind = verdict(key, experiment);
      const list = differences(key, experiment);
      expect(await region.locator('.badge').first().innerText()).toBe(kind);
      const text = await region.locator('.verdict').innerText();
      expect(text).toMatch(kind === 'better' ? /^Better/ : kind === 'worse' ? /^Worse/ : /^(Too few|No average|The average is uncertain)/);
      const [size, pairs] = numbersIn(text);
      expectFigure(size, kind === 'cannot tell' ? mean(list) : Math.abs(mean(list)), `difference in words in ${key}`);
      expectFigure(pairs, list.length, `pairs in words in ${key}`);
      const buttons = await region.locator('.counters button').allInnerTexts();
      const found = Object.fromEntries(buttons.map((one) => [one.trim().split(/\s+/).at(-1), Number(numbersIn(one)[0])]));
      expect(found).toEqual(counters(key, experiment));
      if (kind === 'cannot tell' && mean(list) !== 0) {
        const needed = pairsNeeded(list);
        const unit = 10 ** Math.max(0, Math.floor(Math.log10(needed)) - 1);
        const advice = /About ([\d,]+) examples/.exec(await region.innerText())?.[1];
        expect(advice).toBe((Math.ceil(needed / unit) * unit).toLocaleString('en'));
      }
    }),
  );

  it('are p-values after the correction for several keys', () =>
    compare('', async (page) => {
      const titles = await card(page, experiment).locator('table tbody tr').evaluateAll((list) => list.map((line) => [line.querySelector('td a')!.textContent!, line.querySelector('td[title*=Holm]')?.getAttribute('title') ?? '']));
      const adjusted = holm(KEYS.map((key) => pValue(differences(key, experiment))));
      expect(titles).toHaveLength(KEYS.length);
      for (const [key, title] of titles) {
        expectProbability(title!.split(' after ')[0]!, adjusted[KEYS.indexOf(key!)]!, `corrected p of ${key}`);
      }
    }));

  it('are runs, durations and errors', () =>
    compare('', async (page) => {
      const text = await card(page, experiment).locator('footer').innerText();
      const own = rows[experiment]!;
      const [, runs, p50, base, errors] = /([\d,]+) runs\s+p50 ([\d.]+ m?s)\s+\(baseline ([\d.]+ m?s)\)\s+([\d.]+ %) errors/.exec(text.replace(/\s+/g, ' '))!;
      const duration = (index: number): number | null => percentile(rows[index]!.map((one) => one.duration! / 1000), 0.5);
      expectFigure(runs, own.length, 'runs');
      expectFigure(p50, duration(experiment), 'p50');
      expectFigure(base, duration(0), 'p50 of the baseline');
      expectFigure(errors, own.filter((one) => one.error).length / own.length, 'errors');
    }));

  it.each(KEYS)('are bins of %s', (key) =>
    compare(`&charts=shown&key=${key}`, async (page) => {
      const list = differences(key, experiment);
      const histogram = page.locator('figure').filter({ has: page.locator('.histogram') }).nth(experiment - 1);
      const bins = await tableRows(histogram.locator('table'));
      const heights = await histogram.locator('.bin-bar').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
      const most = Math.max(...bins.map((bin) => Number(bin['examples'])));
      for (const [index, bin] of bins.entries()) {
        expectFigure(bin['examples'], list.filter((one) => isIn(bin['difference']!, one)).length, `examples with ${bin['difference']} in ${key}`);
        expect(heights[index]! / Math.max(...heights)).toBeCloseTo(Number(bin['examples']) / most, 6);
      }
      expect(bins.reduce((total, bin) => total + Number(bin['examples']), 0)).toBe(list.length);
    }),
  );

  it('are pairs of scores', () =>
    compare('&charts=shown&key=correct', async (page) => {
      const scatter = page.locator('figure').filter({ has: page.locator('.scatter') }).nth(experiment - 1);
      const cells = (await tableRows(scatter.locator('table'))).map((cell) => Object.values(cell).map(Number));
      const base = values('correct', 0);
      const own = values('correct', experiment);
      const expected = [0, 1].flatMap((before) => [0, 1].map((after) => [before, after, own.filter((value, index) => value === after && base[index] === before).length])).filter((cell) => cell[2]! > 0);
      expect(cells).toEqual(expected);
    }));
});

/** Whether a difference is in a bin, as the page describes it: bounds at zero are excluded, the others are near to zero included. */
function isIn(text: string, difference: number): boolean {
  if (text === 'no difference') {
    return difference === 0;
  }
  const [low, high] = text.split(' to ').map((one) => Number(one.replace('\u2212', '-').replace(',', ''))) as [number, number];
  const epsilon = 1e-9;
  return difference > 0 ? high > 0 && difference >= low - epsilon && difference < high - epsilon : low < 0 && difference > low + epsilon && difference <= high + epsilon && difference < 0;
}

function expectProbability(text: string, expected: number, what: string): void {
  const shown = text.replace('*', '').trim();
  if (shown.startsWith('<')) {
    expect(expected, what).toBeLessThan(0.001);
  } else {
    expectFigure(shown, expected, what);
  }
}

describe('of the rows', () => {
  it.each(KEYS)('are scores and differences in %s', (key) =>
    compare(`&key=${key}&sort=example`, async (page) => {
      const shown = await gridRows(page, 'Compared examples');
      expect(shown).toHaveLength(EXAMPLES);
      for (const line of shown) {
        const example = Number(numbersIn(line['Example']!)[0]);
        const base = values(key, 0)[example];
        expectFigure(line['Base'], base ?? null, `baseline of ${example}`);
        for (const [index, letter] of ['A', 'B'].entries()) {
          const score = values(key, index + 1)[example];
          const [own = '–', difference = ''] = numbersIn(line[`${letter} Difference`]!);
          expectFigure(own, score ?? null, `score of ${example} in ${letter}`);
          const expected = score === undefined || base === undefined || score === base ? null : score - base;
          expectFigure(difference, expected, `difference of ${example} in ${letter}`);
          const mark = expected === null ? (score === base ? '=' : '∅') : isBetter(key, expected) ? '▲' : '▼';
          expect(line[`${letter} Difference`], `mark of ${example}`).toContain(score === undefined && base === undefined ? '∅' : mark);
        }
      }
    }),
  );

  it('are sorted from the worst', () =>
    compare('&key=words&sort=worst', async (page) => {
      const shown = (await gridRows(page, 'Compared examples')).map((line) => Number(numbersIn(line['Example']!)[0]));
      const difference = (example: number): number => values('words', 1)[example]! - values('words', 0)[example]!;
      const found = shown.map(difference);
      expect(found).toEqual([...found].sort((a, b) => b - a));
      expect(new Set(shown).size).toBe(EXAMPLES);
    }));

  it('are those of the panel', () =>
    compare(`&row=${ids[4]}`, async (page) => {
      await page.waitForSelector('.panel .output');
      const shown = (await tableRows(page.locator('.panel table').last())).filter((line) => line['a'] !== undefined);
      for (const line of shown) {
        const key = line['score']!;
        const [base, first, second] = [0, 1, 2].map((experiment) => values(key, experiment)[4]);
        expectFigure(line['baseline'], base ?? null, `baseline in ${key}`);
        expectFigure(numbersIn(line['a']!)[0] ?? '', first ?? null, `A in ${key}`);
        expectFigure(numbersIn(line['b']!)[0] ?? '', second ?? null, `B in ${key}`);
        expectFigure(numbersIn(line['b']!)[1] ?? '', second === undefined || base === undefined || second === base ? null : second - base, `difference of B in ${key}`);
      }
      expect(shown).toHaveLength(KEYS.length);
    }));
});

it('are those of the downloaded table', () =>
  compare('', async (page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) {
      chunks.push(chunk as Buffer);
    }
    const [titles, ...lines] = Buffer.concat(chunks).toString().trim().replaceAll('"', '').split(/\r?\n/).map((line) => line.split(','));
    expect(lines).toHaveLength(EXAMPLES * NAMES.length);
    const column = (name: string): number => titles!.findIndex((title) => title.includes(name));
    for (const [experiment, name] of NAMES.entries()) {
      const own = lines.filter((line) => line.includes(`${name} ${NOW}`));
      expect(own).toHaveLength(EXAMPLES);
      const total = own.reduce((sum, line) => sum + Number(line[column('correct')]), 0);
      expect(total).toBe(known(values('correct', experiment)).reduce((sum, one) => sum + one, 0));
    }
  }));

describe('of more than 2,000 pairs', () => {
  const MANY = 2_100;
  const score = (example: number, experiment: number): number => ((example * 7_919 + experiment * 104_729) % 1_000) / 1_000 + (experiment === 1 ? 0.03 : 0);

  it('use the normal distribution of the mean', async () => {
    const many = Array.from({ length: MANY }, () => randomUUID());
    const sent = [];
    for (const experiment of [0, 1]) {
      sent.push(await upload({ name: `many ${experiment} ${NOW}`, dataset: `many pairs ${NOW}`, start: NOW - (2 - experiment) * DAY, rows: many.map((id, example) => ({ id, inputs: { question: example }, outputs: { answer: example }, scores: { similarity: score(example, experiment) } })) }));
    }
    const list = many.map((_, example) => score(example, 1) - score(example, 0));
    const { page, problems } = await open(context, `${workspace}/datasets/${sent[0]!.dataset}/compare?base=${sent[0]!.experiment}&with=${sent[1]!.experiment}`);
    const [line] = await tableRows(page.locator('.forest-table'));
    expectFigure(line!['difference'], mean(list), 'difference');
    expectFigure(line!['n'], MANY, 'n');
    const ends = line!['95 % interval']!.split(' to ');
    studentInterval(list).forEach((end, index) => expectFigure(ends[index], end, `end ${index} of the interval`));
    expectProbability(line!['p']!, pValue(list), 'p');
    expect(problems).toEqual([]);
    await page.close();
  });
});
