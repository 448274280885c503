import { describe, expect, it } from 'vitest';
import { ago, cost, decimal, excerpt, percent, probability, score, seconds, signed } from '../src/ui/format';

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

describe('times', () => {
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
