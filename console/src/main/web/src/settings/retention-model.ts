import type { Schemas } from '../api/client';
import { plural } from '../ui/format';

export type Tier = Schemas['TierRetention'];

const HOUR_S = 3_600;
const DAY_S = 86_400;

/** What happens to runs with this retention, in words. */
export function fateOf(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) {
    return 'kept forever';
  }
  return `deleted ${seconds % DAY_S === 0 ? plural(seconds / DAY_S, 'day') : plural(Math.round(seconds / HOUR_S), 'hour')} after their start`;
}

/** The number of projects and experiments with a tier, in words. */
export const sessionsOf = (tier: Tier): string => `${plural(tier.project_count ?? 0, 'project')}, ${plural(tier.experiment_count ?? 0, 'experiment')}`;

/** Runs before the returned time would be deleted by a change between the tiers; undefined if it deletes none. */
export function deletedBefore(from: Tier | undefined, to: Tier | undefined, now = Date.now()): string | undefined {
  const [before, after] = [from?.retention_seconds ?? Infinity, to?.retention_seconds ?? Infinity];
  return after < before ? new Date(now - after * 1_000).toISOString() : undefined;
}
