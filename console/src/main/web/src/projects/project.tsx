import { useMemo } from 'preact/hooks';
import { ApiError, get, post, workspace, type Body } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { list, navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import { comparisonHref, useDataset } from '../datasets/links';
import { ALL_TIME, newExportHref } from '../exports/links';
import type { RouteProps } from '../main';
import { postCommand } from '../ui/command';
import { CopyLink } from '../ui/copy';
import { absolute, cost, count, percent, seconds, shortCount } from '../ui/format';
import { Icon } from '../ui/icons';
import { ColumnMenu } from '../ui/menu';
import { Empty, ErrorState } from '../ui/states';
import { clicked, columnOf, ordered } from '../ui/order';
import { Grid } from '../ui/table';
import { Activity } from './activity';
import { conjunction } from './filter';
import { FilterBar } from './filter-bar';
import { chosenColumns, COLUMN_CHOICES, columnState, fieldsOf, hrefOf, MAX_ORDERED, needsAll, RUN_ORDERS, RUN_VALUES, sortableColumns, type RunColumn, type RunOrder } from './run-columns';
import { useRuns } from './runs';
import './projects.css';

const RANGES = ['all', '1h', '24h', '7d', '30d'] as const;
const HOURS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
const STATE = { filter: text(), range: oneOf(RANGES, 'all'), from: text(), to: text(), scope: oneOf(['traces', 'runs'] as const, 'traces'), order: oneOf(RUN_ORDERS, '-start'), columns: list };

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
  const stats = useStats(id, conditions);
  const columns = useMemo(() => chosenColumns(state.columns), [state.columns.join()]);
  // An order by a column that is not shown, or of too many rows, is that of the service.
  const matching = stats.data?.run_count ?? undefined;
  const isOrderable = matching !== undefined && matching <= MAX_ORDERED;
  const order = needsAll(state.order) && !(isOrderable && columns.some((column) => column.id === columnOf(state.order))) ? '-start' : state.order;
  const runs = useRuns(id, conditions, order === 'start' ? 'asc' : 'desc', fieldsOf(columns), needsAll(order));
  const invalid = runs.error instanceof ApiError && runs.error.status === 422 && state.filter ? runs.error : undefined;
  const dataset = useDataset(project.data?.reference_dataset_id ?? null);
  const crumbs = dataset ? [{ label: 'Datasets', href: `${home()}/datasets` }, dataset] : [{ label: 'Projects', href: `${home()}/projects` }];
  useKeys([{ keys: 'r', what: 'Read the runs again', run: runs.retry }], [runs.retry]);
  if (project.error && !project.data) {
    return (
      <Page title="Project" crumbs={crumbs}>
        <ErrorState error={project.error} retry={project.reload} back={{ href: `${home()}/projects`, label: 'All projects' }} />
      </Page>
    );
  }
  return (
    <Page
      fill
      title={project.data?.name ?? '…'}
      crumbs={crumbs}
      subtitle={project.data?.description}
      actions={
        <>
          {dataset && (
            <a class="button" href={comparisonHref(dataset.id, dataset.baseline, id)}>
              Compare
            </a>
          )}
          <CopyLink />
          <a class="button" href={newExportHref({ project: id, filter: state.filter, from: from || ALL_TIME, to: state.to })}>
            <Icon name="exports" size={14} />
            Export these
          </a>
        </>
      }
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
      {!invalid && <Stats id={id} conditions={conditions} scope={state.scope} stats={stats} onSlow={(latency) => set({ filter: conjunction(state.filter, `gte(latency, ${latency})`) })} />}
      {!invalid && project.data && (
        <Activity
          session={id}
          conditions={conditions}
          onSelect={(start, end) => set({ from: new Date(start * 1000).toISOString(), to: new Date(end * 1000).toISOString() })}
        />
      )}
      <Rows runs={runs} columns={columns} matching={matching} invalid={invalid !== undefined} order={order} hasFilter={state.filter !== '' || from !== '' || state.to !== ''} onOrder={(order) => set({ order })} onAllRuns={state.scope === 'traces' ? () => set({ scope: 'runs' }) : undefined} name={project.data?.name ?? ''} />
    </Page>
  );
}

interface RowsProps {
  readonly runs: ReturnType<typeof useRuns>;
  readonly columns: readonly RunColumn[];
  /** Number of runs that match; a few can be loaded completely and ordered by any value. */
  readonly matching: number | undefined;
  readonly invalid: boolean;
  readonly order: RunOrder;
  readonly hasFilter: boolean;
  readonly onOrder: (order: RunOrder) => void;
  /** Includes runs below the roots of traces; undefined if they are included. */
  readonly onAllRuns: (() => void) | undefined;
  readonly name: string;
}

