import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, environment, launch, open, signIn } from './console';
import { child, root, send, sessionOf, upload, type SentRow, type SentRun } from './sent';
import { expectFigure, facts, gridRows, numbersIn, tableRows } from './shown';
import { mean, percentile } from './statistics';

/** The figures of the pages, against calculations of the runs and rows that were sent. */

const HOUR = 3_600_000;
const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const NOW = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
const PROJECT = `figures ${NOW}`;
const TRACES = 48;

let browser: Browser;
let context: BrowserContext;
let workspace = '';
let project = '';
const traces: SentRun[][] = Array.from({ length: TRACES }, (_, index) => trace(index));
const runs = traces.flat();
const roots = traces.map((one) => one[0]!);
/** By name of the run. */
const feedback: Readonly<Record<string, readonly number[]>> = { 'trace 3': [0.5, 1], 'trace 20': [0.25], 'trace 47': [1, 0, 0] };

/** A trace whose root repeats the usage of its model calls, with a run that ends after the root and one without usage. */
function trace(index: number): SentRun[] {
  const start = NOW - (TRACES - 1 - index) * 2 * HOUR - (index % 7) * 60_000;
  const duration = 400 + ((index * 7_919) % 9_000);
  const usage = { prompt_tokens: 100 + index, completion_tokens: 20 + (index % 5), total_cost: 0.002 + index / 10_000 };
  const isStreamed = index % 3 !== 0;
  const first = root(PROJECT, start, duration, {
    name: `trace ${index}`,
    prompt_tokens: usage.prompt_tokens + 40,
    completion_tokens: usage.completion_tokens + 5,
    total_cost: usage.total_cost,
    ...(isStreamed ? { first_token_time: new Date(start + 90 + index * 3).toISOString() } : {}),
    ...(index % 6 === 5 ? { error: 'the agent failed' } : {}),
  });
  const agent = child(first, 10, duration - 20, { name: 'agent' });
  const call = child(agent, 20, duration - 100, { name: 'first call', run_type: 'llm', ...usage, first_token_time: new Date(start + 200).toISOString() });
  const parser = child(call, 30, 20, { name: 'parse', run_type: 'parser', prompt_tokens: 0, completion_tokens: 0, total_cost: 0 });
  const second = child(agent, duration / 2, 100, { name: 'second call', run_type: 'llm', prompt_tokens: 40, completion_tokens: 5 });
  const tool = child(second, 10, 50, { name: 'look up', run_type: 'tool', ...(index % 4 === 1 ? { error: 'the tool failed' } : {}) });
  const late = child(agent, duration - 50, 300, { name: 'late', run_type: 'tool', ...(index % 8 === 1 ? { error: 'too late' } : {}) });
  return [first, agent, call, parser, second, tool, late];
}

const seconds = (run: SentRun): number => (Date.parse(run.end_time!) - Date.parse(run.start_time)) / 1000;
const firstToken = (run: SentRun): number | null => (run.first_token_time ? (Date.parse(run.first_token_time) - Date.parse(run.start_time)) / 1000 : null);
const firstTokens = (list: readonly SentRun[]): number[] => list.map(firstToken).filter((one) => one !== null);
const failed = (list: readonly SentRun[]): SentRun[] => list.filter((run) => run.error !== undefined);
const tokens = (run: SentRun): number => (run.prompt_tokens ?? 0) + (run.completion_tokens ?? 0);
const cost = (run: SentRun): number => run.total_cost ?? 0;

const byId = new Map(runs.map((run) => [run.id, run]));

function ancestors(run: SentRun): SentRun[] {
  const parent = byId.get(run.parent_run_id ?? '');
  return parent ? [parent, ...ancestors(parent)] : [];
}

/** Usage counts once (docs/usage.md): that of a run only if no run below it has any. */
function once(list: readonly SentRun[], usage: (run: SentRun) => number): number {
  const repeated = new Set(list.filter((run) => usage(run) > 0).flatMap((run) => ancestors(run).map((one) => one.id)));
  return list.filter((run) => !repeated.has(run.id)).reduce((total, run) => total + usage(run), 0);
}

