import { useMemo } from 'preact/hooks';
import { post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { lazy } from '../app/lazy';
import { count, percent, seconds } from '../ui/format';
import { buckets } from './buckets';
import type { Conditions } from './project';

const TimeSeries = lazy(() => import('../ui/time-series'));
const BUCKETS = 24;
const AT_ONCE = 3;

interface Bucket {
  readonly time: number;
  readonly runs: number;
  readonly errors: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

/** Until the service returns statistics by time bucket, the page asks for each bucket. */
async function read(conditions: Conditions, edges: readonly number[], signal: AbortSignal): Promise<Bucket[]> {
  const result: Bucket[] = [];
  const one = async (index: number): Promise<void> => {
    const body: Conditions = { ...conditions, start_time: new Date(edges[index]!).toISOString(), end_time: new Date(edges[index + 1]!).toISOString() };
    const stats = await post('/api/v1/runs/stats', { body, signal });
    result[index] = { time: edges[index]! / 1000, runs: stats.run_count, errors: Math.round(stats.run_count * (stats.error_rate ?? 0)), p50: stats.latency_p50 ?? null, p99: stats.latency_p99 ?? null };
  };
  for (let index = 0; index < edges.length - 1; index += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, edges.length - 1 - index) }, (_, offset) => one(index + offset)));
  }
  return result;
}

/** Start of the first or last run that satisfies the conditions. */
async function edge(conditions: Conditions, order: 'asc' | 'desc', signal: AbortSignal): Promise<string | null> {
  const page = await post('/api/v1/runs/query', { body: { ...conditions, order, limit: 1, select: ['start_time'] }, signal });
  return ((page.runs[0] as unknown as { start_time: string } | undefined)?.start_time) ?? null;
}

export function Activity({ conditions, from, to, onSelect }: { conditions: Conditions; from: string; to: string; onSelect: (from: number, to: number) => void }) {
  const ends = useQuery(`ends ${workspace.value} ${JSON.stringify(conditions)}`, (signal) => Promise.all([from || edge(conditions, 'asc', signal), to || edge(conditions, 'desc', signal)]));
  const [first, last] = ends.data ?? [null, null];
  const edges = useMemo(() => (first && last ? buckets(Date.parse(first), Date.parse(last), BUCKETS) : []), [first, last]);
  const loaded = useQuery(edges.length > 1 ? `activity ${workspace.value} ${JSON.stringify(conditions)} ${edges[0]}` : null, (signal) => read(conditions, edges, signal));
  const data = loaded.data;
  const charts = useMemo(() => {
    const times = data?.map((bucket) => bucket.time) ?? [];
    const values = (pick: (bucket: Bucket) => number | null) => data?.map(pick) ?? [];
    return {
      times,
      runs: [{ label: 'runs', values: values((bucket) => bucket.runs), color: 'chain', bars: true, format: count }, { label: 'errors', values: values((bucket) => bucket.errors), color: 'error', bars: true, format: count }],
      latency: [{ label: 'p50', values: values((bucket) => bucket.p50), color: 'accent', format: seconds }, { label: 'p99', values: values((bucket) => bucket.p99), color: 'warn', format: seconds }],
    };
  }, [data]);
  if ((ends.data && edges.length < 2) || loaded.error || ends.error) {
    return null;
  }
  return (
    <div class="activity">
      <figure>
        <figcaption class="chart-title">
          runs <span class="error-text">and errors</span>
        </figcaption>
        {data ? <TimeSeries title="Runs and errors over time" times={charts.times} series={charts.runs} height={86} onSelect={onSelect} /> : <span class="skeleton chart-skeleton" />}
      </figure>
      <figure>
        <figcaption class="chart-title">duration: p50 and p99</figcaption>
        {data ? <TimeSeries title="Duration over time" times={charts.times} series={charts.latency} height={86} onSelect={onSelect} /> : <span class="skeleton chart-skeleton" />}
      </figure>
      {data && (
        <details class="chart-data">
          <summary>As a table</summary>
          <table class="table">
            <tbody>
              {data.map((bucket) => (
                <tr key={bucket.time}>
                  <td>{new Date(bucket.time * 1000).toISOString().slice(0, 16)}</td>
                  <td class="end">{count(bucket.runs)} runs</td>
                  <td class="end">{percent(bucket.runs ? bucket.errors / bucket.runs : 0)} errors</td>
                  <td class="end">{seconds(bucket.p50)}</td>
                  <td class="end">{seconds(bucket.p99)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}
