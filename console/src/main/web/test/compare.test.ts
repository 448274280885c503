import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../src/api/client';
import { adjustedText, advice, correctionNote, defaultKey, differenceKind, feedbackKeys, forestExtent, gateCommand, isLostByCorrection, markdown, orderOf, parseCell, rowsRequest, sentence, split, type Compared, type KeyStats, type Selection } from '../src/compare/model';
import { Windows } from '../src/ui/windows';

const stats = (changes: Partial<KeyStats>): KeyStats =>
  ({ n: 40, avg: 0.5, stdev: 0.5, delta: -0.1, better: 5, worse: 9, same: 26, missing: 0, interval: [-0.3, 0.1], p_value: 0.3, p_adjusted: 0.3, n_needed: 327, verdict: 'cannot tell at n = 40', higher_is_better: true, ...changes }) as KeyStats;
const experiment = (feedback: Record<string, KeyStats>): Compared => ({ id: 'e', name: 'candidate | 2', run_count: 40, latency_p50: 1, error_rate: 0, feedback }) as Compared;

describe('verdicts', () => {
  it('are sentences with what they rest on', () => {
    expect(sentence('correct', stats({ verdict: 'worse', delta: -0.25 }))).toBe('Worse in correct, by 0.25 on average over 40 examples.');
    expect(sentence('correct', stats({}))).toBe('Too few examples to tell: correct differs by −0.10 on average over 40.');
    expect(sentence('correct', stats({ delta: null as never }))).toBe('No example has a correct score in both experiments.');
  });

  it('do not call the examples too few if the test is significant', () => {
    expect(sentence('correct', stats({ p_value: 0.0004 }))).toMatch(/^The average is uncertain: correct differs by −0\.10 on average over 40, but the interval contains zero, /);
    expect(sentence('correct', stats({ p_value: 0.05 }))).toMatch(/^Too few examples to tell: /);
    expect(sentence('correct', stats({ p_value: null as never }))).toMatch(/^Too few examples to tell: /);
  });

  it('say how many examples would be needed', () => {
    expect(advice(stats({}))).toBe('About 330 examples would be needed to tell a difference of this size.');
    expect(advice(stats({ n_needed: 8 }))).toBe('About 8 examples would be needed to tell a difference of this size.');
    expect(advice(stats({ n_needed: 20_000_000 }))).toBe('A difference this small cannot be told with any realistic number of examples.');
    expect(advice(stats({ verdict: 'better', n_needed: null as never }))).toBeNull();
    expect(advice(stats({ n_needed: null as never }))).toBeNull();
  });

  it('say which would not remain after the correction', () => {
    const lost = stats({ verdict: 'worse', p_value: 0.03, p_adjusted: 0.06 });
    const other = stats({ p_adjusted: 0.4 });
    expect([isLostByCorrection(lost), isLostByCorrection(other), isLostByCorrection(stats({ verdict: 'worse', p_adjusted: 0.01 }))]).toEqual([true, false, false]);
    expect(correctionNote({ correct: lost, other })).toBe("The verdict on correct (p = 0.060) would not remain after Holm's correction for 2 scores: of many scores, some differ by chance.");
    expect(correctionNote({ correct: lost, other: stats({ p_value: null as never }) })).toBeNull();
    expect(correctionNote({ correct: stats({ verdict: 'worse', p_adjusted: 0.01 }), other })).toBeNull();
    expect(adjustedText(lost, { correct: lost, other })).toBe("0.060 after Holm's correction for 2 scores");
    expect(adjustedText(lost, { correct: lost })).toBeNull();
  });

  it('choose the key to look at first', () => {
    const candidate = experiment({ b: stats({ verdict: 'better' }), a: stats({}), c: stats({ verdict: 'worse' }) });
    expect(feedbackKeys([candidate])).toEqual(['a', 'b', 'c']);
    expect(defaultKey([candidate], ['a', 'b', 'c'])).toBe('c');
  });

  it('know keys for which lower is better', () => {
    expect([differenceKind(1, true), differenceKind(1, false), differenceKind(0, true), differenceKind(null, true)]).toEqual(['better', 'worse', 'same', 'same']);
  });

  it('share an axis between scores of similar range', () => {
    const candidate = experiment({ a: stats({}), b: stats({ interval: [-0.1, 0.6] }), length: stats({ interval: [-40, 20] }) });
    expect([forestExtent([candidate], 'a'), forestExtent([candidate], 'b'), forestExtent([candidate], 'length')]).toEqual([0.6, 0.6, 40]);
  });
});

describe('copies', () => {
  it('escape names in Markdown', () => {
    expect(markdown('d', experiment({}), [experiment({ correct: stats({}) })])).toContain('| correct | 0.50 | −0.10 | −0.30 to +0.10 | 0.300 | 0.300 | 5 | 9 | 26 | cannot tell at n = 40 |');
    expect(markdown('d', undefined, [experiment({})])).toContain('candidate \\| 2');
  });

  it('contain no key', () => {
    expect(gateCommand('http://h', 'd', 'b', ['c'])).toContain('X-API-Key: $WAYBILL_API_KEY');
  });
});

