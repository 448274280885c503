import { describe, expect, it } from 'vitest';
import { covers, differenceText, formatRange, parseRange, spanning } from '../src/ui/ranges';
import { bins } from '../src/gallery/samples';

describe('ranges', () => {
  it('are the same after the address', () => {
    const ranges = [{ gte: 0, lte: 0 }, { gt: 0, lt: 0.2 }, { gt: -0.4, lte: -0.2 }, { gte: 1e-7, lt: 1e21 }, { gte: 0.5 }, { lte: -3 }, ...bins.map((bin) => bin.range)];
    for (const range of ranges) {
      expect(parseRange(formatRange(range))).toEqual(range);
    }
    expect(formatRange({ gt: -0.4, lte: -0.2 })).toBe('>-0.4..-0.2');
  });

  it('that contain nothing are none', () => {
    for (const text of ['', '..', '1', '1..0', '>0..0', '0..<0', 'a..b', '0..1x', '1...2']) {
      expect(parseRange(text), text).toBeNull();
    }
  });

  it('span bins with the bounds at their ends', () => {
    expect(spanning({ gt: -0.4, lte: -0.2 }, { gt: 0, lt: 0.2 })).toEqual({ gt: -0.4, lt: 0.2 });
  });

  it('cover their bins only', () => {
    const range = spanning(bins[3]!.range, bins[5]!.range);
    expect(bins.map((bin) => covers(range, bin.range))).toEqual(bins.map((_, index) => index >= 3 && index <= 5));
    expect(covers({ gt: 0, lt: 1 }, { gte: 0, lte: 0 })).toBe(false);
    expect(covers({ gte: 0 }, { gt: 0, lt: 1 })).toBe(true);
  });

  it('are words for people', () => {
    expect(differenceText({ gte: 0, lte: 0 })).toBe('no difference');
    expect(differenceText({ gt: -0.4, lte: -0.2 })).toBe('−0.40 to −0.20');
    expect([differenceText({ gte: 1 }), differenceText({ lt: 0 })]).toEqual(['from +1', 'up to 0']);
  });
});
