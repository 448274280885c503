import { useMemo } from 'preact/hooks';
import { ApiError, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { getTagged } from '../api/tagged';
import { lazy } from '../app/lazy';
import { count, percent, seconds } from '../ui/format';
import type { Conditions } from './project';

const TimeSeries = lazy(() => import('../ui/time-series'));
const MAX_BUCKETS = 60;
const MAX_BUCKETS_NARROW = 30;

interface Props {
  readonly session: string;
  readonly conditions: Conditions;
  /** Receives the range of a bucket, or one that was dragged, in seconds. */
  readonly onSelect: (from: number, to: number) => void;
}

/** Runs, errors and durations over time. */
export function Activity({ session, conditions, onSelect }: Props) {
  const maxBuckets = window.innerWidth < 760 ? MAX_BUCKETS_NARROW : MAX_BUCKETS;
  const { is_root, start_time, end_time, filter } = conditions;
  const loaded = useQuery(
    `activity ${workspace.value} ${JSON.stringify(conditions)}`,
    (signal) => getTagged('/api/v1/sessions/{session_id}/runs/stats', { path: { session_id: session }, query: { max_buckets: maxBuckets, is_root, start_time, end_time, filter }, signal }),
    { changes: { types: ['runs'], sessions: [session] }, keepPrevious: true },
  );
  const { data } = loaded;
  const step = data?.interval_seconds ?? 0;
  const charts = useMemo(() => {
    const buckets = data?.buckets ?? [];
    return {
      // A bar is drawn around its time.
      times: buckets.map((bucket) => Date.parse(bucket.start_time) / 1000 + step / 2),
      runs: [
        { label: 'runs', values: buckets.map((bucket) => bucket.run_count), color: 'chain', bars: true, format: count },
        { label: 'errors', values: buckets.map((bucket) => bucket.error_count), color: 'error', bars: true, format: count },
      ],
      latency: [
        { label: 'p50', values: buckets.map((bucket) => bucket.latency_p50), color: 'accent', format: seconds },
        { label: 'p99', values: buckets.map((bucket) => bucket.latency_p99), color: 'warn', format: seconds },
      ],
    };
  }, [data]);
  if (loaded.error && !data) {
    return loaded.error instanceof ApiError && loaded.error.status === 422 ? <p class="muted activity-note">No chart: {loaded.error.message}</p> : null;
  }
  if (data && data.buckets.length === 0) {
    return null;
  }
  if (data?.buckets.every((bucket) => bucket.run_count === 0)) {
    return <p class="muted activity-note">{filter ? 'No run in this range matches the filter, so there is nothing to draw.' : 'No run started in this range, so there is nothing to draw.'}</p>;
  }
  const hasEnded = !data || data.buckets.some((bucket) => bucket.latency_p50 !== null && bucket.latency_p50 !== undefined);
  return (
    <div class="activity">
      <figure>
        <figcaption class="chart-title">
          Runs <span class="error-text">and errors</span>
        </figcaption>
        {data ? <TimeSeries title="Runs and errors over time" times={charts.times} series={charts.runs} height={86} step={step} onSelect={onSelect} /> : <span class="skeleton chart-skeleton" />}
      </figure>
      <figure>
        <figcaption class="chart-title">
          Duration: <span style={{ color: 'var(--accent)' }}>p50</span> and <span class="warn-text">p99</span>
        </figcaption>
        {!data ? (
          <span class="skeleton chart-skeleton" />
        ) : hasEnded ? (
          <TimeSeries title="Duration over time" times={charts.times} series={charts.latency} height={86} step={step} onSelect={onSelect} />
        ) : (
          <p class="faint">None of these runs has ended.</p>
        )}
      </figure>
      {data && (
        <details class="chart-data">
          <summary>As a table, {data.interval} in a row</summary>
          <table class="table">
            <thead>
              <tr>
                <th>From (UTC)</th>
                <th class="end">Runs</th>
                <th class="end">Errors</th>
                <th class="end">p50</th>
                <th class="end">p99</th>
              </tr>
            </thead>
            <tbody>
              {data.buckets.map((bucket) => {
                const start = Date.parse(bucket.start_time) / 1000;
                return (
                  <tr key={bucket.start_time}>
                    <td>
                      <button class="button quiet" type="button" title="Show the runs of this time" onClick={() => onSelect(start, start + step)}>
                        {bucket.start_time.slice(0, 16).replace('T', ' ')}
                      </button>
                    </td>
                    <td class="end">{count(bucket.run_count)}</td>
                    <td class="end">{percent(bucket.run_count ? bucket.error_count / bucket.run_count : 0)}</td>
                    <td class="end">{seconds(bucket.latency_p50)}</td>
                    <td class="end">{seconds(bucket.latency_p99)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}
