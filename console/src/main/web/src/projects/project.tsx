import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { ApiError, get, post, workspace, type Body } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { CopyButton } from '../ui/copy';
import { absolute, ago, cost, count, decimal, percent, seconds, shortCount } from '../ui/format';
import { Empty, ErrorState } from '../ui/states';
import { Grid, type Column } from '../ui/table';
import { Activity } from './activity';
import { conjunction, previewText } from './filter';
import { FilterBar } from './filter-bar';
import './projects.css';

const RANGES = ['all', '1h', '24h', '7d', '30d'] as const;
const HOURS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
const STATE = { filter: text(), range: oneOf(RANGES, 'all'), from: text(), to: text(), scope: oneOf(['traces', 'runs'] as const, 'traces'), order: oneOf(['-start', 'start'] as const, '-start') };
const FIELDS = ['id', 'trace_id', 'name', 'run_type', 'status', 'error', 'start_time', 'latency', 'total_tokens', 'total_cost', 'inputs_preview', 'outputs_preview', 'feedback_stats', 'tags'];
const PAGE = 50;

export interface RunRow {
  readonly id: string;
  readonly trace_id: string;
  readonly name: string;
  readonly run_type: string;
  readonly status: string;
  readonly error: string | null;
  readonly start_time: string;
  readonly latency: number | null;
  readonly total_tokens: number | null;
  readonly total_cost: string | null;
  readonly inputs_preview: string | null;
  readonly outputs_preview: string | null;
  readonly feedback_stats: Readonly<Record<string, { avg: number | null }>> | null;
  readonly tags: readonly string[] | null;
}

export type Conditions = Body<'/api/v1/runs/stats', 'post'>;

/** Appends pages by cursor; a change of the query aborts and starts again. */
function useRuns(conditions: Conditions, order: 'asc' | 'desc') {
  const [state, setState] = useState<{ rows: readonly RunRow[]; next: string | null; loading: boolean; error?: Error }>({ rows: [], next: null, loading: true });
  const [attempt, retry] = useReducer((n: number) => n + 1, 0);
  const signature = JSON.stringify([conditions, order]);
  const controller = useMemo(() => new AbortController(), [signature, attempt]);
  const read = async (cursor: string | null, before: readonly RunRow[]): Promise<void> => {
    setState({ rows: before, next: null, loading: true });
    try {
      const page = await post('/api/v1/runs/query', { body: { ...conditions, select: FIELDS, limit: PAGE, order, ...(cursor ? { cursor } : {}) }, signal: controller.signal });
      setState({ rows: [...before, ...(page.runs as unknown as RunRow[])], next: page.cursors.next ?? null, loading: false });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') {
        setState({ rows: before, next: null, loading: false, error: error as Error });
      }
    }
  };
  useEffect(() => {
    void read(null, []);
    return () => controller.abort();
  }, [controller]);
  const more = (): void => {
    if (state.next && !state.loading) {
      void read(state.next, state.rows);
    }
  };
  return { ...state, more, retry: () => retry(0) };
}

