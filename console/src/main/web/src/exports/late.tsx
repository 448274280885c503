import { useState } from 'preact/hooks';
import { getList, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { count } from '../ui/format';
import { Backfill } from './backfill';
import { isSchedule, rangeText } from './model';
import type { Export, ScheduleWindow } from './types';

const READ = 100;
const SHOWN = 5;

interface Range {
  readonly start: string;
  readonly end: string;
}

/** Runs that were stored after their window was exported, with a backfill of each window. */
export function Late({ one, onCreated }: { one: Export; onCreated: (id: string) => void }) {
  const [asked, setAsked] = useState<Range>();
  const schedule = isSchedule(one) ? one.id : one.source_bulk_export_id;
  const windows = useQuery(
    isSchedule(one) ? `export late ${workspace.value} ${one.id} ${one.late_rows}` : null,
    (signal) => getList('/api/v1/bulk-exports/{export_id}/windows', { path: { export_id: one.id }, query: { limit: READ }, signal }) as unknown as Promise<{ items: ScheduleWindow[]; total: number }>,
  );
  const late = isSchedule(one)
    ? (windows.data?.items ?? []).filter((window) => window.late_rows).map((window) => ({ start: window.start_time, end: window.end_time, rows: window.late_rows!, isBackfilled: window.backfilled_by !== null }))
    : [{ start: one.start_time, end: one.end_time ?? one.start_time, rows: one.late_rows ?? 0, isBackfilled: false }];
  return (
    <div class="notice">
      <p>
        <strong>{count(one.late_rows)} late rows.</strong> These runs were stored after the export had read their range, so its files do not contain them.
      </p>
      <ul>
        {late.slice(0, SHOWN).map((range) => (
          <li key={range.start} class="row wrap">
            <span>
              {rangeText(range.start, range.end)}: {count(range.rows)}
            </span>
            {range.isBackfilled ? (
              <span class="muted">backfilled</span>
            ) : (
              schedule &&
              one.status !== 'Cancelled' && (
                <button class="button" type="button" onClick={() => setAsked(range)}>
                  Backfill
                </button>
              )
            )}
          </li>
        ))}
      </ul>
      {late.length > SHOWN && <p class="muted">Other windows are below.</p>}
      {asked && schedule && <Backfill schedule={schedule} start={asked.start} end={asked.end} onClose={() => setAsked(undefined)} onCreated={onCreated} />}
    </div>
  );
}
