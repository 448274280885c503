/** Status, progress and windows of exports. Every function is pure. */
import type { Export, ExportRun, Progress, ScheduleWindow, VerificationResult } from './types';

export const STATUSES = ['Created', 'Running', 'Completed', 'Failed', 'TimedOut', 'Cancelled', 'IntervalScheduled'] as const;
export type Status = (typeof STATUSES)[number] | 'Pending' | 'Paused';
export type Tone = 'done' | 'active' | 'waiting' | 'failed' | 'off';

const TONES: Readonly<Record<Status, Tone>> = { Created: 'waiting', Pending: 'waiting', Running: 'active', IntervalScheduled: 'active', Completed: 'done', Failed: 'failed', TimedOut: 'failed', Paused: 'failed', Cancelled: 'off' };
const LABELS: Readonly<Record<Status, string>> = { Created: 'Waiting', Pending: 'Pending', Running: 'Running', IntervalScheduled: 'Scheduled', Completed: 'Completed', Failed: 'Failed', TimedOut: 'Timed out', Paused: 'Paused', Cancelled: 'Cancelled' };
const MARKS: Readonly<Record<Tone, string>> = { done: '✓', active: '▸', waiting: '·', failed: '✕', off: '–' };

export const toneOf = (status: Status): Tone => TONES[status] ?? 'off';
export const labelOf = (status: Status): string => LABELS[status] ?? status;
export const markOf = (status: Status): string => MARKS[toneOf(status)];

/** A schedule that stopped after failures has no status of its own. */
export const statusOf = (one: Export): Status => (one.status === 'IntervalScheduled' && one.paused_at ? 'Paused' : one.status);
export const isSchedule = (one: Pick<Export, 'interval_hours'>): boolean => one.interval_hours !== null && one.interval_hours !== undefined;
export const isActive = (one: Pick<Export, 'status'>): boolean => one.status === 'Created' || one.status === 'Running';
export const canCancel = (one: Pick<Export, 'status'>): boolean => isActive(one) || one.status === 'IntervalScheduled';

/** The completed share of an export, from 0 to 1; null while its days are unknown. */
export function share(progress: Progress | null): number | null {
  return progress && progress.runs_total > 0 ? Math.min(1, progress.runs_completed / progress.runs_total) : null;
}

const HOUR_MS = 3_600_000;
/** A window is exported this long after its end. */
export const DELAY_MS = 600_000;

export interface Window {
  readonly number: number;
  readonly start: string;
  readonly end: string;
  readonly exportedAt: string;
}

/** The window of a schedule that is exported next, if no earlier one is overdue. */
export function nextWindow(start: string, hours: number, now: number): Window {
  const first = Date.parse(start);
  const interval = hours * HOUR_MS;
  const number = Math.max(1, Math.floor((now - DELAY_MS - first) / interval) + 1);
  const end = first + number * interval;
  const iso = (time: number): string => new Date(time).toISOString();
  return { number, start: iso(end - interval), end: iso(end), exportedAt: iso(end + DELAY_MS) };
}

export function everyText(hours: number): string {
  return hours === 1 ? 'every hour' : hours === 24 ? 'every day' : hours === 168 ? 'every week' : hours % 24 === 0 ? `every ${hours / 24} days` : `every ${hours} h`;
}

/** A point of time in UTC, because exports have one file or more for each UTC day. */
export const utc = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

const isWholeDays = (start: string, end: string | null): boolean => [start, end ?? start].every((time) => Date.parse(time) % (24 * HOUR_MS) === 0);

/** `2026-11-01 to 2026-11-08` for whole days; the end is exclusive. */
export function rangeText(start: string, end: string | null): string {
  const shown = isWholeDays(start, end) ? (time: string): string => time.slice(0, 10) : utc;
  return end ? `${shown(start)} to ${shown(end)}` : `from ${shown(start)}`;
}

/** The first and the last day of a range, with the hours unless it consists of whole days. */
export function daysText(start: string, end: string | null): string {
  const first = start.slice(0, 10);
  const last = end ? new Date(Date.parse(end) - 1).toISOString().slice(0, 10) : first;
  if (end && !isWholeDays(start, end)) {
    return `${first === last ? `${utc(start)} to ${end.startsWith(first) ? end.slice(11, 16) : '24:00'}` : rangeText(start, end)} UTC`;
  }
  return first === last ? first : `${first} to ${last}`;
}