function columns(): Column<RunRow>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 'minmax(150px, 0.9fr)',
      cell: (run) => (
        <a class="row run-name" href={`${home()}/traces/${run.trace_id}${run.id === run.trace_id ? '' : `?run=${run.id}`}`}>
          <span class={`dot ${run.status}`} title={run.status} />
          <bdi class="ellipsis">{run.name.slice(0, 200)}</bdi>
          <span class="visually-hidden">{run.status}</span>
        </a>
      ),
    },
    { id: 'input', title: 'Input', width: 'minmax(180px, 1.5fr)', cell: (run) => <span class="one-line">{previewText(run.inputs_preview)}</span> },
    { id: 'output', title: 'Output', width: 'minmax(180px, 1.5fr)', cell: (run) => <span class={`one-line ${run.error ? 'error-text' : 'muted'}`}>{run.error ? run.error.slice(0, 300) : previewText(run.outputs_preview)}</span> },
    {
      id: 'feedback',
      title: 'Feedback',
      width: '150px',
      cell: (run) => (
        <span class="one-line">
          {Object.entries(run.feedback_stats ?? {}).map(([key, stats]) => (
            <span key={key} class="badge" title={key}>
              {key.slice(0, 16)} {decimal(stats.avg)}
            </span>
          ))}
        </span>
      ),
    },
    { id: 'latency', title: 'Duration', width: '96px', end: true, cell: (run) => seconds(run.latency) },
    { id: 'tokens', title: 'Tokens', width: '80px', end: true, cell: (run) => <span class="muted">{shortCount(run.total_tokens)}</span> },
    { id: 'cost', title: 'Cost', width: '76px', end: true, cell: (run) => <span class="muted">{cost(run.total_cost)}</span> },
    { id: 'start', title: 'Started', width: '116px', end: true, sortable: true, cell: (run) => <span class="muted" title={absolute(run.start_time)}>{ago(run.start_time)}</span> },
  ];
}

const COLUMNS = columns();

export default function ProjectPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const project = useQuery(`project ${workspace.value} ${id}`, (signal) => get('/api/v1/sessions/{session_id}', { path: { session_id: id }, query: { include_stats: true }, signal }));
  const from = state.from || (HOURS[state.range] ? new Date(Math.floor(Date.now() / 60_000) * 60_000 - HOURS[state.range]! * 3_600_000).toISOString() : '');
  const scope: Conditions = { session: [id] as never, ...(state.scope === 'traces' ? { is_root: true } : {}), ...(from ? { start_time: from } : {}), ...(state.to ? { end_time: state.to } : {}) };
  const conditions: Conditions = state.filter ? { ...scope, filter: state.filter } : scope;
  const runs = useRuns(conditions, state.order === 'start' ? 'asc' : 'desc');
  const invalid = runs.error instanceof ApiError && runs.error.status === 422 && state.filter ? runs.error : undefined;
  const crumbs = [{ label: 'Projects', href: `${home()}/projects` }];
  useKeys([{ keys: 'r', what: 'Read the runs again', run: runs.retry }], [runs.retry]);
  if (project.error && !project.data) {
    return (
      <Page title="Project" crumbs={crumbs}>
        <ErrorState error={project.error} retry={project.reload} back={{ href: crumbs[0]!.href, label: 'All projects' }} />
      </Page>
    );
  }
  return (
    <Page
      fill
      title={project.data?.name ?? '…'}
      crumbs={crumbs}
      subtitle={project.data?.description}
      actions={<CopyButton label="Export these" done="The command that exports these runs was copied" text={() => exportCommand(id, from, state.to, state.filter)} />}
    >
      <div class="row wrap tools">
        <FilterBar value={state.filter} onApply={(filter) => set({ filter })} error={invalid} />
        <select class="field" aria-label="Range" value={state.from || state.to ? 'custom' : state.range} onChange={(event) => set({ range: event.currentTarget.value as never, from: '', to: '' })}>
          {(state.from || state.to) && <option value="custom">Selected range</option>}
          {RANGES.map((range) => (
            <option key={range} value={range}>
              {range === 'all' ? 'All time' : `Last ${range}`}
            </option>
          ))}
        </select>
        <select class="field" aria-label="Rows" value={state.scope} onChange={(event) => set({ scope: event.currentTarget.value as never })}>
          <option value="traces">Traces</option>
          <option value="runs">All runs</option>
        </select>
        <button class="chip" type="button" onClick={() => set({ filter: conjunction(state.filter, 'eq(status, "error")') })}>
          Only errors
        </button>
        {(state.filter || from || state.to) && (
          <button class="button quiet" type="button" onClick={() => set({ filter: '', from: '', to: '', range: 'all' })}>
            Clear
          </button>
        )}
      </div>
      {!invalid && <Stats conditions={conditions} />}
      {!invalid && project.data && (
        <Activity
          conditions={conditions}
          from={from}
          to={state.to}
          onSelect={(start, end) => set({ from: new Date(start * 1000).toISOString(), to: new Date(end * 1000).toISOString() })}
        />
      )}
      <Rows runs={runs} invalid={invalid !== undefined} order={state.order} hasFilter={state.filter !== '' || from !== '' || state.to !== ''} onOrder={(order) => set({ order })} name={project.data?.name ?? ''} />
    </Page>
  );
}

