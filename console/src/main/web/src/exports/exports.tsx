import { useMemo } from 'preact/hooks';
import { getList, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { Page } from '../app/shell';
import { postCommand } from '../ui/command';
import { absolute, ago, bytes, count, DASH, dateAndHour, plural, shortCount } from '../ui/format';
import { Empty, Pending } from '../ui/states';
import { Grid, place, type Column } from '../ui/table';
import { destinationsHref, exportHref, newExportHref } from './links';
import { daysText, doneText, everyText, isActive, isSchedule, nextWindow, rangeText, STATUSES, labelOf, statusOf } from './model';
import { ExportBar, Pages, POLL_MS, shortId, StatusBadge, useDestinations, useProjectNames, useRefresh } from './parts';
import type { Export } from './types';

const FILTERS = ['all', ...STATUSES, 'Paused'] as const;
/** The windows of schedules are listed on request only: one schedule can have hundreds. */
const STATE = { status: oneOf(FILTERS, 'all'), project: text(), destination: text(), windows: oneOf(['', 'shown'] as const, ''), page: text('1') };
const PAGE = 50;

const COMMAND = postCommand(
  'EXPORT',
  '/api/v1/bulk-exports',
  `{"bulk_export_destination_id": "DESTINATION_ID", "session_id": "PROJECT_ID", "format_version": "v2_beta",
       "start_time": "'$(date -u -d '-7 days' +%F)'T00:00:00Z", "end_time": "'$(date -u +%F)'T00:00:00Z"}`,
);

function columnsOf(projects: ReadonlyMap<string, string>, destinations: ReadonlyMap<string, string> | undefined): readonly Column<Export>[] {
  return [
    {
      id: 'project',
      title: 'Export',
      width: 'minmax(286px, 2fr)',
      narrow: place(1),
      cell: (one) => (
        <>
          <a class="list-link ellipsis" tabIndex={-1} href={exportHref(one.id)}>
            <bdi>{(projects.get(one.session_id) ?? `project ${shortId(one.session_id)}`).slice(0, 200)}</bdi>
          </a>
          <span class="one-line faint sub" title={`${rangeText(one.start_time, one.end_time)} UTC${one.source_bulk_export_id ? ', of a schedule' : ''}${one.filter ? `, ${one.filter}` : ''}`}>
            {one.source_bulk_export_id && 'of a schedule, '}
            {isSchedule(one) ? everyText(one.interval_hours!) : daysText(one.start_time, one.end_time)}
            {one.filter && (
              <code>
                {' '}
                <bdi>{one.filter.slice(0, 200)}</bdi>
              </code>
            )}
          </span>
        </>
      ),
    },
    { id: 'status', title: 'Status', width: '112px', narrow: place(2, 9), cell: (one) => <StatusBadge status={statusOf(one)} /> },
    { id: 'progress', title: 'Progress', width: 'minmax(152px, 1.3fr)', narrow: place(2, 1, 8), cell: (one) => <State one={one} /> },
    { id: 'rows', title: 'Rows', width: '68px', narrow: place(3, 1, 4), named: true, end: true, cell: (one) => <span title={count(one.progress?.rows_exported)}>{shortCount(one.progress?.rows_exported)}</span> },
    { id: 'bytes', title: 'Size', width: '84px', narrow: place(3, 5, 8), named: true, end: true, cell: (one) => <span class="muted">{one.progress ? bytes(one.progress.bytes_exported) : DASH}</span> },
    { id: 'destination', title: 'Destination', width: 'minmax(118px, 1.3fr)', cell: (one) => <span class="one-line muted">{destinations ? (destinations.get(one.bulk_export_destination_id) ?? 'deleted') : '…'}</span> },
    {
      id: 'format',
      title: 'Format',
      width: '100px',
      cell: (one) => (
        <>
          <span class="one-line muted">
            {one.format} {one.format_version === 'v1' ? 'v1' : 'v2'}
          </span>
          <span class="one-line faint sub">{one.compression}</span>
        </>
      ),
    },
    { id: 'created', title: 'Created', width: '96px', narrow: place(3, 9), end: true, cell: (one) => <span class="muted" title={absolute(one.created_at)}>{ago(one.created_at)}</span> },
  ];
}

/** The progress of an export; of a schedule why it is paused, what failed, or its next window. */
function State({ one }: { one: Export }) {
  if (!isSchedule(one)) {
    return isActive(one) ? <ExportBar progress={one.progress} /> : <span class="muted">{doneText(one)}</span>;
  }
  if (one.paused_at) {
    return <span class="clamp error-text" title={one.pause_reason ?? undefined}>{one.pause_reason ?? 'paused'}</span>;
  }
  if (one.status !== 'IntervalScheduled') {
    return <span class="faint">ended</span>;
  }
  const next = nextWindow(one.start_time, one.interval_hours!, Date.now());
  return (
    <>
      <span class="one-line muted" title={`Window ${next.number}: ${rangeText(next.start, next.end)} UTC`}>
        next: {dateAndHour(next.exportedAt)}
      </span>
      {one.failed_windows ? (
        <span class="one-line error-text sub" title={one.last_failure?.message}>
          {plural(one.failed_windows, 'failed window')}
        </span>
      ) : one.late_rows ? (
        <span class="one-line warn-text sub">{count(one.late_rows)} late rows</span>
      ) : null}
    </>
  );
}

type Filter = Readonly<Record<string, string | boolean>>;

/** The parameters of the API; a paused schedule is one of the scheduled exports there. */
function filterOf({ status, project, destination }: { status: (typeof FILTERS)[number]; project: string; destination: string }): Filter {
  const isPaused = status === 'Paused';
  return {
    ...(isPaused || status === 'IntervalScheduled' ? { status: 'IntervalScheduled', paused: isPaused } : status === 'all' ? {} : { status }),
    ...(project ? { session_id: project } : {}),
    ...(destination ? { destination_id: destination } : {}),
  };
}

export default function ExportsPage() {
  const { state, set } = useUrlState(STATE);
  const page = Math.max(1, Number.parseInt(state.page, 10) || 1);
  const filter = filterOf(state);
  const isFiltered = Object.keys(filter).length > 0;
  const query = { ...filter, ...(state.windows ? {} : { window: 'false' }), limit: PAGE, offset: (page - 1) * PAGE };
  const list = useQuery(`exports ${workspace.value} ${JSON.stringify(query)}`, (signal) => getList('/api/v1/bulk-exports', { query, signal }) as unknown as Promise<{ items: Export[]; total: number }>, { changes: { types: ['export'] }, keepPrevious: true });
  useRefresh(list, list.data?.items.some(isActive) === true, POLL_MS);
  const destinations = useDestinations();
  const projects = useQuery(`export projects ${workspace.value}`, (signal) => getList('/api/v1/sessions', { query: { reference_free: true, limit: 100, sort_by: 'name', sort_by_desc: false }, signal }));
  const ids = [...(list.data?.items ?? []).map((one) => one.session_id), ...(state.project ? [state.project] : [])];
  const names = useProjectNames(ids);
  const nameKey = JSON.stringify([...names]);
  const stored = useMemo(() => destinations.data && new Map(destinations.data.items.map((one) => [one.id, one.display_name])), [destinations.data]);
  const columns = useMemo(() => columnsOf(names, stored), [nameKey, stored]);
  useKeys([{ keys: 'n', what: 'New export', run: () => navigate(newExportHref({ project: state.project })) }, { keys: 'r', what: 'Read the exports again', run: list.reload }], [state.project, list.reload]);
  const items = list.data?.items;
  const total = list.data?.total ?? 0;
  const options = new Map([...(projects.data?.items ?? []).map((one) => [one.id, one.name] as const), ...(state.project ? [[state.project, names.get(state.project) ?? shortId(state.project)] as const] : [])]);
  const buckets = new Map([...(state.destination ? [[state.destination, `deleted destination ${shortId(state.destination)}`] as const] : []), ...(stored ?? [])]);
  return (
    <Page
      fill
      title="Exports"
      subtitle={list.data && `${plural(total, 'export')}${isFiltered ? ' match' : ''}`}
      actions={
        <>
          <a class="button" href={destinationsHref()}>
            Destinations
          </a>
          <a class="button primary" href={newExportHref({ project: state.project })} title="New export (n)">
            New export
          </a>
        </>
      }
    >
      <div class="row wrap tools">
        <select class="field" aria-label="Status" value={state.status} onChange={(event) => set({ status: event.currentTarget.value as never, page: '1' })}>
          {FILTERS.map((one) => (
            <option key={one} value={one}>
              {one === 'all' ? 'Any status' : labelOf(one)}
            </option>
          ))}
        </select>
        <select class="field project-choice" aria-label="Project" value={state.project} onChange={(event) => set({ project: event.currentTarget.value, page: '1' })}>
          <option value="">All projects</option>
          {[...options].map(([id, name]) => (
            <option key={id} value={id}>
              {name.slice(0, 100)}
            </option>
          ))}
        </select>
        <select class="field project-choice" aria-label="Destination" value={state.destination} onChange={(event) => set({ destination: event.currentTarget.value, page: '1' })}>
          <option value="">All destinations</option>
          {[...buckets].map(([id, name]) => (
            <option key={id} value={id}>
              {name.slice(0, 100)}
            </option>
          ))}
        </select>
        <label class="row">
          <input type="checkbox" checked={state.windows !== ''} onChange={(event) => set({ windows: event.currentTarget.checked ? 'shown' : '', page: '1' })} />
          Exports created by schedules
        </label>
        {isFiltered && (
          <button class="button quiet" type="button" onClick={() => set({ status: 'all', project: '', destination: '', page: '1' })}>
            Clear
          </button>
        )}
      </div>
      {!items ? (
        <Pending query={list} what="the exports" rows={12} />
      ) : items.length === 0 ? (
        page > 1 ? (
          <Empty title="This page is empty">
            <div class="row">
              <button class="button" type="button" onClick={() => set({ page: '1' })}>
                First page
              </button>
            </div>
          </Empty>
        ) : isFiltered ? (
          <Empty title="No export matches these filters">Press Clear to see all exports{state.windows ? '' : ', or choose Exports created by schedules'}.</Empty>
        ) : (
          <Empty title="No exports yet" command={COMMAND}>
            An export writes the runs of a project and a time range to your bucket as Parquet files. Create a destination, then an export.
          </Empty>
        )
      ) : (
        <Grid label="Exports" columns={columns} total={items.length} row={(index) => items[index]} rowKey={(one) => one.id} rowHeight={54} cardHeight={112} onOpen={(one) => navigate(exportHref(one.id))} />
      )}
      {total > PAGE && (
        <div class="grid-foot">
          <Pages page={page} total={total} size={PAGE} onPage={(next) => set({ page: String(next) })} />
        </div>
      )}
    </Page>
  );
}
