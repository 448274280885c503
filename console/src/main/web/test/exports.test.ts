import { describe, expect, it } from 'vitest';
import { attemptErrors, canCancel, cellOfRun, cellOfWindow, counts, daysText, doneText, everyText, grouped, nextWindow, rangeText, share, statusOf, tally } from '../src/exports/model';
import type { Export, ExportRun, ScheduleWindow, VerificationResult } from '../src/exports/types';

const run = (day: number, changes: object = {}): ExportRun =>
  ({
    id: `run ${day}`,
    status: 'Completed',
    retry_number: 0,
    start_time: new Date(Date.UTC(2026, 9, day)).toISOString(),
    end_time: new Date(Date.UTC(2026, 9, day + 1)).toISOString(),
    errors: {},
    metadata: { result: { rows_written: day, bytes_written: 10 * day } },
    ...changes,
  }) as unknown as ExportRun;

const exported = (changes: object): Export => ({ status: 'Running', paused_at: null, interval_hours: null, progress: { runs_total: 4, runs_completed: 1, rows_exported: 7, bytes_exported: 70 }, ...changes }) as unknown as Export;

describe('progress', () => {
  it('is the share of completed days', () => {
    expect(share(exported({}).progress)).toBe(0.25);
    expect(share(null)).toBeNull();
    expect(share({ runs_total: 0, runs_completed: 0, rows_exported: 0, bytes_exported: 0 })).toBeNull();
  });

  it('of an ended export names the days', () => {
    expect(doneText(exported({}))).toBe('1 of 4 days');
    expect(doneText(exported({ progress: { runs_total: 1, runs_completed: 1 } }))).toBe('1 day');
    expect(doneText(exported({ progress: null }))).toBe('no days');
  });

  it('of a schedule that failed is a pause', () => {
    expect(statusOf(exported({ status: 'IntervalScheduled', paused_at: '2026-11-01T00:00:00Z' }))).toBe('Paused');
    expect(statusOf(exported({ status: 'Cancelled', paused_at: '2026-11-01T00:00:00Z' }))).toBe('Cancelled');
  });

  it('of a final status cannot be cancelled', () => {
    expect(['Created', 'Running', 'IntervalScheduled'].map((status) => canCancel(exported({ status })))).toEqual([true, true, true]);
    expect(['Completed', 'Failed', 'TimedOut', 'Cancelled'].some((status) => canCancel(exported({ status })))).toBe(false);
  });
});

describe('windows', () => {
  const start = '2026-11-01T00:00:00Z';

  it('are numbered from the start of the schedule', () => {
    expect(nextWindow(start, 24, Date.parse('2026-11-03T12:00:00Z'))).toEqual({ number: 3, start: '2026-11-03T00:00:00.000Z', end: '2026-11-04T00:00:00.000Z', exportedAt: '2026-11-04T00:10:00.000Z' });
  });

  it('begin with the first before the start of the schedule', () => {
    expect(nextWindow(start, 6, Date.parse('2026-10-01T00:00:00Z'))).toMatchObject({ number: 1, start: '2026-11-01T00:00:00.000Z' });
  });

  it('that have ended are exported 10 minutes later', () => {
    expect(nextWindow('2026-11-28T20:00:00Z', 1, Date.parse('2026-11-28T23:03:00Z'))).toMatchObject({ number: 3, start: '2026-11-28T22:00:00.000Z', exportedAt: '2026-11-28T23:10:00.000Z' });
    expect(nextWindow('2026-11-28T20:00:00Z', 1, Date.parse('2026-11-28T23:10:00Z'))).toMatchObject({ number: 4, exportedAt: '2026-11-29T00:10:00.000Z' });
  });

  it('are named by their length', () => {
    expect([1, 6, 24, 48, 168].map(everyText)).toEqual(['every hour', 'every 6 h', 'every day', 'every 2 days', 'every week']);
  });
});

