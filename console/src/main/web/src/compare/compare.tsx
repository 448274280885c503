import { useMemo } from 'preact/hooks';
import { get, getList, send, workspace, type Schemas } from '../api/client';
import { useQuery, type Query } from '../api/query';
import { postTagged } from '../api/tagged';
import { useKeys } from '../app/keys';
import { list, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { CopyButton, CopyLink } from '../ui/copy';
import { Icon } from '../ui/icons';
import { formatRange, parseRange } from '../ui/ranges';
import { cellText } from '../ui/scatter';
import { Empty, ErrorState, Loading } from '../ui/states';
import { Grid } from '../ui/table';
import { toast } from '../ui/toast';
import { Cards } from './cards';
import { choice } from './choice';
import './compare.css';
import { Detail } from './detail';
import { Distribution } from './distribution';
import { ExperimentPicker } from './experiment-picker';
import { ALL_ROWS, defaultKey, feedbackKeys, gateCommand, markdown, orderOf, parseCell, rowsRequest, SORTS, VIEWS, type Compared, type Comparison, type Request, type Selection } from './model';
import { cardHeight, columns, differenceColumn } from './rows';
import { RowsBar } from './rows-bar';
import { useRows } from './use-rows';

/** Sort and view apply to the candidate `by`; range and cell, which the charts select, to the candidate `of`. */
const STATE = {
  base: text(),
  with: list,
  key: text(),
  view: oneOf(VIEWS, 'all'),
  sort: oneOf(SORTS, 'worst'),
  by: text(),
  charts: oneOf(['hidden', 'shown'] as const, 'hidden'),
  range: text(),
  cell: text(),
  of: text(),
  row: text(),
};
const ROW_HEIGHT = 53;

export default function ComparePage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set, href } = useUrlState(STATE);
  const dataset = useQuery(`dataset ${workspace.value} ${id}`, (signal) => get('/api/v1/datasets/{dataset_id}', { path: { dataset_id: id }, signal }));
  const experiments = useQuery(`experiments ${workspace.value} ${id}`, (signal) => getList('/api/v1/sessions', { query: { reference_dataset: id, limit: 100 }, signal }));
  const read = (body: Request, signal: AbortSignal): Promise<Comparison> => postTagged('/api/v1/datasets/{dataset_id}/comparison', { path: { dataset_id: id }, body, signal });
  // A link that names the experiments is compared at once, beside the requests for their names.
  const named = state.base && state.with.length ? { base: state.base, candidates: state.with.filter((one) => one !== state.base) } : null;
  const chosen = named ?? (dataset.data && experiments.data ? choice(state, experiments.data.items, dataset.data.baseline_experiment_id ?? undefined) : null);
  const summary = useQuery(
    chosen?.candidates.length ? `comparison ${workspace.value} ${id} ${chosen.base} ${chosen.candidates}` : null,
    (signal) => read({ experiment_ids: [...chosen!.candidates], baseline_experiment_id: chosen!.base, parts: ['summary'] }, signal),
    { changes: { types: ['experiment', 'feedback', 'runs'], sessions: chosen ? [chosen.base, ...chosen.candidates] : [] } },
  );
  const datasetHref = `${home()}/datasets/${id}`;
  const crumbs = [{ label: 'Datasets', href: `${home()}/datasets` }, { label: dataset.data?.name ?? 'Dataset', href: datasetHref }];
  const failure = dataset.error ?? experiments.error;
  if (failure && !(dataset.data && experiments.data)) {
    return (
      <Page title="Comparison" crumbs={crumbs}>
        <ErrorState error={failure} retry={dataset.reload} back={{ href: `${home()}/datasets`, label: 'All datasets' }} />
      </Page>
    );
  }
  if (!dataset.data || !experiments.data || !chosen) {
    return (
      <Page title="Comparison" crumbs={crumbs}>
        <Loading what="the comparison" rows={12} />
      </Page>
    );
  }
  if (chosen.candidates.length === 0) {
    return (
      <Page title="Comparison" crumbs={crumbs}>
        <Empty title="A comparison needs two experiments">
          <p>This dataset has {experiments.data.total === 1 ? 'one experiment' : 'no experiment'} so far.</p>
          <a class="button" href={datasetHref}>
            To the dataset
          </a>
        </Empty>
      </Page>
    );
  }
  return <Compare id={id} name={dataset.data.name} experiments={experiments.data.items} base={chosen.base} candidates={chosen.candidates} summary={summary} read={read} state={state} set={set} href={href} crumbs={crumbs} />;
}

