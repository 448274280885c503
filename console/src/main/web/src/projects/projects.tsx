import { getList, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import { absolute, ago, cost, count, percent, seconds, shortCount } from '../ui/format';
import { Empty, ErrorState, Loading } from '../ui/states';
import { Grid, type Column } from '../ui/table';
import { useRef } from 'preact/hooks';
import { traceCommand } from './project';
import './projects.css';

export type Session = Schemas['SessionResponse'];

const SORTS = ['-last_run', 'last_run', 'name', '-name', 'latency_p50', '-latency_p50', 'error_rate', '-error_rate'] as const;
const FIELDS: Readonly<Record<string, string>> = { last_run: 'last_run_start_time', name: 'name', latency_p50: 'latency_p50', error_rate: 'error_rate' };
const STATE = { q: text(), sort: oneOf(SORTS, '-last_run') };
const LIMIT = 100;

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'name',
    title: 'Project',
    width: 'minmax(200px, 2fr)',
    sortable: true,
    cell: (one) => (
      <a class="list-link ellipsis" href={`${home()}/projects/${one.id}`}>
        <bdi>{one.name.slice(0, 300)}</bdi>
      </a>
    ),
  },
  { id: 'runs', title: 'Traces', width: '100px', end: true, cell: (one) => shortCount(one.run_count) },
  { id: 'error_rate', title: 'Errors', width: '90px', end: true, sortable: true, cell: (one) => <span class={one.error_rate ? 'error-text' : 'muted'}>{percent(one.error_rate)}</span> },
  { id: 'latency_p50', title: 'p50', width: '96px', end: true, sortable: true, cell: (one) => seconds(one.latency_p50) },
  { id: 'latency_p99', title: 'p99', width: '110px', end: true, cell: (one) => <span class="muted">{seconds(one.latency_p99)}</span> },
  { id: 'tokens', title: 'Tokens', width: '90px', end: true, cell: (one) => <span class="muted">{shortCount(one.total_tokens)}</span> },
  { id: 'cost', title: 'Cost', width: '84px', end: true, cell: (one) => <span class="muted">{cost(one.total_cost)}</span> },
  { id: 'last_run', title: 'Last run', width: '120px', end: true, sortable: true, cell: (one) => (one.last_run_start_time ? <span class="muted" title={absolute(one.last_run_start_time)}>{ago(one.last_run_start_time)}</span> : <span class="faint">never</span>) },
];

export default function ProjectsPage() {
  const { state, set } = useUrlState(STATE);
  const search = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', what: 'Search', run: () => search.current?.focus() }], []);
  const descending = state.sort.startsWith('-');
  const list = useQuery(
    `projects ${workspace.value} ${state.q} ${state.sort}`,
    (signal) =>
      getList('/api/v1/sessions', {
        query: { reference_free: true, include_stats: true, limit: LIMIT, sort_by: FIELDS[state.sort.replace('-', '')], sort_by_desc: descending, ...(state.q ? { name_contains: state.q } : {}) },
        signal,
      }),
    { changes: { types: ['runs', 'session'] }, keepPrevious: true },
  );
  const items = list.data?.items;
  return (
    <Page fill title="Projects" subtitle={list.data && `${count(list.data.total)} ${list.data.total === 1 ? 'project' : 'projects'}`}>
      <div class="row tools">
        <input ref={search} class="field" type="search" placeholder="Search by name" aria-label="Search projects" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
      </div>
      {list.error && !items ? (
        <ErrorState error={list.error} retry={list.reload} />
      ) : !items ? (
        <Loading what="the projects" rows={12} />
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
          columns={COLUMNS}
          total={items.length}
          row={(index) => items[index]}
          rowKey={(one) => one.id}
          rowHeight={36}
          sort={state.sort}
          onSort={(sort) => set({ sort: sort as (typeof SORTS)[number] })}
          onOpen={(one) => navigate(`${home()}/projects/${one.id}`)}
        />
      )}
      {list.data && list.data.total > LIMIT && <div class="grid-foot">The first {LIMIT} are shown; search for others.</div>}
    </Page>
  );
}
