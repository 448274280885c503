const MINUTE = 60_000;
const STEPS = [1, 5, 15, 30, 60, 180, 360, 720, 1440, 2880, 10_080, 20_160, 43_200].map((minutes) => minutes * MINUTE);

/** Returns the edges of at most `most` buckets of a round width that cover the range, in milliseconds. */
export function buckets(first: number, last: number, most: number): number[] {
  if (!(last >= first)) {
    return [];
  }
  const step = STEPS.find((candidate) => Math.floor(last / candidate) - Math.floor(first / candidate) < most) ?? Math.ceil((last - first) / (most - 1));
  const edges: number[] = [];
  for (let edge = Math.floor(first / step) * step; edge <= last; edge += step) {
    edges.push(edge);
  }
  return [...edges, edges[edges.length - 1]! + step];
}
