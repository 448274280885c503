import { describe, expect, it } from 'vitest';
import { bins } from '../src/ui/charts';
import { advice, defaultKey, differenceKind, examplesNeeded, feedbackKeys, forestExtent, gateCommand, markdown, sentence, split, type Compared, type KeyStats } from '../src/compare/model';
import { Windows } from '../src/ui/windows';

const stats = (changes: Partial<KeyStats>): KeyStats =>
  ({ n: 40, avg: 0.5, stdev: 0.5, delta: -0.1, better: 5, worse: 9, same: 26, missing: 0, interval: [-0.3, 0.1], p_value: 0.3, verdict: 'cannot tell at n = 40', higher_is_better: true, ...changes }) as KeyStats;
const experiment = (feedback: Record<string, KeyStats>): Compared => ({ id: 'e', name: 'candidate | 2', run_count: 40, latency_p50: 1, error_rate: 0, feedback }) as Compared;

describe('verdicts', () => {
  it('are sentences with what they rest on', () => {
    expect(sentence('correct', stats({ verdict: 'worse', delta: -0.25 }))).toBe('Worse in correct, by 0.25 on average over 40 examples.');
    expect(sentence('correct', stats({}))).toBe('Too few examples to tell: correct differs by −0.10 on average over 40.');
    expect(sentence('correct', stats({ delta: null as never }))).toBe('No example has a correct score in both experiments.');
  });

  it('say how many examples would be needed', () => {
    // Standard deviation 0.645, difference 0.1: (2.8 * 0.645 / 0.1)^2 = 327, rounded up to 330.
    expect(examplesNeeded(stats({}))).toBe(330);
    expect(advice(stats({}))).toBe('About 330 examples would be needed to tell a difference of this size.');
    expect(advice(stats({ verdict: 'better' }))).toBeNull();
    expect(examplesNeeded(stats({ delta: 0 }))).toBeNull();
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
    expect(markdown('d', experiment({}), [experiment({ correct: stats({}) })])).toContain('| correct | 0.50 | −0.10 | −0.30 to +0.10 | 0.300 | 5 | 9 | 26 | cannot tell at n = 40 |');
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

describe('bins', () => {
  it('never mix better and worse', () => {
    const groups = bins([-1, -0.5, 0, 0, 0.05, 1]);
    expect(groups.reduce((sum, bin) => sum + bin.count, 0)).toBe(6);
    expect(groups.filter((bin) => bin.low < 0 && bin.high > 0)).toEqual([]);
    expect(groups.find((bin) => bin.low === 0 && bin.high === 0)?.count).toBe(2);
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