/** The days of an export that has ended: `28 days`, `5 of 28 days`. */
export function doneText(one: Export): string {
  const { runs_completed: completed, runs_total: total } = one.progress ?? { runs_completed: 0, runs_total: 0 };
  return total === 0 ? 'no days' : `${completed === total ? '' : `${completed} of `}${total} ${total === 1 ? 'day' : 'days'}`;
}

/** A cell of the strip: a day of an export, or a window of a schedule. */
export interface Cell {
  readonly id: string;
  readonly label: string;
  readonly status: Status;
  readonly start: string;
  readonly end: string;
  readonly rows: number | null;
  readonly bytes: number | null;
  /** 0 for a window without an export. */
  readonly attempts: number;
  readonly error: string | null;
  readonly lateRows: number;
  readonly exportId: string | null;
  readonly backfilledBy: string | null;
}

export interface CellGroup {
  readonly name: string;
  readonly cells: readonly Cell[];
}

export interface AttemptError {
  readonly id: string;
  readonly day: string;
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

/** The errors of all attempts, the earliest day first. */
export function attemptErrors(runs: readonly ExportRun[]): readonly AttemptError[] {
  return runs.flatMap((run) =>
    Object.entries(run.errors ?? {})
      .map(([attempt, error]) => ({ id: `${run.id} ${attempt}`, day: run.start_time.slice(0, 10), attempt: Number(attempt), code: error.code, message: error.message, at: error.at }))
      .sort((a, b) => a.attempt - b.attempt),
  );
}

export function cellOfRun(run: ExportRun): Cell {
  const errors = attemptErrors([run]);
  const result = run.metadata?.result;
  return {
    id: run.id,
    label: String(Number(run.start_time.slice(8, 10))),
    status: run.status,
    start: run.start_time,
    end: run.end_time,
    rows: result?.rows_written ?? null,
    bytes: result?.bytes_written ?? null,
    attempts: run.retry_number + 1,
    error: run.status === 'Completed' ? null : (errors.at(-1)?.message ?? null),
    lateRows: 0,
    exportId: null,
    backfilledBy: null,
  };
}

/** A cancelled schedule exports no pending window. */
export function cellOfWindow(window: ScheduleWindow, isCancelled: boolean): Cell {
  const isShort = Date.parse(window.end_time) - Date.parse(window.start_time) < 24 * HOUR_MS;
  return {
    id: String(window.number),
    label: isShort ? window.start_time.slice(11, 13) : String(Number(window.start_time.slice(8, 10))),
    status: isCancelled && window.status === 'Pending' ? 'Cancelled' : window.status,
    start: window.start_time,
    end: window.end_time,
    rows: window.progress?.rows_exported ?? null,
    bytes: window.progress?.bytes_exported ?? null,
    attempts: window.error?.attempt ?? (window.bulk_export_id ? 1 : 0),
    error: window.error?.message ?? null,
    lateRows: window.late_rows ?? 0,
    exportId: window.bulk_export_id,
    backfilledBy: window.backfilled_by,
  };
}

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayOfMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Groups cells by month, and those shorter than a day by day; in the order of time. */
export function grouped(cells: readonly Cell[], isByDay: boolean): readonly CellGroup[] {
  const groups = new Map<string, Cell[]>();
  for (const cell of [...cells].sort((a, b) => Date.parse(a.start) - Date.parse(b.start))) {
    const name = (isByDay ? dayOfMonth : month).format(new Date(cell.start));
    groups.set(name, [...(groups.get(name) ?? []), cell]);
  }
  return [...groups].map(([name, members]) => ({ name, cells: members }));
}

/** How many cells have which status, in the order of their first appearance. */
export function tally(cells: readonly Cell[]): readonly (readonly [Status, number])[] {
  const counts = new Map<Status, number>();
  cells.forEach((cell) => counts.set(cell.status, (counts.get(cell.status) ?? 0) + 1));
  return [...counts];
}

export interface Count {
  readonly name: string;
  readonly what: string;
  readonly rows: number | null;
  /** Whether it equals the rows that the export read. */
  readonly agrees: boolean;
}

/** The counts of a verification; without a loss, all are equal. */
export function counts(result: VerificationResult): readonly Count[] {
  const rows: readonly (readonly [string, string, number | null])[] = [
    ['Counted', 'rows read from the database', result.rows_counted],
    ['Encoded', 'rows written, by the commit records of the files', result.rows_encoded],
    ['In the files', 'rows in the footers of intact files in the bucket', result.rows_in_files],
    ['In the manifest', 'rows that the manifest lists', result.rows_in_manifest],
  ];
  return rows.map(([name, what, value]) => ({ name, what, rows: value, agrees: value === result.rows_counted }));
}
