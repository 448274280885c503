/** Ranges of numbers as the comparison's API has them. Every function is pure. */

import { score, signed } from './format';

/** At most one lower and one upper bound. */
export interface NumberRange {
  readonly gt?: number | undefined;
  readonly gte?: number | undefined;
  readonly lt?: number | undefined;
  readonly lte?: number | undefined;
}

export const lowOf = (range: NumberRange): number => range.gt ?? range.gte ?? -Infinity;
export const highOf = (range: NumberRange): number => range.lt ?? range.lte ?? Infinity;

/** From the lower bound of one range to the upper bound of another. */
export function spanning(first: NumberRange, last: NumberRange): NumberRange {
  return {
    ...(first.gt !== undefined ? { gt: first.gt } : first.gte !== undefined ? { gte: first.gte } : {}),
    ...(last.lt !== undefined ? { lt: last.lt } : last.lte !== undefined ? { lte: last.lte } : {}),
  };
}

/** Whether the range contains the other one. */
export function covers(range: NumberRange, other: NumberRange): boolean {
  const low = lowOf(range);
  const high = highOf(range);
  const isAbove = lowOf(other) > low || (lowOf(other) === low && (range.gt === undefined || other.gt !== undefined));
  const isBelow = highOf(other) < high || (highOf(other) === high && (range.lt === undefined || other.lt !== undefined));
  return isAbove && isBelow;
}

/** As in an address: `-0.5..0`, with `>` and `<` before bounds that are excluded; `0.5..` has no upper bound. */
export function formatRange(range: NumberRange): string {
  const low = range.gt ?? range.gte;
  const high = range.lt ?? range.lte;
  return `${range.gt === undefined ? '' : '>'}${low ?? ''}..${range.lt === undefined ? '' : '<'}${high ?? ''}`;
}

const NUMBER = '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?';
const RANGE = new RegExp(`^(>?)(${NUMBER})?\\.\\.(<?)(${NUMBER})?$`);

/** Returns null for a text that is no range, or one that contains no number. */
export function parseRange(text: string): NumberRange | null {
  const [, greater, low, less, high] = RANGE.exec(text) ?? [];
  if (low === undefined && high === undefined) {
    return null;
  }
  const range: NumberRange = {
    ...(low === undefined ? {} : greater ? { gt: Number(low) } : { gte: Number(low) }),
    ...(high === undefined ? {} : less ? { lt: Number(high) } : { lte: Number(high) }),
  };
  const isEmpty = lowOf(range) > highOf(range) || (lowOf(range) === highOf(range) && (greater !== '' || less !== ''));
  return isEmpty ? null : range;
}

/** A range of differences for people. */
export function differenceText(range: NumberRange): string {
  const low = lowOf(range);
  const high = highOf(range);
  if (low === high) {
    return low === 0 ? 'no difference' : signed(low);
  }
  return low === -Infinity ? `up to ${signed(high)}` : high === Infinity ? `from ${signed(low)}` : `${signed(low)} to ${signed(high)}`;
}

/** The lower edge of a cell of scores: scores are mostly single values, at the lower edge of their cells. */
export const edgeText = (range: NumberRange): string => score(lowOf(range));