interface CompareProps extends ReturnType<typeof useUrlState<typeof STATE>> {
  readonly id: string;
  readonly name: string;
  readonly experiments: readonly Schemas['SessionResponse'][];
  readonly base: string;
  readonly candidates: readonly string[];
  readonly summary: Query<Comparison>;
  readonly read: (body: Request, signal: AbortSignal) => Promise<Comparison>;
  readonly crumbs: readonly { label: string; href: string }[];
}

function Compare({ id, name, experiments, base, candidates, summary, read, state, set, href, crumbs }: CompareProps) {
  const basis: Request = { experiment_ids: [...candidates], baseline_experiment_id: base };
  if (summary.error && !summary.data) {
    return (
      <Page title="Comparison" crumbs={crumbs}>
        <ErrorState error={summary.error} retry={summary.reload} back={{ href: crumbs[1]!.href, label: 'To the dataset' }} />
      </Page>
    );
  }
  if (!summary.data) {
    return (
      <Page title="Comparison" crumbs={crumbs}>
        <Loading what="the comparison" rows={12} />
      </Page>
    );
  }
  const baseline = summary.data.experiments.find((one) => one.id === base);
  const compared = candidates.flatMap((one) => summary.data!.experiments.find((found) => found.id === one) ?? []);
  const keys = feedbackKeys(summary.data.experiments);
  const key = state.key && keys.includes(state.key) ? state.key : defaultKey(compared, keys);
  const selection: Selection = {
    key,
    view: state.view,
    sort: state.sort,
    candidate: compared.find((one) => one.id === state.by) ?? compared[0],
    brushed: compared.find((one) => one.id === state.of) ?? compared[0],
    range: parseRange(state.range),
    cell: parseCell(state.cell),
  };
  return (
    <Page
      fill
      title={compared.map((one) => one.name).join(', ')}
      crumbs={crumbs}
      subtitle={<ExperimentPicker experiments={experiments} base={base} candidates={candidates} set={set} />}
      actions={
        <>
          <CopyLink />
          <CopyButton label="Markdown" done="The comparison was copied as Markdown" text={() => markdown(name, baseline, compared)} />
          <CopyButton label="CI command" done="The command for a pipeline was copied" text={() => gateCommand(window.location.origin, id, base, candidates)} />
          <button class="button" type="button" onClick={() => downloadCsv(id, basis)}>
            <Icon name="download" size={14} /> CSV
          </button>
        </>
      }
    >
      <Body key={`${base} ${candidates}`} datasetId={id} baseline={baseline} candidates={compared} keys={keys} selection={selection} basis={basis} summary={summary.data} read={read} state={state} set={set} href={href} />
    </Page>
  );
}

async function downloadCsv(id: string, body: Request): Promise<void> {
  try {
    const response = await send('post', '/api/v1/datasets/{dataset_id}/comparison', { path: { dataset_id: id }, query: { format: 'csv' }, body });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = 'comparison.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    toast((error as Error).message, 'error');
  }
}

interface BodyProps extends Pick<CompareProps, 'state' | 'set' | 'href' | 'read'> {
  readonly datasetId: string;
  readonly baseline: Compared | undefined;
  readonly candidates: readonly Compared[];
  readonly keys: readonly string[];
  readonly selection: Selection;
  readonly basis: Request;
  /** Changes when the compared experiments have. */
  readonly summary: Comparison;
}