function Rows({ runs, columns, matching = Infinity, invalid, order, hasFilter, onOrder, onAllRuns, name }: RowsProps) {
  const rows = useMemo(() => ordered(runs.rows, order, RUN_VALUES), [runs.rows, order]);
  const shown = useMemo(() => sortableColumns(columns, matching <= MAX_ORDERED), [columns, matching <= MAX_ORDERED]);
  if (runs.error && !runs.rows.length) {
    return invalid ? null : <ErrorState error={runs.error} retry={runs.retry} />;
  }
  if (!runs.loading && !runs.next && runs.rows.length === 0) {
    return <NoRuns hasFilter={hasFilter} onAllRuns={onAllRuns} name={name} />;
  }
  const total = runs.rows.length + (runs.loading || runs.next ? 10 : 0);
  return (
    <>
      <Grid
        label="Runs"
        columns={shown}
        total={total}
        row={(index) => rows[index]}
        rowKey={(run) => run.id}
        rowHeight={34}
        cardHeight={96}
        sort={order}
        onSort={(next) => onOrder(clicked(RUN_ORDERS, order, next))}
        onOpen={(run) => navigate(hrefOf(run))}
        onRange={runs.show}
      />
      <div class="grid-foot">
        {runs.hasNew && (
          <button class="chip" type="button" onClick={runs.retry}>
            New runs: read again
          </button>
        )}
        {runs.until && (
          <span>
            {count(runs.rows.length)} found, searched to {absolute(runs.until)}.
          </span>
        )}
        {runs.loading ? 'Loading …' : runs.next ? `${count(runs.rows.length)} loaded, more follow` : `${count(runs.rows.length)} in all`}
        {Number.isFinite(matching) && matching > MAX_ORDERED && <span>Up to {count(MAX_ORDERED)} runs can be sorted by duration, tokens or cost: narrow the filter or the range.</span>}
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

const useStats = (id: string, conditions: Conditions) =>
  useQuery(`stats ${workspace.value} ${JSON.stringify(conditions)}`, (signal) => post('/api/v1/runs/stats', { body: conditions, signal }), { changes: { types: ['runs'], sessions: [id] }, keepPrevious: true });

interface StatsProps {
  readonly id: string;
  readonly conditions: Conditions;
  readonly scope: 'traces' | 'runs';
  readonly stats: ReturnType<typeof useStats>;
  /** Receives the duration, in seconds, of the slowest percent. */
  readonly onSlow: (latency: number) => void;
}

/** Traces have the tokens and costs of all their runs; a filter selects root runs, which have their own only. */
function Stats({ id, conditions, scope, stats, onSlow }: StatsProps) {
  const { is_root: _, ...all } = conditions;
  const isWhole = scope === 'traces' && !conditions.filter;
  const totals = useQuery(isWhole ? `stats ${workspace.value} ${JSON.stringify(all)}` : null, (signal) => post('/api/v1/runs/stats', { body: all, signal }), {
    changes: { types: ['runs'], sessions: [id] },
    keepPrevious: true,
  });
  const { data } = stats;
  if (stats.error && !data) {
    return null;
  }
  const facts: readonly (readonly [string, string])[] = [
    [scope === 'runs' ? 'Runs' : 'Traces', shortCount(data?.run_count)],
    ['Errors', percent(data?.error_rate)],
    ['p50', seconds(data?.latency_p50)],
    ['p99', seconds(data?.latency_p99)],
    ['First token p50', seconds(data?.first_token_p50)],
    [isWhole || scope === 'runs' ? 'Tokens' : 'Tokens of root runs', shortCount((isWhole ? totals.data : data)?.total_tokens)],
    [isWhole || scope === 'runs' ? 'Cost' : 'Cost of root runs', cost((isWhole ? totals.data : data)?.total_cost)],
  ];
  return (
    <dl class="figures" aria-busy={stats.loading}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{!data ? <span class="skeleton" /> : name === 'p99' && data.latency_p99 ? <SlowRuns latency={data.latency_p99} onSlow={onSlow} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function SlowRuns({ latency, onSlow }: { latency: number; onSlow: StatsProps['onSlow'] }) {
  return (
    <button type="button" title={`Show the runs of ${seconds(latency)} or longer`} onClick={() => onSlow(Math.floor(latency * 1000) / 1000)}>
      {seconds(latency)}
    </button>
  );
}

export function traceCommand(project: string): string {
  return postCommand(
    'EXPERIMENT',
    '/api/v1/runs',
    `{"id": "'$(uuidgen)'", "name": "hello", "run_type": "chain",
       "session_name": "${project || 'my-agent'}",
       "start_time": "'$(date -u +%FT%TZ)'", "end_time": "'$(date -u +%FT%TZ)'",
       "inputs": {"question": "Does it work?"}, "outputs": {"answer": "Yes."}}`,
  );
}