describe('texts', () => {
  it('are split from other members', () => {
    expect(split({ answer: 'a', context: [1] })).toEqual({ text: 'a', rest: { context: [1] } });
    expect(split({ truth: 'a' })).toEqual({ text: 'a', rest: null });
    expect(split([1])).toEqual({ text: '[\n  1\n]', rest: null });
  });
});

describe('rows', () => {
  const lower = { ...experiment({ correct: stats({ higher_is_better: false }) }), id: 'c' };
  const selection: Selection = { key: 'correct', view: 'all', sort: 'worst', candidate: lower, brushed: lower, range: null, cell: null };
  const basis = { experiment_ids: ['c'], baseline_experiment_id: 'b' };

  it('are ordered from the worst', () => {
    expect(orderOf(selection)).toBe('-difference');
    expect(orderOf({ ...selection, candidate: experiment({ correct: stats({}) }) })).toBe('difference');
    expect(orderOf({ ...selection, sort: 'difference' })).toBe('difference');
    expect(orderOf({ ...selection, key: '' })).toBe('example');
  });

  it('are requested for one candidate', () => {
    expect(rowsRequest(basis, { ...selection, view: 'worse' })).toEqual({ ...basis, parts: ['rows'], sort: '-difference', experiment_id: 'c', filter: 'worse', feedback_key: 'correct' });
    expect(rowsRequest(basis, { ...selection, key: '', range: { gte: 0 } })).toEqual({ ...basis, parts: ['rows'], sort: 'example', experiment_id: 'c' });
  });

  it('are requested with what the charts select', () => {
    expect(rowsRequest(basis, { ...selection, range: { gt: -0.2, lte: 0 } }).difference_ranges).toEqual([{ experiment_id: 'c', gt: -0.2, lte: 0 }]);
    expect(rowsRequest(basis, { ...selection, cell: { baseline: { gte: 0, lt: 0.5 }, score: { gte: 0.5, lt: 1 } } }).score_ranges).toEqual([
      { experiment_id: 'b', gte: 0, lt: 0.5 },
      { experiment_id: 'c', gte: 0.5, lt: 1 },
    ]);
  });

  it('of a cell are read from the address', () => {
    expect(parseCell('0..<0.5/0.5..<1')).toEqual({ baseline: { gte: 0, lt: 0.5 }, score: { gte: 0.5, lt: 1 } });
    expect([parseCell(''), parseCell('0..1'), parseCell('0..1/x'), parseCell('0..1/0..1/0..1')]).toEqual([null, null, null, null]);
  });
});

describe('windows', () => {
  const build = (log: string[]) =>
    new Windows<number>(
      100,
      async (offset, signal) => {
        log.push(`read ${offset}`);
        signal.addEventListener('abort', () => log.push(`abort ${offset}`));
        await new Promise((resolve) => setTimeout(resolve, 5));
        return Array.from({ length: 100 }, (_, index) => offset + index);
      },
      () => undefined,
      4,
    );

  it('load what is in view and the next one', async () => {
    const log: string[] = [];
    const windows = build(log);
    windows.show(0, 20, 50_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(log).toEqual(['read 0', 'read 100']);
    expect([windows.at(5), windows.at(150), windows.at(300)]).toEqual([5, 150, undefined]);
    expect(windows.find((row) => row === 150)).toBe(150);
  });

  it('keep their rows while they are read again', async () => {
    const log: string[] = [];
    const windows = build(log);
    windows.show(0, 20, 150);
    await new Promise((resolve) => setTimeout(resolve, 20));
    windows.refresh();
    expect(windows.at(5)).toBe(5);
    expect(log).toEqual(['read 0', 'read 100', 'read 0', 'read 100']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    windows.show(0, 20, 150);
    expect(log).toHaveLength(4);
  });

  it('are read again after a service was away', async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const windows = new Windows<number>(100, async () => (attempts++ === 0 ? Promise.reject(new ApiError(503, 'away')) : [1]), () => undefined);
    windows.show(0, 0, 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(windows.error?.message).toBe('away');
    await vi.advanceTimersByTimeAsync(10_000);
    expect([windows.at(0), windows.error, attempts]).toEqual([1, undefined, 2]);
    vi.useRealTimers();
  });

  it('abort what left the view and keep memory bounded', async () => {
    const log: string[] = [];
    const windows = build(log);
    windows.show(0, 20, 50_000);
    windows.show(40_000, 40_020, 50_000);
    expect(log).toEqual(['read 0', 'read 100', 'abort 0', 'abort 100', 'read 40000', 'read 40100']);
    for (let first = 0; first < 2000; first += 100) {
      windows.show(first, first + 20, 50_000);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    expect(windows.at(50)).toBeUndefined();
    expect(windows.at(1950)).toBe(1950);
  });
});