function Body({ datasetId, baseline, candidates, keys, selection, basis, summary, read, state, set, href }: BodyProps) {
  const { windows, total } = useRows(datasetId, rowsRequest(basis, selection), summary);
  const { key, view, candidate, range, cell } = selection;
  const selected = windows.find((row) => row.example_id === state.row);
  const order = orderOf(selection);
  const sortedBy = order === 'example' || !candidate ? order : `${order.startsWith('-') ? '-' : ''}${differenceColumn(candidate.id)}`;
  const isFiltered = view !== 'all' || range !== null || cell !== null;
  const idOf = (one: Compared): string => (one === candidates[0] ? '' : one.id);
  const move = (step: number): void => {
    const next = windows.at((selected < 0 ? -1 : selected) + step);
    if (next) {
      set({ row: next.example_id }, { replace: true });
    }
  };
  const sortBy = (next: string): void => {
    const column = candidates.find((one) => next.endsWith(differenceColumn(one.id)));
    set(column ? { sort: next.startsWith('-') ? '-difference' : 'difference', by: idOf(column) } : { sort: 'example' });
  };
  useKeys(
    [
      { keys: 'j', what: 'Next example', run: () => move(1) },
      { keys: 'k', what: 'Previous example', run: () => move(-1) },
      { keys: 'Escape', what: 'Close the panel', run: () => set({ row: '' }) },
      { keys: 'd', what: 'Show or hide the distribution', run: () => set({ charts: state.charts === 'shown' ? 'hidden' : 'shown' }) },
      ...VIEWS.map((one) => ({ keys: `v ${one[0]}`, what: `Show ${one === 'all' ? 'all examples' : `examples that are ${one}`}`, run: () => set(one === 'all' ? ALL_ROWS : { view: one }) })),
    ],
    [selected, total, view, state.charts],
  );
  const rows = useMemo(() => columns(baseline, candidates, key, true), [baseline, candidates.map((one) => one.id).join(), key]);
  return (
    <div class={`compare ${state.row ? 'with-panel' : ''}`}>
      <div class="compare-main">
        <Cards baseline={baseline} candidates={candidates} keys={keys} selectedKey={key} view={view} chosen={candidate} hrefOfKey={(next) => href({ key: next, range: '', cell: '' })} onView={(next, one) => set({ view: next, by: idOf(one) })} />
        <RowsBar candidates={candidates} keys={keys} selection={selection} total={total} isShown={state.charts === 'shown'} idOf={idOf} set={set} />
        {state.charts === 'shown' && key && baseline && (
          <Distribution
            datasetId={datasetId}
            basis={basis}
            read={read}
            candidates={candidates}
            feedbackKey={key}
            brushed={selection.brushed}
            range={range}
            cell={cell}
            onRange={(one, next) => set({ range: next ? formatRange(next) : '', of: idOf(one), cell: one === selection.brushed ? state.cell : '' })}
            onCell={(one, next) => set({ cell: next ? cellText(next) : '', of: idOf(one), range: one === selection.brushed ? state.range : '' })}
          />
        )}
        {windows.error && total === undefined ? (
          <ErrorState error={windows.error} retry={() => windows.show(0, 0, 1)} />
        ) : total === 0 ? (
          <Empty title={isFiltered ? 'No example matches' : 'These experiments have no rows'}>
            {isFiltered && (
              <button class="button" type="button" onClick={() => set(ALL_ROWS)}>
                Show all examples
              </button>
            )}
          </Empty>
        ) : (
          <Grid
            label="Compared examples"
            columns={rows}
            total={total ?? 8}
            row={(index) => windows.at(index)}
            rowKey={(row) => row.example_id}
            rowHeight={ROW_HEIGHT}
            cardHeight={cardHeight(candidates.length)}
            selected={state.row || undefined}
            sort={sortedBy}
            onSort={sortBy}
            onOpen={(row) => set({ row: row.example_id }, { replace: state.row !== '' })}
            onRange={(first, last) => total !== undefined && windows.show(first, last, total)}
          />
        )}
      </div>
      {state.row && <Detail row={selected < 0 ? undefined : windows.at(selected)} datasetId={datasetId} exampleId={state.row} baseline={baseline} candidates={candidates} keys={keys} onClose={() => set({ row: '' })} onMove={move} />}
    </div>
  );
}

export type CompareState = ReturnType<typeof useUrlState<typeof STATE>>;
