import type { Schemas } from '../api/client';

export type Session = Schemas['SessionResponse'];

/** The feedback keys of experiments, those that most experiments have first. */
export function scoreKeys(experiments: readonly Session[]): string[] {
  const counts = new Map<string, number>();
  for (const experiment of experiments) {
    for (const key of Object.keys(experiment.feedback_stats ?? {})) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], 'en')).map(([key]) => key);
}

export const averageOf = (experiment: Session, key: string): number | null => experiment.feedback_stats?.[key]?.avg ?? null;

/** Half the width of the 95 % interval of an average, from its standard deviation. */
export function margin(experiment: Session, key: string): number | null {
  const stats = experiment.feedback_stats?.[key];
  return stats && stats.stdev !== null && stats.stdev !== undefined && stats.n > 1 ? (1.96 * stats.stdev) / Math.sqrt(stats.n - 1) : null;
}

/** Orders experiments from old to new. Ids are ascending, so they decide between experiments that started together. */
export const byStart = (a: Session, b: Session): number => a.start_time.localeCompare(b.start_time) || a.id.localeCompare(b.id);