function Rows({ runs, invalid, order, hasFilter, onOrder, name }: { runs: ReturnType<typeof useRuns>; invalid: boolean; order: '-start' | 'start'; hasFilter: boolean; onOrder: (order: '-start' | 'start') => void; name: string }) {
  if (runs.error && !runs.rows.length) {
    return invalid ? null : <ErrorState error={runs.error} retry={runs.retry} />;
  }
  if (!runs.loading && runs.rows.length === 0) {
    return hasFilter ? <Empty title="No run matches">Change the filter or the range.</Empty> : <Empty title="This project has no runs" command={traceCommand(name)} />;
  }
  const total = runs.rows.length + (runs.loading || runs.next ? 10 : 0);
  return (
    <>
      <Grid
        label="Runs"
        columns={COLUMNS}
        total={total}
        row={(index) => runs.rows[index]}
        rowKey={(run) => run.id}
        rowHeight={34}
        sort={order}
        onSort={(next) => onOrder(next === 'start' ? 'start' : '-start')}
        onOpen={(run) => navigate(`${home()}/traces/${run.trace_id}${run.id === run.trace_id ? '' : `?run=${run.id}`}`)}
        onRange={(_, last) => last >= runs.rows.length - 20 && runs.more()}
      />
      <div class="grid-foot">{runs.loading ? 'Loading …' : runs.next ? `${count(runs.rows.length)} loaded, more follow` : `${count(runs.rows.length)} in all`}</div>
    </>
  );
}

function Stats({ conditions }: { conditions: Conditions }) {
  const stats = useQuery(`stats ${workspace.value} ${JSON.stringify(conditions)}`, (signal) => post('/api/v1/runs/stats', { body: conditions, signal }), { keepPrevious: true });
  const data = stats.data;
  if (stats.error && !data) {
    return null;
  }
  const facts: readonly (readonly [string, string])[] = [
    ['runs', shortCount(data?.run_count)],
    ['errors', percent(data?.error_rate)],
    ['p50', seconds(data?.latency_p50)],
    ['p99', seconds(data?.latency_p99)],
    ['first token p50', seconds(data?.first_token_p50)],
    ['tokens', shortCount(data?.total_tokens)],
    ['cost', cost(data?.total_cost)],
  ];
  return (
    <dl class="figures" aria-busy={stats.loading}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{data ? value : <span class="skeleton" />}</dd>
        </div>
      ))}
    </dl>
  );
}

function exportCommand(session: string, from: string, to: string, filter: string): string {
  const body = { bulk_export_destination_id: 'DESTINATION_ID', session_id: session, start_time: from || '2020-01-01T00:00:00Z', end_time: to || new Date().toISOString(), format_version: 'v2_beta', ...(filter ? { filter } : {}) };
  return `curl -sS --fail-with-body "$WAYBILL_EXPORT_URL/api/v1/bulk-exports" \\\n  -H "X-API-Key: $WAYBILL_API_KEY" -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
}

export function traceCommand(project: string): string {
  return `curl -sS --fail-with-body "$WAYBILL_EXPERIMENT_URL/api/v1/runs" \\
  -H "X-API-Key: $WAYBILL_API_KEY" -H "Content-Type: application/json" \\
  -d '{"id": "'$(uuidgen)'", "name": "hello", "run_type": "chain", "session_name": "${project || 'my-agent'}",
       "start_time": "'$(date -u +%FT%TZ)'", "end_time": "'$(date -u +%FT%TZ)'",
       "inputs": {"question": "Does it work?"}, "outputs": {"answer": "Yes."}}'`;
}

