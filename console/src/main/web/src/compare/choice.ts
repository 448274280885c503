import { byStart, type Session } from '../datasets/scores';

interface Choice {
  readonly base: string;
  readonly candidates: readonly string[];
}

/**
 * Chooses what to compare where the address does not name it: the dataset's baseline, else the experiment before the candidate;
 * as candidate the newest other experiment. Without candidates, there is nothing to compare.
 */
export function choice(state: { base: string; with: readonly string[] }, experiments: readonly Session[], preferred: string | undefined): Choice {
  const newest = [...experiments].sort((a, b) => byStart(b, a));
  const base = state.base || baseline(newest, state.with, preferred);
  const candidates = state.with.length ? state.with : newest.filter((one) => one.id !== base).slice(0, 1).map((one) => one.id);
  return { base, candidates: base ? candidates.filter((id) => id !== base) : [] };
}

function baseline(newest: readonly Session[], candidates: readonly string[], preferred: string | undefined): string {
  if (preferred && !candidates.includes(preferred)) {
    return preferred;
  }
  const first = Math.max(0, newest.findIndex((one) => candidates.includes(one.id)));
  const others = newest.filter((one, index) => !candidates.includes(one.id) && (candidates.length > 0 || index > 0));
  return (others.find((one) => newest.indexOf(one) > first) ?? others[0] ?? newest[0])?.id ?? '';
}