const KEYS = ['correct', 'helpful'];
const EXPERIMENTS = ['oldest', 'middle', 'newest'];
const DATASET = `figures of answers ${NOW}`;
const rowIds = Array.from({ length: 25 }, () => randomUUID());
const rows: readonly SentRow[][] = EXPERIMENTS.map((_, experiment) =>
  rowIds.map((id, index) => ({
    id,
    inputs: { question: `question ${index}` },
    expected: { answer: `reference ${index}` },
    outputs: { answer: `answer ${index} of ${experiment}` },
    duration: 300 + ((index * 331 + experiment * 97) % 2_500),
    ...((index + experiment) % 9 === 0 ? { error: 'no answer' } : {}),
    // The second experiment has no score in one key for some rows.
    scores: { correct: (index + experiment) % 4 === 0 ? 0 : 1, ...(experiment === 1 && index < 5 ? {} : { helpful: ((index * 7 + experiment * 3) % 11) / 10 }) },
  })),
);
let dataset = '';
let experiments: string[] = [];

const scores = (experiment: number, key: string): number[] => rows[experiment]!.map((row) => row.scores[key]).filter((one) => one !== undefined);

beforeAll(async () => {
  browser = await launch();
  // High enough that no row of a virtual table is left out.
  context = await browser.newContext({ viewport: { width: 1500, height: 2_600 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  await send(runs);
  project = await sessionOf(PROJECT);
  for (const [name, list] of Object.entries(feedback)) {
    for (const score of list) {
      await api('EXPERIMENT', '/api/v1/feedback', { run_id: roots.find((run) => run.name === name)!.id, key: 'quality', score });
    }
  }
  for (const [index, name] of EXPERIMENTS.entries()) {
    const sent = await upload({ name: `${name} ${NOW}`, dataset: DATASET, start: NOW - (EXPERIMENTS.length - index) * 24 * HOUR, rows: rows[index]! });
    dataset = sent.dataset;
    experiments = [...experiments, sent.experiment];
  }
}, 120_000);

afterAll(() => browser.close());

/** Opens a page, reads it and asserts that nothing went wrong. */
async function read(path: string, ready: string, action: (page: Page) => Promise<void>): Promise<void> {
  const { page, problems } = await open(context, workspace + path);
  await page.waitForSelector(ready, { state: 'attached' });
  await action(page);
  expect(problems).toEqual([]);
  await page.close();
}

describe('of a project', () => {
  const figures = (page: Page): Promise<Record<string, string>> => facts(page.locator('dl.figures'));

  async function expectFigures(page: Page, selected: readonly SentRun[], label: 'traces' | 'runs', used: readonly SentRun[], suffix = ''): Promise<void> {
    await page.waitForFunction(() => ![...document.querySelectorAll('dl.figures dd')].some((one) => one.textContent === '–' || one.querySelector('.skeleton')));
    const shown = await figures(page);
    expectFigure(shown[label], selected.length, label);
    expectFigure(shown['errors'], failed(selected).length / selected.length, 'errors');
    expectFigure(shown['p50'], percentile(selected.map(seconds), 0.5), 'p50');
    expectFigure(shown['p99'], percentile(selected.map(seconds), 0.99), 'p99');
    expectFigure(shown['first token p50'], percentile(firstTokens(selected), 0.5), 'first token');
    expectFigure(shown[`tokens${suffix}`], once(used, tokens), 'tokens');
    expectFigure(shown[`cost${suffix}`], once(used, cost), 'cost');
  }

  it('cover its traces', () => read(`/projects/${project}`, '.grid-body .run-name', (page) => expectFigures(page, roots, 'traces', runs)));

  it('cover all of its runs', () => read(`/projects/${project}?scope=runs`, '.grid-body .run-name', (page) => expectFigures(page, runs, 'runs', runs)));

  it('cover the selected time', async () => {
    const [from, to] = [NOW - 30 * HOUR, NOW - 6 * HOUR];
    const within = (run: SentRun): boolean => Date.parse(run.start_time) >= from && Date.parse(run.start_time) < to;
    await read(`/projects/${project}?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`, '.grid-body .run-name', (page) => expectFigures(page, roots.filter(within), 'traces', runs.filter(within)));
  });

  it('cover the runs that match a filter', () =>
    read(`/projects/${project}?filter=${encodeURIComponent('eq(status, "error")')}`, '.grid-body .run-name', (page) => expectFigures(page, failed(roots), 'traces', failed(roots), ' of root runs')));

  it('are those of each bucket in the charts', () =>
    read(`/projects/${project}`, '.activity .chart-data table', async (page) => {
      const details = page.locator('.activity .chart-data');
      const [, length, unit] = /, (\d+)([mhd]) /.exec(await details.locator('summary').innerText())!;
      const step = Number(length) * SECONDS[unit!]! * 1000;
      const buckets = await tableRows(details.locator('table'));
      let counted = 0;
      for (const bucket of buckets) {
        const from = Date.parse(`${bucket['from (utc)']!.replace(' ', 'T')}Z`);
        const own = roots.filter((run) => Date.parse(run.start_time) >= from && Date.parse(run.start_time) < from + step);
        counted += own.length;
        expectFigure(bucket['runs'], own.length, `runs from ${bucket['from (utc)']}`);
        expectFigure(bucket['errors'], own.length ? failed(own).length / own.length : 0, `errors from ${bucket['from (utc)']}`);
        expectFigure(bucket['p50'], percentile(own.map(seconds), 0.5), `p50 from ${bucket['from (utc)']}`);
        expectFigure(bucket['p99'], percentile(own.map(seconds), 0.99), `p99 from ${bucket['from (utc)']}`);
      }
      expect(counted).toBe(TRACES);
    }));

  it('are those of each run in the table', () =>
    read(`/projects/${project}?columns=latency,first_token,tokens,token_parts,cost,feedback`, '.grid-body .run-name', async (page) => {
      const shown = await gridRows(page, 'Runs');
      expect(shown).toHaveLength(TRACES);
      for (const [index, run] of [...roots].reverse().entries()) {
        const row = shown[index]!;
        expect(row['Name']).toContain(run.name);
        expectFigure(row['Duration'], seconds(run), `duration of ${run.name}`);
        expectFigure(row['First token'], firstToken(run), `first token of ${run.name}`);
        expectFigure(row['Tokens'], tokens(run), `tokens of ${run.name}`);
        expect(numbersIn(row['In / out']!), run.name).toEqual([String(run.prompt_tokens), String(run.completion_tokens)]);
        expectFigure(row['Cost'], cost(run), `cost of ${run.name}`);
        const given = feedback[run.name];
        expectFigure(numbersIn(row['Feedback']!)[0] ?? '', given ? mean(given) : null, `feedback of ${run.name}`);
      }
    }));

  it('are those in the list of projects', () =>
    read(`/projects?q=${encodeURIComponent(PROJECT)}`, '.grid-body .list-link', async (page) => {
      const row = (await gridRows(page, 'Projects')).find((one) => one['Project'] === PROJECT)!;
      expectFigure(row['Traces'], TRACES, 'traces');
      expectFigure(row['Errors'], failed(roots).length / TRACES, 'errors');
      expectFigure(row['p50'], percentile(roots.map(seconds), 0.5), 'p50');
      expectFigure(row['p99'], percentile(roots.map(seconds), 0.99), 'p99');
      expectFigure(row['Tokens'], once(runs, tokens), 'tokens');
      expectFigure(row['Cost'], once(runs, cost), 'cost');
    }));
});

describe('of a trace', () => {
  const below = (run: SentRun, list: readonly SentRun[]): SentRun[] => list.filter((other) => ancestors(other).includes(run));

  it.each([9, 17, 40, 47])('%i are rolled up', async (index) => {
    const own = traces[index]!;
    const start = Math.min(...own.map((run) => Date.parse(run.start_time)));
    const duration = (Math.max(...own.map((run) => Date.parse(run.end_time!))) - start) / 1000;
    await read(`/traces/${own[0]!.id}`, '.tree-row', async (page) => {
      const head = await facts(page.locator('.page-head dl'));
      expectFigure(head['duration'], duration, 'duration');
      expectFigure(head['runs'], own.length, 'runs');
      expectFigure(head['errors'] ?? '0', failed(own).length, 'errors');
      expectFigure(head['tokens'], once(own, tokens), 'tokens');
      expectFigure(head['cost'], once(own, cost), 'cost');
      for (const run of own) {
        const row = page.getByRole('treegrid').getByRole('row').filter({ has: page.getByText(run.name, { exact: true }) });
        await expectTreeRow(row, run, below(run, own), start, duration);
      }
    });
  });

  async function expectTreeRow(row: Locator, run: SentRun, descendants: readonly SentRun[], start: number, duration: number): Promise<void> {
    const [name, time] = (await row.getByRole('gridcell').allInnerTexts()) as [string, string];
    expectFigure(time, seconds(run), `duration of ${run.name}`);
    const errors = failed(descendants).length;
    expect(/([\d,]+) ↓/.exec(name)?.[1] ?? '0', `errors below ${run.name}`).toBe(String(errors));
    expect(/\berror\b/i.test(name), `error of ${run.name}`).toBe(run.error !== undefined);
    expect(await row.getAttribute('aria-level')).toBe(String(ancestors(run).length + 1));
    const bar = await row.locator('.tree-bar').evaluate((element) => [Number.parseFloat((element as HTMLElement).style.left), Number.parseFloat((element as HTMLElement).style.width)]);
    expect(bar[0]!, `start of the bar of ${run.name}`).toBeCloseTo((Date.parse(run.start_time) - start) / duration / 10, 3);
    expect(bar[1]!, `length of the bar of ${run.name}`).toBeCloseTo(Math.max(0.4, (seconds(run) / duration) * 100), 3);
  }

  it('are those of the selected run', async () => {
    const call = traces[20]!.find((run) => run.name === 'first call')!;
    await read(`/traces/${call.trace_id}?run=${call.id}`, '.trace-right dl', async (page) => {
      const shown = await facts(page.locator('.trace-right dl').first());
      expectFigure(shown['duration'], seconds(call), 'duration');
      expectFigure(shown['first token'], firstToken(call), 'first token');
      expect(numbersIn(shown['tokens']!)).toEqual([tokens(call), call.prompt_tokens, call.completion_tokens].map(String));
      expectFigure(shown['cost'], cost(call), 'cost');
    });
  });
});

describe('of the start page', () => {
  it('are those of the project that ran last', async () => {
    const name = `figures of the start page ${NOW}`;
    const start = Date.now() - 1_000;
    const latest = Array.from({ length: 5 }, (_, index) => root(name, start + index * 100, 400 + index * 150, { name: `latest ${index}`, ...(index % 2 === 1 ? { error: 'the agent failed' } : {}) }));
    await send(latest);
    await read('', '.card table', async (page) => {
      const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Projects' }) });
      await card.locator('tr').filter({ hasText: name }).waitFor();
      const row = (await tableRows(card.locator('table'))).find((one) => one['project'] === name)!;
      expectFigure(row['traces'], latest.length, 'traces');
      expectFigure(row['errors'], failed(latest).length / latest.length, 'errors');
      expectFigure(row['p50'], percentile(latest.map(seconds), 0.5), 'p50');
      const newest = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Newest failed traces' }) });
      await newest.locator('tr').filter({ hasText: name }).first().waitFor();
      expect(await newest.locator('tr').filter({ hasText: name }).locator('a').allInnerTexts()).toEqual(['latest 3', 'latest 1']);
    });
  });

  it('count examples and experiments', () =>
    read('', '.card table', async (page) => {
      const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Datasets' }) });
      const row = card.locator('tr').filter({ hasText: DATASET });
      expect(await row.innerText()).toMatch(new RegExp(`\\b${rowIds.length} examples[\\s\\S]*\\b${EXPERIMENTS.length} experiments`));
    }));
});

describe('of datasets', () => {
  it('count examples and experiments', () =>
    read(`/datasets?q=${encodeURIComponent(DATASET)}`, '.grid-body .list-link', async (page) => {
      const row = (await gridRows(page, 'Datasets')).find((one) => one['Dataset'] === DATASET)!;
      expectFigure(row['Examples'], rowIds.length, 'examples');
      expectFigure(row['Experiments'], EXPERIMENTS.length, 'experiments');
    }));

  it('are those of each experiment', () =>
    read(`/datasets/${dataset}`, '.experiments .table', async (page) => {
      const shown = await tableRows(page.locator('.experiments .table'));
      expect(shown.map((row) => row['experiment'])).toEqual([...EXPERIMENTS].reverse().map((name) => `${name} ${NOW}`));
      for (const [index, name] of EXPERIMENTS.entries()) {
        const row = shown.find((one) => one['experiment'] === `${name} ${NOW}`)!;
        const own = rows[index]!;
        KEYS.forEach((key) => expectFigure(row[key], mean(scores(index, key)), `${key} of ${name}`));
        expectFigure(row['runs'], own.length, `runs of ${name}`);
        expectFigure(row['errors'], own.filter((one) => one.error).length / own.length, `errors of ${name}`);
        expectFigure(row['p50'], percentile(own.map((one) => one.duration! / 1000), 0.5), `p50 of ${name}`);
      }
    }));

  it.each(KEYS)('show %s over time', (key) =>
    read(`/datasets/${dataset}`, '.histories figure', async (page) => {
      const chart = page.locator('.histories figure').filter({ has: page.locator('figcaption', { hasText: key }) });
      const points = await chart.locator('circle').evaluateAll((circles) => circles.map((one) => ({ y: Number(one.getAttribute('cy')), title: one.querySelector('title')?.textContent ?? '' })));
      const lines = await chart.locator('a line').evaluateAll((list) => list.map((one) => ['y1', 'y2'].map((name) => Number(one.getAttribute(name)))));
      expect(points).toHaveLength(EXPERIMENTS.length);
      const averages = EXPERIMENTS.map((_, index) => mean(scores(index, key)));
      const margins = EXPERIMENTS.map((_, index) => margin(scores(index, key)));
      // Averages and ends of intervals lie on one linear scale.
      const scale = (points[0]!.y - lines[0]![0]!) / margins[0]!;
      for (const [index, point] of points.entries()) {
        const [, average, own] = /: (\S+) ± (\S+)$/.exec(point.title)!;
        expect(point.title).toContain(EXPERIMENTS[index]!);
        expectFigure(average, averages[index]!, `${key} of ${EXPERIMENTS[index]}`);
        expectFigure(own, margins[index]!, `margin of ${EXPERIMENTS[index]}`);
        expect(point.y).toBeCloseTo(points[0]!.y + (averages[index]! - averages[0]!) * scale, 3);
        expect(Math.abs(lines[index]![0]! - lines[index]![1]!)).toBeCloseTo(Math.abs(2 * margins[index]! * scale), 3);
      }
    }),
  );

  /** Half the width of the normal 95 % interval of a mean. */
  function margin(values: readonly number[]): number {
    const variance = values.reduce((total, value) => total + (value - mean(values)) ** 2, 0) / (values.length - 1);
    return 1.96 * Math.sqrt(variance / values.length);
  }

  it('are those of each run of an example', () =>
    read(`/datasets/${dataset}/examples/${rowIds[9]}`, '.badges', async (page) => {
      const shown = await tableRows(page.locator('main .table'));
      expect(shown).toHaveLength(EXPERIMENTS.length);
      for (const [index, name] of EXPERIMENTS.entries()) {
        const row = shown.find((one) => one['experiment'] === `${name} ${NOW}`)!;
        const sent = rows[index]![9]!;
        expect(row['output']).toBe(sent.error ?? `answer 9 of ${index}`);
        expectFigure(row['duration'], sent.duration! / 1000, `duration in ${name}`);
        for (const key of KEYS) {
          expectFigure(new RegExp(`${key} (\\S+?)(?=[a-z]|$| )`).exec(row['scores']!)?.[1], sent.scores[key] ?? null, `${key} in ${name}`);
        }
      }
    }));

  it('count the tabs of a dataset', () =>
    read(`/datasets/${dataset}`, '[role=tab]', async (page) => {
      const tabs = await page.getByRole('tab').allInnerTexts();
      expect(tabs.map((tab) => tab.replace(/\s+/g, ' '))).toEqual([`Experiments ${EXPERIMENTS.length}`, `Examples ${rowIds.length}`]);
      expect(experiments).toHaveLength(EXPERIMENTS.length);
    }));
});
