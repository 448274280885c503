import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, getList, patch, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { navigate, oneOf, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { Tabs } from '../ui/dialog';
import { absolute, count, date, decimal, excerpt, percent, seconds } from '../ui/format';
import { Empty, ErrorState, Loading } from '../ui/states';
import { Grid, place, type Column } from '../ui/table';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { Windows } from '../ui/windows';
import { History } from './history';
import { averageOf, byStart, scoreKeys, type Session } from './scores';
import './datasets.css';
import '../projects/projects.css';

const STATE = { tab: oneOf(['experiments', 'examples'] as const, 'experiments') };
const MAX_KEYS = 6;
const MAX_COMPARED = 4;

export default function DatasetPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const dataset = useQuery(`dataset ${workspace.value} ${id}`, (signal) => get('/api/v1/datasets/{dataset_id}', { path: { dataset_id: id }, signal }));
  const [ids, setIds] = useState<readonly string[]>([]);
  const experiments = useQuery(
    `dataset experiments ${workspace.value} ${id}`,
    (signal) => getList('/api/v1/sessions', { query: { reference_dataset: id, include_stats: true, limit: 100 }, signal }),
    { changes: { types: ['experiment', 'session', 'runs', 'feedback'], dataset: id, sessions: ids } },
  );
  useEffect(() => setIds(experiments.data?.items.map((one) => one.id) ?? []), [experiments.data]);
  const crumbs = [{ label: 'Datasets', href: `${home()}/datasets` }];
  const error = dataset.error ?? experiments.error;
  if (error && !(dataset.data && experiments.data)) {
    return (
      <Page title="Dataset" crumbs={crumbs}>
        <ErrorState error={error} retry={() => (dataset.reload(), experiments.reload())} back={{ href: crumbs[0]!.href, label: 'All datasets' }} />
      </Page>
    );
  }
  if (!dataset.data || !experiments.data) {
    return (
      <Page title="Dataset" crumbs={crumbs}>
        <Loading what="the dataset" rows={12} />
      </Page>
    );
  }
  return (
    <Page fill title={dataset.data.name} crumbs={crumbs} subtitle={dataset.data.description}>
      <div class="tabs-line">
        <Tabs
          label="Parts of the dataset"
          tabs={[
            { id: 'experiments', label: `Experiments ${count(experiments.data.total)}` },
            { id: 'examples', label: `Examples ${count(dataset.data.example_count)}` },
          ]}
          selected={state.tab}
          onSelect={(tab) => set({ tab })}
        />
      </div>
      {state.tab === 'experiments' ? (
        <Experiments id={id} items={experiments.data.items} baseline={dataset.data.baseline_experiment_id ?? undefined} onBaseline={dataset.reload} />
      ) : (
        <Examples id={id} total={dataset.data.example_count} />
      )}
    </Page>
  );
}

