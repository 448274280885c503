import { useMemo } from 'preact/hooks';
import { ApiError, get, post, workspace, type Body } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { list, navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { CopyButton } from '../ui/copy';
import { cost, count, percent, seconds, shortCount } from '../ui/format';
import { ColumnMenu } from '../ui/menu';
import { Empty, ErrorState } from '../ui/states';
import { Grid } from '../ui/table';
import { Activity } from './activity';
import { conjunction } from './filter';
import { FilterBar } from './filter-bar';
import { chosenColumns, COLUMN_CHOICES, columnState, fieldsOf, hrefOf } from './run-columns';
import { useRuns } from './runs';
import './projects.css';

const RANGES = ['all', '1h', '24h', '7d', '30d'] as const;
const HOURS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
const STATE = { filter: text(), range: oneOf(RANGES, 'all'), from: text(), to: text(), scope: oneOf(['traces', 'runs'] as const, 'traces'), order: oneOf(['-start', 'start'] as const, '-start'), columns: list };

const ONLY_ERRORS = 'eq(status, "error")';

export type Conditions = Body<'/api/v1/runs/stats', 'post'>;

/** The start of a range that ends now; it stays the same while the page is open, so that its rows stay. */
function startOf(range: string): string {
  const hours = HOURS[range];
  return hours ? new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString() : '';
}

export default function ProjectPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const project = useQuery(`project ${workspace.value} ${id}`, (signal) => get('/api/v1/sessions/{session_id}', { path: { session_id: id }, query: { include_stats: true }, signal }));
  const from = useMemo(() => state.from || startOf(state.range), [state.from, state.range]);
  const scope: Conditions = { session: [id] as never, ...(state.scope === 'traces' ? { is_root: true } : {}), ...(from ? { start_time: from } : {}), ...(state.to ? { end_time: state.to } : {}) };
  const conditions: Conditions = state.filter ? { ...scope, filter: state.filter } : scope;
  const columns = useMemo(() => chosenColumns(state.columns), [state.columns.join()]);
  const runs = useRuns(id, conditions, state.order === 'start' ? 'asc' : 'desc', fieldsOf(columns));
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
        <button
          class="chip"
          type="button"
          aria-pressed={state.filter.includes(ONLY_ERRORS)}
          onClick={() => set({ filter: state.filter === ONLY_ERRORS ? '' : state.filter.includes(ONLY_ERRORS) ? state.filter : conjunction(state.filter, ONLY_ERRORS) })}
        >
          Only errors
        </button>
        {(state.filter || from || state.to) && (
          <button class="button quiet" type="button" onClick={() => set({ filter: '', from: '', to: '', range: 'all' })}>
            Clear
          </button>
        )}
        <ColumnMenu
          choices={COLUMN_CHOICES}
          shown={columns.map((column) => column.id)}
          onChange={(shown) => set({ columns: columnState(shown) }, { replace: true })}
          onReset={state.columns.length ? () => set({ columns: [] }, { replace: true }) : undefined}
        />
      </div>
      {!invalid && <Stats id={id} conditions={conditions} scope={state.scope} />}
      {!invalid && project.data && (
        <Activity
          session={id}
          conditions={conditions}
          onSelect={(start, end) => set({ from: new Date(start * 1000).toISOString(), to: new Date(end * 1000).toISOString() })}
        />
      )}
      <Rows runs={runs} columns={columns} invalid={invalid !== undefined} order={state.order} hasFilter={state.filter !== '' || from !== '' || state.to !== ''} onOrder={(order) => set({ order })} onAllRuns={state.scope === 'traces' ? () => set({ scope: 'runs' }) : undefined} name={project.data?.name ?? ''} />
    </Page>
  );
}

