import { useMemo, useRef } from 'preact/hooks';
import { getList, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import { postCommand } from '../ui/command';
import { absolute, ago, count, plural } from '../ui/format';
import { clicked, ordered, type Values } from '../ui/order';
import { Empty, Pending } from '../ui/states';
import { Grid, place, type Column } from '../ui/table';
import '../projects/projects.css';

type Dataset = Schemas['DatasetResponse'];
const SORTS = ['created', 'name', '-name', '-examples', 'examples', '-experiments', 'experiments', '-last', 'last'] as const;
const STATE = { q: text(), sort: oneOf(SORTS, 'created') };
/** Orders of a list that is loaded completely; the service has one order, the newest first. */
const VALUES: Values<Dataset> = { name: (one) => one.name, examples: (one) => one.example_count, experiments: (one) => one.session_count, last: (one) => one.last_session_start_time };
const LIMIT = 100;

const COLUMNS: readonly Column<Dataset>[] = [
  {
    id: 'name',
    title: 'Dataset',
    width: 'minmax(220px, 1.2fr)',
    narrow: place(1),
    cell: (one) => (
      <a class="list-link ellipsis" tabIndex={-1} href={`${home()}/datasets/${one.id}`}>
        <bdi>{one.name.slice(0, 300)}</bdi>
      </a>
    ),
  },
  { id: 'description', title: 'Description', width: 'minmax(160px, 2fr)', narrow: place(2), cell: (one) => <span class="one-line muted">{one.description}</span> },
  { id: 'examples', title: 'Examples', width: '96px', narrow: place(3, 1, 4), named: true, end: true, cell: (one) => count(one.example_count) },
  { id: 'experiments', title: 'Experiments', width: '116px', narrow: place(3, 5, 8), named: true, end: true, cell: (one) => count(one.session_count) },
  { id: 'last', title: 'Last experiment', width: '140px', narrow: place(3, 9), end: true, cell: (one) => (one.last_session_start_time ? <span class="muted" title={absolute(one.last_session_start_time)}>{ago(one.last_session_start_time)}</span> : <span class="faint">none</span>) },
];

const UPLOAD = postCommand(
  'EXPERIMENT',
  '/api/v1/datasets/upload-experiment',
  `{"experiment_name": "first", "dataset_name": "questions",
       "experiment_start_time": "2026-01-01T00:00:00Z", "experiment_end_time": "2026-01-01T01:00:00Z",
       "results": [{"row_id": "'$(uuidgen)'", "inputs": {"question": "2 + 2?"}, "actual_outputs": {"answer": "4"},
         "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z",
         "evaluation_scores": [{"key": "correct", "score": 1}]}]}`,
);

export default function DatasetsPage() {
  const { state, set } = useUrlState(STATE);
  const search = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', what: 'Search', run: () => search.current?.focus() }], []);
  const list = useQuery(
    `datasets ${workspace.value} ${state.q}`,
    (signal) => getList('/api/v1/datasets', { query: { limit: LIMIT, ...(state.q ? { name_contains: state.q } : {}) }, signal }),
    { changes: { types: ['experiment', 'dataset', 'session'] }, keepPrevious: true },
  );
  const isComplete = list.data !== undefined && list.data.total <= LIMIT;
  const items = useMemo(() => (isComplete && list.data ? ordered(list.data.items, state.sort, VALUES) : list.data?.items), [list.data, state.sort]);
  const columns = useMemo(() => (isComplete ? COLUMNS.map((column) => (VALUES[column.id] ? { ...column, sortable: true } : column)) : COLUMNS), [isComplete]);
  return (
    <Page fill title="Datasets" subtitle={list.data && plural(list.data.total, 'dataset')}>
      <div class="row tools">
        <input ref={search} class="field" type="search" placeholder="Search by name" aria-label="Search datasets" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
      </div>
      {!items ? (
        <Pending query={list} what="the datasets" rows={12} />
      ) : items.length === 0 ? (
        state.q ? (
          <Empty title="No dataset has this name" />
        ) : (
          <Empty title="No datasets yet" command={UPLOAD}>
            Upload an experiment, and its dataset appears here; a second one with the same dataset_name can be compared with it.
          </Empty>
        )
      ) : (
        <Grid label="Datasets" columns={columns} total={items.length} row={(index) => items[index]} rowKey={(one) => one.id} rowHeight={36} cardHeight={78} sort={state.sort} onSort={(sort) => set({ sort: clicked(SORTS, state.sort, sort) })} onOpen={(one) => navigate(`${home()}/datasets/${one.id}`)} />
      )}
      {list.data && list.data.total > LIMIT && <div class="grid-foot">The first {LIMIT} are shown; search for others.</div>}
    </Page>
  );
}
