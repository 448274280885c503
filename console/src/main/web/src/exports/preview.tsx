import { useEffect, useState } from 'preact/hooks';
import { ApiError, isAway, post, workspace } from '../api/client';
import { useQuery, type Query } from '../api/query';
import { bytes, count, DASH } from '../ui/format';
import { Skeleton } from '../ui/states';
import { rangeText } from './model';
import type { CreateExport, Preview } from './types';

const DELAY_MS = 400;
const BUSY_MS = 1_500;
const MAX_ATTEMPTS = 6;
const TOO_MANY = 429;
const SAMPLES = 5;

/** The service computes one preview of a workspace at a time, and one that was aborted may still run. */
async function read(body: CreateExport, signal: AbortSignal): Promise<Preview> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await post('/api/v1/bulk-exports/preview', { body, signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== TOO_MANY || attempt >= MAX_ATTEMPTS) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      signal.throwIfAborted();
    }
  }
}

/** Reads the preview of a request when it has not changed for a moment. */
export function usePreview(body: CreateExport, isReady: boolean): Query<Preview> & { readonly isCurrent: boolean } {
  const wanted = isReady ? JSON.stringify(body) : null;
  const [key, setKey] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setKey(wanted), DELAY_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const query = useQuery(key === null ? null : `export preview ${workspace.value} ${key}`, (signal) => read(JSON.parse(key!) as CreateExport, signal), { keepPrevious: true });
  return { ...query, error: key === wanted ? query.error : undefined, isCurrent: key === wanted && !query.loading };
}

interface Props {
  readonly preview: Query<Preview> & { readonly isCurrent: boolean };
  readonly isReady: boolean;
  readonly isSchedule: boolean;
}

export function PreviewPanel({ preview, isReady, isSchedule }: Props) {
  const { data, error, isCurrent } = preview;
  return (
    <aside class="card preview" aria-label="Preview" aria-busy={!isCurrent}>
      <h2>{isSchedule ? 'Preview of the first window' : 'Preview'}</h2>
      {!isReady ? (
        <p class="muted">Choose a project to see how many runs and bytes the export will have.</p>
      ) : error && !isAway(error) ? (
        <Failure error={error} />
      ) : data ? (
        <div class={isCurrent ? '' : 'outdated'} role="status">
          <Numbers data={data} />
        </div>
      ) : (
        <Skeleton rows={5} />
      )}
    </aside>
  );
}

function Failure({ error }: { error: Error }) {
  const fields = error instanceof ApiError ? error.violations.map((one) => one.type) : [];
  return <p class="muted">{fields.length && fields.every((type) => type === 'missing') ? 'The preview needs a project and a destination.' : fields.length ? 'The marked fields must be corrected first.' : error.message}</p>;
}

function Numbers({ data }: { data: Preview }) {
  const hasBytes = data.bytes_estimated !== null && data.bytes_estimated !== undefined;
  const facts: readonly (readonly [string, string, string])[] = [
    ['Runs', data.rows === null || data.rows === undefined ? DASH : `${data.rows_are_exact ? '' : '≈ '}${count(data.rows)}`, data.rows_are_exact ? 'counted' : 'estimated'],
    ['Size of the files', hasBytes ? `${data.bytes_estimated === 0 ? '' : '≈ '}${bytes(data.bytes_estimated)}` : DASH, hasBytes && data.bytes_estimated_low !== data.bytes_estimated_high ? `${bytes(data.bytes_estimated_low)} to ${bytes(data.bytes_estimated_high)}` : ''],
    ['Days', count(data.days), `${rangeText(data.start_time, data.end_time)} UTC`],
  ];
  return (
    <>
      <dl class="preview-figures">
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value} <span class="muted">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {data.rows === 0 && <p class="warn-text">No run matches: the export would have no files.</p>}
      {data.truncated_rows > 0 && <p class="warn-text">{count(data.truncated_rows)} runs are too large: their longest texts are replaced by size and SHA-256.</p>}
      {data.timed_out && <p class="muted">The time limit of the preview passed, so it is incomplete. The export has no such limit.</p>}
      {data.runs.length > 0 && (
        <details class="chart-data">
          <summary>The first runs</summary>
          <div class="table-scroll">
            <table class="table">
              <thead>
                <tr>
                  {sampleFields(data.runs[0]!).map((field) => (
                    <th key={field}>{field}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.runs.slice(0, SAMPLES).map((run, index) => (
                  <tr key={index}>
                    {sampleFields(data.runs[0]!).map((field) => (
                      <td key={field} class="sample">
                        {shown(run[field])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  );
}

const FIRST = ['name', 'run_type', 'status', 'start_time'];
const MAX_COLUMNS = 4;

function sampleFields(run: Readonly<Record<string, unknown>>): readonly string[] {
  const known = Object.keys(run);
  return [...FIRST.filter((field) => known.includes(field)), ...known.filter((field) => !FIRST.includes(field))].slice(0, MAX_COLUMNS);
}

const shown = (value: unknown): string => (value === null || value === undefined ? DASH : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80));