function Experiments({ id, items, baseline, onBaseline }: { id: string; items: readonly Session[]; baseline: string | undefined; onBaseline: () => void }) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const ordered = useMemo(() => [...items].sort((a, b) => byStart(b, a)), [items]);
  const keys = useMemo(() => scoreKeys(items), [items]);
  const compare = (chosen: readonly string[]): string => {
    const base = chosen.find((one) => one === baseline) ?? chosen[chosen.length - 1] ?? '';
    return `${home()}/datasets/${id}/compare?base=${base}&with=${chosen.filter((one) => one !== base).join()}`;
  };
  const toggle = (experiment: string): void => setPicked(picked.includes(experiment) ? picked.filter((one) => one !== experiment) : [...picked, experiment].slice(-MAX_COMPARED));
  const setBaseline = async (experiment: string): Promise<void> => {
    try {
      await patch('/api/v1/datasets/{dataset_id}', { path: { dataset_id: id }, body: { baseline_experiment_id: experiment } as never });
      toast('The baseline was set');
      onBaseline();
    } catch (error) {
      toast((error as Error).message, 'error');
    }
  };
  if (items.length === 0) {
    return <Empty title="No experiments yet">Upload one with POST /api/v1/datasets/upload-experiment and this dataset's name.</Empty>;
  }
  const sorted = ordered.filter((one) => picked.includes(one.id)).map((one) => one.id);
  return (
    <div class="experiments">
      <div class="row wrap tools">
        {sorted.length >= 2 ? (
          <a class="button primary" href={compare(sorted)}>
            Compare {sorted.length} experiments
          </a>
        ) : ordered.length >= 2 ? (
          <>
            <a class="button" href={compare([ordered[0]!.id, baseline && baseline !== ordered[0]!.id ? baseline : ordered[1]!.id])}>
              Compare the newest with {baseline && baseline !== ordered[0]!.id ? 'the baseline' : 'the one before'}
            </a>
            <span class="muted">or pick two or more below</span>
          </>
        ) : (
          <span class="muted">A second experiment can be compared with this one.</span>
        )}
      </div>
      <div class="histories">
        {keys.slice(0, MAX_KEYS).map((key) => (
          <History key={key} name={key} experiments={items} hrefOf={(one) => compare([one.id, baseline && baseline !== one.id ? baseline : ordered.find((other) => other.id !== one.id)?.id ?? one.id])} />
        ))}
      </div>
      <div class="table-scroll card">
        <table class="table cards">
          <thead>
            <tr>
              <th>
                <span class="visually-hidden">Pick</span>
              </th>
              <th>Experiment</th>
              {keys.map((key) => (
                <th key={key} class="end" title={key}>
                  {key.length > 18 ? `${key.slice(0, 17)}…` : key}
                </th>
              ))}
              <th class="end">Runs</th>
              <th class="end">Errors</th>
              <th class="end">p50</th>
              <th class="end">Started</th>
              <th>
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {ordered.map((one) => (
              <tr key={one.id}>
                <td class="pick-cell">
                  <label class="pick-box">
                    <input type="checkbox" checked={picked.includes(one.id)} onChange={() => toggle(one.id)} aria-label={`Pick ${one.name}`} />
                  </label>
                </td>
                <td class="experiment-name">
                  <a href={`${home()}/projects/${one.id}`}>
                    <bdi>{one.name}</bdi>
                  </a>{' '}
                  {one.id === baseline && <span class="badge">baseline</span>}
                </td>
                {keys.map((key) => (
                  <td key={key} class="end" data-name={key}>
                    {decimal(averageOf(one, key))}
                  </td>
                ))}
                <td class="end muted" data-name="Runs">{count(one.run_count)}</td>
                <td class="end muted" data-name="Errors">{percent(one.error_rate)}</td>
                <td class="end muted" data-name="p50">{seconds(one.latency_p50)}</td>
                <td class="end muted nowrap">
                  <When time={one.start_time} />
                </td>
                <td class="end">
                  {one.id !== baseline && (
                    <button class="button quiet" type="button" onClick={() => setBaseline(one.id)}>
                      Set as baseline
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface Example {
  readonly id: string;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly created_at: string;
}

function Examples({ id, total }: { id: string; total: number }) {
  const [, update] = useState(0);
  const windows = useMemo(
    () =>
      new Windows<Example>(
        100,
        async (offset, signal) => (await getList('/api/v1/datasets/{dataset_id}/examples', { path: { dataset_id: id }, query: { limit: 100, offset }, signal })).items as unknown as Example[],
        () => update((n) => n + 1),
      ),
    [id],
  );
  useEffect(() => () => windows.close(), [windows]);
  const open = (one: Example): string => `${home()}/datasets/${id}/examples/${one.id}`;
  const columns = useMemo<readonly Column<Example>[]>(() => [
    { id: 'inputs', title: 'Inputs', width: 'minmax(240px, 1.4fr)', narrow: place(1), cell: (one) => <a class="clamp run-name" tabIndex={-1} href={open(one)}>{excerpt(one.inputs) || one.id}</a> },
    { id: 'outputs', title: 'Reference', width: 'minmax(200px, 1.6fr)', narrow: place(2), cell: (one) => <span class="clamp muted">{excerpt(one.outputs)}</span> },
    { id: 'created', title: 'Created', width: '130px', end: true, cell: (one) => <span class="muted" title={absolute(one.created_at)}>{date(one.created_at)}</span> },
  ], [id]);
  if (total === 0) {
    return <Empty title="No examples yet">Uploads of experiments and POST /api/v1/examples add them.</Empty>;
  }
  return <Grid label="Examples" columns={columns} total={total} row={(index) => windows.at(index)} rowKey={(one) => one.id} rowHeight={53} cardHeight={98} onOpen={(one) => navigate(open(one))} onRange={(first, last) => windows.show(first, last, total)} />;
}
