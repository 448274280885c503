import { get, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { absolute, date, excerpt, score, seconds } from '../ui/format';
import { JsonTree } from '../ui/json';
import { ErrorState, Loading, Pending } from '../ui/states';
import { When } from '../ui/when';
import './datasets.css';
import '../projects/projects.css';

interface RunOfExample {
  readonly id: string;
  readonly trace_id: string;
  readonly session_name: string | null;
  readonly session_id: string;
  readonly status: string;
  readonly start_time: string;
  readonly latency: number | null;
  readonly outputs: unknown;
  readonly error: string | null;
  readonly feedback_stats: Readonly<Record<string, { avg: number | null }>> | null;
}
const FIELDS = ['id', 'trace_id', 'session_name', 'session_id', 'status', 'start_time', 'latency', 'outputs', 'error', 'feedback_stats'];

export default function ExamplePage({ params }: RouteProps) {
  const { id, example: exampleId } = params as { id: string; example: string };
  const dataset = useQuery(`dataset ${workspace.value} ${id}`, (signal) => get('/api/v1/datasets/{dataset_id}', { path: { dataset_id: id }, signal }));
  const example = useQuery(`example ${workspace.value} ${exampleId}`, (signal) => get('/api/v1/examples/{example_id}', { path: { example_id: exampleId }, signal }));
  const runs = useQuery(`runs of example ${workspace.value} ${exampleId}`, async (signal) => (await post('/api/v1/runs/query', { body: { reference_example: [exampleId] as never, is_root: true, limit: 100, select: FIELDS }, signal })).runs as unknown as RunOfExample[], {
    changes: { types: ['experiment', 'feedback'], dataset: id },
  });
  const crumbs = [
    { label: 'Datasets', href: `${home()}/datasets` },
    { label: dataset.data?.name ?? 'Dataset', href: `${home()}/datasets/${id}` },
    { label: 'Examples', href: `${home()}/datasets/${id}?tab=examples` },
  ];
  if (example.error && !example.data) {
    return (
      <Page title="Example" crumbs={crumbs}>
        <ErrorState error={example.error} retry={example.reload} back={dataset.error ? { href: crumbs[0]!.href, label: 'All datasets' } : { href: crumbs[1]!.href, label: 'To the dataset' }} />
      </Page>
    );
  }
  if (!example.data) {
    return (
      <Page title="Example" crumbs={crumbs}>
        <Loading what="the example" rows={10} />
      </Page>
    );
  }
  const { data } = example;
  return (
    <Page title={excerpt(data.inputs).slice(0, 200) || data.id} crumbs={crumbs} subtitle={<span title={absolute(data.created_at)}>created {date(data.created_at)}</span>}>
      <div class="two">
        <div class="card">
          <JsonTree label="Inputs" value={data.inputs} />
        </div>
        <div class="card">{data.outputs === null || data.outputs === undefined ? <p class="faint">No reference outputs</p> : <JsonTree label="Reference" value={data.outputs} />}</div>
      </div>
      <h2>Runs</h2>
      {!runs.data ? <Pending query={runs} what="the runs" rows={5} /> : <Runs runs={runs.data} />}
    </Page>
  );
}

function Runs({ runs }: { runs: readonly RunOfExample[] }) {
  if (runs.length === 0) {
    return <p class="muted">No experiment has run this example.</p>;
  }
  return (
    <div class="table-scroll card">
      <table class="table cards">
        <thead>
          <tr>
            <th>Experiment</th>
            <th>Output</th>
            <th>Scores</th>
            <th class="end">Duration</th>
            <th class="end">Started</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td class="whole">
                <a href={`${home()}/traces/${run.trace_id}`}>
                  <bdi>{run.session_name ?? run.session_id}</bdi>
                </a>
              </td>
              <td class={run.error ? 'error-text whole' : 'whole'}>{(run.error ?? excerpt(run.outputs)).slice(0, 240)}</td>
              <td class="badges whole">
                {Object.entries(run.feedback_stats ?? {}).map(([key, stats]) => (
                  <span key={key} class="badge">
                    <bdi>{key}</bdi> {score(stats.avg)}
                  </span>
                ))}
              </td>
              <td class="end muted">{seconds(run.latency)}</td>
              <td class="end muted nowrap">
                <When time={run.start_time} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
