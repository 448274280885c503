import { describe, expect, it } from 'vitest';
import { absolute, ago, clock, cost, decimal, excerpt, isolated, isRecent, percent, probability, score, seconds, signed, timeAndSecond } from '../src/ui/format';
import { pieces } from '../src/ui/long-text';

describe('numbers', () => {
  it('shows averages with the digits that their size needs', () => {
    expect([0, 1, 0.625, -0.15, 123.46, 12345.6, 0.0012, null, Number.NaN].map(decimal)).toEqual(['0', '1.00', '0.63', '−0.15', '123.5', '12,346', '0.0012', '–', '–']);
  });

  it('shows whole scores without decimals and differences with their sign', () => {
    expect([1, -4, 0.5].map(score)).toEqual(['1', '−4', '0.50']);
    expect([1, -1, 0, 0.25].map(signed)).toEqual(['+1', '−1', '0', '+0.25']);
  });

  it('shows probabilities, shares and costs', () => {
    expect([0.0004, 0.021, 1].map(probability)).toEqual(['< 0.001', '0.021', '1.000']);
    expect([0, 0.034, 0.5, 1].map(percent)).toEqual(['0 %', '3.4 %', '50 %', '100 %']);
    expect(['0', '0.00034', '0.017', '12.3'].map(cost)).toEqual(['$0', '$0.00034', '$0.017', '$12.30']);
  });
});

describe('long texts', () => {
  it('are split without changes, and not within a character', () => {
    const text = `${'a'.repeat(9)}😀${'b'.repeat(11)}`;
    expect(pieces(text, 10)).toEqual([`${'a'.repeat(9)}😀`, 'b'.repeat(10), 'b']);
    expect(pieces('')).toEqual([]);
  });
});

describe('names in sentences', () => {
  it('do not change the direction of other words', () => {
    expect(isolated('plain name')).toBe('plain name');
    expect(isolated('\u2069\u202Ereversed')).toBe('reversed');
    expect(isolated('שלום')).toBe('\u2068שלום\u2069');
  });
});

describe('times', () => {
  it('shows log lines with their second', () => {
    expect(timeAndSecond('2026-01-05T09:05:07.250Z')).toMatch(/^\d\d:05:07$/);
  });

  it('shows durations from milliseconds to hours', () => {
    expect([0, 0.0004, 0.25, 2.345, 33.46, 143.4, 4000].map(seconds)).toEqual(['0 ms', '< 1 ms', '250 ms', '2.35 s', '33.5 s', '2 min 23 s', '1 h 6 min']);
  });

  it('shows recent times relative to now and older ones as dates', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    expect(ago('2026-03-01T11:59:30Z', now)).toBe('just now');
    expect(ago('2026-03-01T11:55:00Z', now)).toBe('5m ago');
    expect(ago('2025-03-01T12:00:00Z', now)).toBe('Mar 1, 2025');
  });
});

describe('the time of day', () => {
  const local = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString();
  const now = new Date(2026, 2, 1, 12, 0).getTime();

  it('has the date unless it is today, and the year unless it is this one', () => {
    expect([local(2026, 2, 1, 9, 5), local(2026, 1, 28, 23, 59), local(2025, 2, 1, 0, 0)].map((time) => clock(time, now))).toEqual(['09:05', 'Feb 28, 23:59', 'Mar 1, 2025, 00:00']);
  });

  it('is shown beside the distance for a week', () => {
    expect([local(2026, 1, 23, 12, 0), local(2026, 1, 22, 11, 0)].map((time) => isRecent(time, now))).toEqual([true, false]);
  });

  it('is exact with seconds and zone', () => {
    expect(absolute(local(2026, 2, 1, 9, 5))).toMatch(/^Mar 1, 2026, 09:05:00 \S+/);
  });
});

describe('excerpts', () => {
  it('finds the text that people look for', () => {
    expect(excerpt({ question: 'Why?' })).toBe('Why?');
    expect(excerpt({ messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: [{ type: 'text', text: 'b' }] }] })).toBe('b');
    expect(excerpt({ id: '7', scenario: { text: 1, story: 'A long story.' } })).toBe('A long story.');
    expect(excerpt({ a: 1, b: 2 })).toBe('{"a":1,"b":2}');
    expect(excerpt(null)).toBe('');
  });

  it('ends for values nested two hundred levels deep', () => {
    let value: unknown = 'deep';
    for (let level = 0; level < 200; level++) {
      value = { content: value };
    }
    expect(excerpt(value).length).toBeLessThan(10);
  });
});
