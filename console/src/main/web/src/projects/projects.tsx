import { getList, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import { absolute, ago, cost, percent, plural, seconds, shortCount } from '../ui/format';
import { clicked, columnOf, ordered, type Values } from '../ui/order';
import { Empty, Pending } from '../ui/states';
import { Grid, place, type Column } from '../ui/table';
import { useMemo, useRef } from 'preact/hooks';
import { traceCommand } from './project';
import './projects.css';

export type Session = Schemas['SessionResponse'];

const SORTS = ['-last_run', 'last_run', 'name', '-name', '-runs', 'runs', '-latency_p50', 'latency_p50', '-latency_p99', 'latency_p99', '-error_rate', 'error_rate', '-tokens', 'tokens', '-cost', 'cost'] as const;
/** The orders of the service, by column. */
const FIELDS: Readonly<Record<string, string>> = { last_run: 'last_run_start_time', name: 'name', runs: 'runs_count', latency_p50: 'latency_p50', latency_p99: 'latency_p99', error_rate: 'error_rate' };
/** Orders of the page, for lists that are loaded completely. */
const VALUES: Values<Session> = { tokens: (one) => one.total_tokens, cost: (one) => (one.total_cost === null || one.total_cost === undefined ? null : Number(one.total_cost)) };
const STATE = { q: text(), sort: oneOf(SORTS, '-last_run') };
const LIMIT = 100;

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'name',
    title: 'Project',
    width: 'minmax(200px, 2fr)',
    narrow: place(1, 1, 8),
    sortable: true,
    cell: (one) => (
      <a class="list-link ellipsis" tabIndex={-1} href={`${home()}/projects/${one.id}`}>
        <bdi>{one.name.slice(0, 300)}</bdi>
      </a>
    ),
  },
  { id: 'runs', title: 'Traces', width: '100px', narrow: place(2, 1, 4), named: true, end: true, sortable: true, cell: (one) => shortCount(one.run_count) },
  { id: 'error_rate', title: 'Errors', width: '90px', narrow: place(2, 5, 8), named: true, end: true, sortable: true, cell: (one) => <span class={one.error_rate ? 'error-text' : 'muted'}>{percent(one.error_rate)}</span> },
  { id: 'latency_p50', title: 'p50', width: '96px', narrow: place(2, 9), named: true, end: true, sortable: true, cell: (one) => seconds(one.latency_p50) },
  { id: 'latency_p99', title: 'p99', width: '110px', end: true, sortable: true, cell: (one) => <span class="muted">{seconds(one.latency_p99)}</span> },
  { id: 'tokens', title: 'Tokens', width: '90px', end: true, cell: (one) => <span class="muted">{shortCount(one.total_tokens)}</span> },
  { id: 'cost', title: 'Cost', width: '84px', end: true, cell: (one) => <span class="muted">{cost(one.total_cost)}</span> },
  { id: 'last_run', title: 'Last run', width: '120px', narrow: place(1, 9), end: true, sortable: true, cell: (one) => (one.last_run_start_time ? <span class="muted" title={absolute(one.last_run_start_time)}>{ago(one.last_run_start_time)}</span> : <span class="faint">never</span>) },
];

export default function ProjectsPage() {
  const { state, set } = useUrlState(STATE);
  const search = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', what: 'Search', run: () => search.current?.focus() }], []);
  const descending = state.sort.startsWith('-');
  const field = FIELDS[columnOf(state.sort)];
  const list = useQuery(
    `projects ${workspace.value} ${state.q} ${field ? state.sort : ''}`,
    (signal) =>
      getList('/api/v1/sessions', {
        query: { reference_free: true, include_stats: true, limit: LIMIT, sort_by: field ?? FIELDS['last_run'], sort_by_desc: field ? descending : true, ...(state.q ? { name_contains: state.q } : {}) },
        signal,
      }),
    { changes: { types: ['runs', 'session'] }, keepPrevious: true },
  );
  const isComplete = list.data !== undefined && list.data.total <= LIMIT;
  const items = useMemo(() => (isComplete && list.data ? ordered(list.data.items, state.sort, VALUES) : list.data?.items), [list.data, state.sort]);
  const columns = useMemo(() => COLUMNS.map((column) => (isComplete && VALUES[column.id] ? { ...column, sortable: true } : column)), [isComplete]);
  return (
    <Page fill title="Projects" subtitle={list.data && plural(list.data.total, 'project')}>
      <div class="row tools">
        <input ref={search} class="field" type="search" placeholder="Search by name" aria-label="Search projects" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
      </div>
      {!items ? (
        <Pending query={list} what="the projects" rows={12} />
      ) : items.length === 0 ? (
        state.q ? (
          <Empty title="No project has this name" />
        ) : (
          <Empty title="No traces yet" command={traceCommand('my-agent')}>
            Set LANGSMITH_ENDPOINT and LANGSMITH_API_KEY in your agent, or send a run with curl; its project appears here.
          </Empty>
        )
      ) : (
        <Grid
          label="Projects"
          columns={columns}
          total={items.length}
          row={(index) => items[index]}
          rowKey={(one) => one.id}
          rowHeight={36}
          sort={state.sort}
          onSort={(sort) => set({ sort: clicked(SORTS, state.sort, sort) })}
          onOpen={(one) => navigate(`${home()}/projects/${one.id}`)}
        />
      )}
      {list.data && list.data.total > LIMIT && <div class="grid-foot">The first {LIMIT} are shown; search for others.</div>}
    </Page>
  );
}
