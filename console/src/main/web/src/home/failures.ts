import { post } from '../api/client';
import { absolute } from '../ui/format';

export interface FailedRun {
  readonly id: string;
  readonly trace_id: string;
  readonly name: string;
  readonly error: string | null;
  readonly start_time: string;
  readonly session_name: string | null;
}
export interface Failures {
  readonly runs: readonly FailedRun[];
  /** Start time of the last run of a search that has not read all runs. */
  readonly until: string | null;
}

const DAYS = 7;
const DAY_MS = 86_400_000;

/** Asks for one page, which may be empty: without `partial` a long search is a chain of redirects, which fails after 20. */
export const failuresQuery = (projects: readonly string[], limit: number, now = Date.now()) => ({
  session: projects as never,
  is_root: true,
  error: true,
  start_time: new Date(now - DAYS * DAY_MS).toISOString(),
  limit,
  select: ['id', 'trace_id', 'name', 'error', 'start_time', 'session_name'],
  partial: true,
});

/** Reads the newest failed traces of these projects that one page finds. */
export async function failures(projects: readonly string[], limit: number, signal: AbortSignal): Promise<Failures> {
  if (projects.length === 0) {
    return { runs: [], until: null };
  }
  const page = await post('/api/v1/runs/query', { body: failuresQuery(projects, limit), signal });
  return { runs: page.runs as unknown as FailedRun[], until: page.searched_until ?? null };
}

/** What was searched, if no trace was found or not all were searched. */
export function searched({ runs, until }: Failures, limit: number): string | null {
  if (until && runs.length < limit) {
    return `${runs.length ? 'Searched' : 'No trace has failed'} since ${absolute(until)}.`;
  }
  return runs.length ? null : `No trace has failed in the last ${DAYS} days.`;
}
