/** The documented statistics (docs/comparison.md), calculated from uploaded values alone. Every function is pure. */

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (values: readonly number[]): number => sum(values) / values.length;

const squares = (values: readonly number[]): number => sum(values.map((value) => (value - mean(values)) ** 2));

/** Standard deviation of a sample. */
export const deviation = (values: readonly number[]): number => Math.sqrt(squares(values) / (values.length - 1));

/** Linear interpolation between the two nearest values; null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  if (values.length === 0) {
    return null;
  }
  const sorted = [...values].sort((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  return sorted[below]! + (position - below) * ((sorted[below + 1] ?? sorted[below]!) - sorted[below]!);
}

const MAX_BOOTSTRAPPED = 2_000;

/** The p-value of a paired test: which one depends on the number of differences and their sizes. */
export function pValue(differences: readonly number[]): number {
  if (differences.length > MAX_BOOTSTRAPPED) {
    return studentP(differences);
  }
  const changes = differences.filter((one) => one !== 0);
  if (changes.length === 0) {
    return 1;
  }
  const sizes = new Set(changes.map(Math.abs));
  const p = sizes.size === 1 ? mcnemar(changes) : signedRank(changes);
  return Math.max(p, 2 ** (1 - changes.length));
}

/** Exact: twice the probability that a fair coin has at most as many heads as the rarer direction. */
function mcnemar(changes: readonly number[]): number {
  const n = changes.length;
  const up = changes.filter((one) => one > 0).length;
  const rarer = Math.min(up, n - up);
  let coefficient = 1;
  let tail = 0;
  for (let k = 0; k <= rarer; k++) {
    tail += coefficient / 2 ** n;
    coefficient = (coefficient * (n - k)) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}

const MAX_EXACT = 50;

/** Wilcoxon's test: exact for few differences without ties, otherwise normal with corrections for ties and continuity. */
function signedRank(changes: readonly number[]): number {
  const n = changes.length;
  let up = 0;
  let ties = 0;
  for (const change of changes) {
    const below = changes.filter((other) => Math.abs(other) < Math.abs(change)).length;
    const equal = changes.filter((other) => Math.abs(other) === Math.abs(change)).length;
    up += change > 0 ? below + (equal + 1) / 2 : 0;
    ties += equal ** 2 - 1;
  }
  if (n <= MAX_EXACT && ties === 0) {
    return exactSignedRank(Math.min(up, (n * (n + 1)) / 2 - up), n);
  }
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  const z = Math.max(0, Math.abs(up - (n * (n + 1)) / 4) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * tail((x) => Math.exp((-x * x) / 2), z));
}

/** Twice the share of all sign patterns whose sum of positive ranks is at most this one. */
function exactSignedRank(rankSum: number, n: number): number {
  const counts = new Array<number>((n * (n + 1)) / 2 + 1).fill(0);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let total = counts.length - 1; total >= rank; total--) {
      counts[total]! += counts[total - rank]!;
    }
  }
  return Math.min(1, (2 * sum(counts.slice(0, rankSum + 1))) / 2 ** n);
}

function studentP(differences: readonly number[]): number {
  const t = (mean(differences) / deviation(differences)) * Math.sqrt(differences.length);
  return 2 * tail(student(differences.length - 1), Math.abs(t));
}

/** Density of Student's distribution, not normalised. */
const student = (freedom: number) => (x: number): number => (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);

const STEP = 1e-3;
const END = 40;

/** Share of a symmetric density above a value. */
function tail(density: (x: number) => number, from: number): number {
  let above = 0;
  let half = 0;
  for (let x = STEP / 2; x < END; x += STEP) {
    half += density(x);
  }
  for (let x = from + STEP / 2; x < END; x += STEP) {
    above += density(x);
  }
  return above / half / 2;
}

/** The 95 % interval of the mean of many differences. */
export function studentInterval(differences: readonly number[]): [number, number] {
  let low = 0;
  let high = 20;
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    [low, high] = tail(student(differences.length - 1), middle) > 0.025 ? [middle, high] : [low, middle];
  }
  const half = (low * deviation(differences)) / Math.sqrt(differences.length);
  return [mean(differences) - half, mean(differences) + half];
}

const RESAMPLES = 20_000;

/** The 95 % bootstrap interval of the mean of few differences, with random numbers of its own. */
export function bootstrapInterval(differences: readonly number[]): [number, number] {
  const random = generator(20_261_124);
  const means = Array.from({ length: RESAMPLES }, () => {
    let total = 0;
    for (let draw = 0; draw < differences.length; draw++) {
      total += differences[Math.floor(random() * differences.length)]!;
    }
    return total / differences.length;
  });
  return [percentile(means, 0.025)!, percentile(means, 0.975)!];
}

/**
 * How far the ends of two bootstrap intervals can differ by their random numbers: five standard errors of a quantile of
 * 2,000 resamples.
 */
export const bootstrapError = (differences: readonly number[]): number => (0.3 * deviation(differences)) / Math.sqrt(differences.length);

/** Uniform numbers of a linear congruential generator with 48 bits. */
function generator(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = (state * 25_214_903_917n + 11n) & 0xffff_ffff_ffffn;
    return Number(state >> 16n) / 2 ** 32;
  };
}

/** P-values after Holm's correction, in the order of the values. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted: number[] = [];
  let lowest = 0;
  order.forEach(({ value, index }, rank) => {
    lowest = Math.max(lowest, Math.min(1, (values.length - rank) * value));
    adjusted[index] = lowest;
  });
  return adjusted;
}

/** Pairs for a verdict with a probability of 80 %. */
export function pairsNeeded(differences: readonly number[]): number {
  const changes = differences.filter((one) => one !== 0).length;
  const ratio = ((1.959964 + 0.841621) * deviation(differences)) / mean(differences);
  return Math.max(Math.ceil(ratio ** 2), Math.ceil((6 * differences.length) / changes), differences.length + 1);
}
