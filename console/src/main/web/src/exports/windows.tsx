import { useState } from 'preact/hooks';
import { getList, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { navigate } from '../app/router';
import { Empty, Pending } from '../ui/states';
import { Backfill } from './backfill';
import { exportHref } from './links';
import { cellOfWindow, toneOf, type Cell } from './model';
import { Pages, useRefresh } from './parts';
import { Strip } from './strip';
import type { Export, ScheduleWindow } from './types';

const PAGE = 100;
const POLL_MS = 5_000;

interface Props {
  readonly one: Export;
  readonly selected: string;
  readonly page: number;
  readonly onSelect: (id: string) => void;
  readonly onPage: (page: number) => void;
}

/** The windows of a schedule, the newest page first, with the failed and pending ones. */
export function Windows({ one, selected, page, onSelect, onPage }: Props) {
  const [asked, setAsked] = useState<Cell>();
  const isCancelled = one.status === 'Cancelled';
  const windows = useQuery(
    `export windows ${workspace.value} ${one.id} ${one.status} ${page}`,
    (signal) => getList('/api/v1/bulk-exports/{export_id}/windows', { path: { export_id: one.id }, query: { limit: PAGE, offset: (page - 1) * PAGE }, signal }) as unknown as Promise<{ items: ScheduleWindow[]; total: number }>,
    { changes: { types: ['export'] }, keepPrevious: true },
  );
  useRefresh(windows, windows.data?.items.some((window) => window.status === 'Created' || window.status === 'Running') === true, POLL_MS);
  if (!windows.data) {
    return <Pending query={windows} what="the windows" />;
  }
  if (windows.data.items.length === 0) {
    return isCancelled ? <Empty title="No windows">The schedule was cancelled before it exported a window.</Empty> : <Empty title="No windows yet">The first window is exported 10 minutes after its end.</Empty>;
  }
  return (
    <>
      <Strip
        cells={windows.data.items.map((window) => cellOfWindow(window, isCancelled))}
        unit="window"
        selected={selected}
        onSelect={onSelect}
        actions={(cell) =>
          !isCancelled && (cell.lateRows > 0 || toneOf(cell.status) === 'failed') ? (
            <button class="button" type="button" onClick={() => setAsked(cell)}>
              Backfill
            </button>
          ) : null
        }
      />
      {windows.data.total > PAGE && <Pages page={page} total={windows.data.total} size={PAGE} onPage={onPage} />}
      {asked && <Backfill schedule={one.id} start={asked.start} end={asked.end} onClose={() => setAsked(undefined)} onCreated={(id) => navigate(exportHref(id))} />}
    </>
  );
}