interface RowsProps {
  readonly runs: ReturnType<typeof useRuns>;
  readonly columns: ReturnType<typeof chosenColumns>;
  readonly invalid: boolean;
  readonly order: '-start' | 'start';
  readonly hasFilter: boolean;
  readonly onOrder: (order: '-start' | 'start') => void;
  /** Includes runs below the roots of traces; undefined if they are included. */
  readonly onAllRuns: (() => void) | undefined;
  readonly name: string;
}

function Rows({ runs, columns, invalid, order, hasFilter, onOrder, onAllRuns, name }: RowsProps) {
  if (runs.error && !runs.rows.length) {
    return invalid ? null : <ErrorState error={runs.error} retry={runs.retry} />;
  }
  if (!runs.loading && runs.rows.length === 0) {
    return <NoRuns hasFilter={hasFilter} onAllRuns={onAllRuns} name={name} />;
  }
  const total = runs.rows.length + (runs.loading || runs.next ? 10 : 0);
  return (
    <>
      <Grid
        label="Runs"
        columns={columns}
        total={total}
        row={(index) => runs.rows[index]}
        rowKey={(run) => run.id}
        rowHeight={34}
        sort={order}
        onSort={(next) => onOrder(next === 'start' ? 'start' : '-start')}
        onOpen={(run) => navigate(hrefOf(run))}
        onRange={runs.show}
      />
      <div class="grid-foot">
        {runs.hasNew && (
          <button class="chip" type="button" onClick={runs.retry}>
            New runs: read again
          </button>
        )}
        {runs.loading ? 'Loading …' : runs.next ? `${count(runs.rows.length)} loaded, more follow` : `${count(runs.rows.length)} in all`}
      </div>
    </>
  );
}

function NoRuns({ hasFilter, onAllRuns, name }: Pick<RowsProps, 'hasFilter' | 'onAllRuns' | 'name'>) {
  if (!onAllRuns) {
    return hasFilter ? <Empty title="No run matches">Change the filter or the range.</Empty> : <Empty title="This project has no runs" command={traceCommand(name)} />;
  }
  return (
    <Empty title={hasFilter ? 'No root run matches' : 'This project has no root runs'} {...(hasFilter ? {} : { command: traceCommand(name) })}>
      <p class="muted">{hasFilter ? 'The filter applies to the first run of each trace. Other runs may match.' : 'Runs whose trace began elsewhere are among all runs.'}</p>
      <button class="button primary" type="button" onClick={onAllRuns}>
        Search all runs
      </button>
    </Empty>
  );
}

/** Traces have the tokens and costs of all their runs; a filter selects root runs, which have their own only. */
function Stats({ id, conditions, scope }: { id: string; conditions: Conditions; scope: 'traces' | 'runs' }) {
  const { is_root: _, ...all } = conditions;
  const isWhole = scope === 'traces' && !conditions.filter;
  const totals = useQuery(isWhole ? `stats ${workspace.value} ${JSON.stringify(all)}` : null, (signal) => post('/api/v1/runs/stats', { body: all, signal }), {
    changes: { types: ['runs'], sessions: [id] },
    keepPrevious: true,
  });
  const stats = useQuery(`stats ${workspace.value} ${JSON.stringify(conditions)}`, (signal) => post('/api/v1/runs/stats', { body: conditions, signal }), {
    changes: { types: ['runs'], sessions: [id] },
    keepPrevious: true,
  });
  const data = stats.data;
  if (stats.error && !data) {
    return null;
  }
  const facts: readonly (readonly [string, string])[] = [
    [scope, shortCount(data?.run_count)],
    ['errors', percent(data?.error_rate)],
    ['p50', seconds(data?.latency_p50)],
    ['p99', seconds(data?.latency_p99)],
    ['first token p50', seconds(data?.first_token_p50)],
    [isWhole || scope === 'runs' ? 'tokens' : 'tokens of root runs', shortCount((isWhole ? totals.data : data)?.total_tokens)],
    [isWhole || scope === 'runs' ? 'cost' : 'cost of root runs', cost((isWhole ? totals.data : data)?.total_cost)],
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