describe('ranges', () => {
  it('of whole days have no time', () => {
    expect(rangeText('2026-11-01T00:00:00Z', '2026-11-08T00:00:00.000000Z')).toBe('2026-11-01 to 2026-11-08');
    expect(rangeText('2026-11-01T10:30:00Z', '2026-11-08T00:00:00Z')).toBe('2026-11-01 10:30 to 2026-11-08 00:00');
    expect(rangeText('2026-11-01T00:00:00Z', null)).toBe('from 2026-11-01');
  });

  it('exclude the day of an end at midnight', () => {
    expect(daysText('2026-11-01T00:00:00Z', '2026-11-08T00:00:00Z')).toBe('2026-11-01 to 2026-11-07');
    expect(daysText('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z')).toBe('2026-11-01');
  });

  it('of hours name the day once', () => {
    expect(daysText('2026-11-28T22:00:00Z', '2026-11-28T23:00:00Z')).toBe('2026-11-28 22:00 to 23:00 UTC');
    expect(daysText('2026-11-28T23:00:00Z', '2026-11-29T00:00:00Z')).toBe('2026-11-28 23:00 to 24:00 UTC');
    expect(daysText('2026-11-28T23:00:00Z', '2026-11-29T05:00:00Z')).toBe('2026-11-28 23:00 to 2026-11-29 05:00 UTC');
  });
});

describe('the strip', () => {
  it('has a cell with rows and bytes for each day', () => {
    expect(cellOfRun(run(5))).toMatchObject({ label: '5', status: 'Completed', rows: 5, bytes: 50, attempts: 1, error: null });
  });

  it('shows the last error of an unfinished day', () => {
    const errors = { 2: { code: 'b', message: 'second', at: '' }, 1: { code: 'a', message: 'first', at: '' } };
    expect(cellOfRun(run(5, { status: 'Failed', retry_number: 1, errors, metadata: {} }))).toMatchObject({ error: 'second', attempts: 2, rows: null });
    expect(cellOfRun(run(5, { errors })).error).toBeNull();
  });

  it('groups days by month in the order of time', () => {
    const groups = grouped([32, 1, 31].map((day) => cellOfRun(run(day))), false);
    expect(groups.map((group) => [group.name, group.cells.map((cell) => cell.label)])).toEqual([['Oct 2026', ['1', '31']], ['Nov 2026', ['1']]]);
  });

  const window = (hour: number, changes: object = {}): ScheduleWindow => ({ number: hour, status: 'Pending', start_time: new Date(Date.UTC(2026, 9, 1, hour)).toISOString(), end_time: new Date(Date.UTC(2026, 9, 1, hour + 6)).toISOString(), bulk_export_id: null, progress: null, late_rows: null, error: null, backfilled_by: null, ...changes }) as unknown as ScheduleWindow;

  it('has no attempts of a window without an export', () => {
    expect(cellOfWindow(window(6), false)).toMatchObject({ status: 'Pending', attempts: 0 });
    expect(cellOfWindow(window(6, { status: 'Running', bulk_export_id: 'e' }), false)).toMatchObject({ status: 'Running', attempts: 1 });
  });

  it('has no pending window of a cancelled schedule', () => {
    expect(cellOfWindow(window(6), true).status).toBe('Cancelled');
    expect(cellOfWindow(window(6, { status: 'Running', bulk_export_id: 'e' }), true).status).toBe('Running');
  });

  it('groups short windows by day', () => {
    const groups = grouped([24, 18].map((hour) => cellOfWindow(window(hour), false)), true);
    expect(groups.map((group) => [group.name, group.cells.map((cell) => cell.label)])).toEqual([['Oct 1', ['18']], ['Oct 2', ['00']]]);
  });

  it('counts cells by status', () => {
    expect(tally([run(1), run(2, { status: 'Failed' }), run(3)].map(cellOfRun))).toEqual([['Completed', 2], ['Failed', 1]]);
  });

  it('lists the errors of all attempts in order', () => {
    const errors = { 10: { code: 'b', message: 'tenth', at: '' }, 9: { code: 'a', message: 'ninth', at: '' } };
    expect(attemptErrors([run(1), run(2, { errors })]).map((error) => [error.day, error.attempt])).toEqual([['2026-10-02', 9], ['2026-10-02', 10]]);
  });
});

describe('a verification', () => {
  const result = (changes: object): VerificationResult => ({ rows_counted: 5, rows_encoded: 5, rows_in_files: 5, rows_in_manifest: 5, ...changes }) as unknown as VerificationResult;

  it('compares every count with the rows that were read', () => {
    expect(counts(result({})).map((row) => row.agrees)).toEqual([true, true, true, true]);
    expect(counts(result({ rows_in_files: 4 })).map((row) => row.agrees)).toEqual([true, true, false, true]);
  });

  it('without a manifest does not agree with it', () => {
    expect(counts(result({ rows_in_manifest: null })).at(-1)).toMatchObject({ rows: null, agrees: false });
  });
});
