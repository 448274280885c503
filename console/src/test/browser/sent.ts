import { randomUUID } from 'node:crypto';
import { api, environment, type Call } from './console';

/** A run as a tracing client sends it. */
export interface SentRun {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_run_id?: string;
  readonly dotted_order: string;
  readonly name: string;
  readonly run_type: string;
  readonly session_name: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly first_token_time?: string;
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_cost?: number;
  readonly error?: string;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly [member: string]: unknown;
}

const BATCH = 100;

function segment(id: string, time: number): string {
  return `${new Date(time).toISOString().replace(/[-:.]/g, '').replace('Z', '000Z')}${id}`;
}

/** Builds the root of a trace that starts at `start` and takes `duration`, in milliseconds. */
export function root(session: string, start: number, duration: number, changes: Record<string, unknown> = {}): SentRun {
  const id = randomUUID();
  return { id, trace_id: id, dotted_order: segment(id, start), name: 'run', run_type: 'chain', session_name: session, start_time: new Date(start).toISOString(), end_time: new Date(start + duration).toISOString(), inputs: {}, outputs: {}, ...changes };
}

/** Builds a child that starts `offset` milliseconds after its parent. */
export function child(parent: SentRun, offset: number, duration: number, changes: Record<string, unknown> = {}): SentRun {
  const one = root(parent.session_name, Date.parse(parent.start_time) + offset, duration, changes);
  return { ...one, trace_id: parent.trace_id, parent_run_id: parent.id, dotted_order: `${parent.dotted_order}.${one.dotted_order}` };
}

export async function send(runs: readonly SentRun[], call: Call = {}): Promise<void> {
  for (let first = 0; first < runs.length; first += BATCH) {
    await api('EXPERIMENT', '/api/v1/runs/batch', { post: runs.slice(first, first + BATCH) }, call);
  }
}

/** Returns the id of a session that was created by its runs. */
export async function sessionOf(name: string, call: Call = {}): Promise<string> {
  return (await api('EXPERIMENT', `/api/v1/sessions?name=${encodeURIComponent(name)}`, undefined, call))[0].id;
}

export interface SentRow {
  readonly id: string;
  readonly inputs: unknown;
  readonly expected?: unknown;
  readonly outputs?: unknown;
  readonly error?: string;
  /** Milliseconds. */
  readonly duration?: number;
  /** By key. */
  readonly scores: Readonly<Record<string, number>>;
}

export interface SentExperiment {
  readonly name: string;
  readonly dataset: string;
  /** Milliseconds. */
  readonly start: number;
  readonly rows: readonly SentRow[];
  readonly description?: string;
}

const HOUR = 3_600_000;

/** Uploads an experiment and returns the ids of its dataset and of its session. */
export async function upload(sent: SentExperiment, call: Call = {}): Promise<{ dataset: string; experiment: string }> {
  const at = (offset: number): string => new Date(sent.start + offset).toISOString();
  const response = await api(
    'EXPERIMENT',
    '/api/v1/datasets/upload-experiment',
    {
      experiment_name: sent.name,
      dataset_name: sent.dataset,
      ...(sent.description === undefined ? {} : { experiment_description: sent.description, dataset_description: sent.description }),
      experiment_start_time: at(0),
      experiment_end_time: at(HOUR),
      results: sent.rows.map((row) => ({
        row_id: row.id,
        inputs: row.inputs,
        ...(row.expected === undefined ? {} : { expected_outputs: row.expected }),
        ...(row.outputs === undefined ? {} : { actual_outputs: row.outputs }),
        ...(row.error === undefined ? {} : { error: row.error }),
        start_time: at(0),
        end_time: at(row.duration ?? 1_000),
        evaluation_scores: Object.entries(row.scores).map(([key, score]) => ({ key, score })),
      })),
    },
    call,
  );
  return { dataset: response.dataset.id, experiment: response.experiment.id };
}

/** Exports the last day of a project to the bucket of the quickstart. */
export async function exportOf(project: string): Promise<{ destination: string; id: string }> {
  const destination = await api('EXPORT', '/api/v1/bulk-exports/destinations', {
    destination_type: 's3',
    display_name: `states ${Date.now()}`,
    config: { bucket_name: environment('WAYBILL_S3_BUCKET'), prefix: 'browser/states', endpoint_url: environment('WAYBILL_S3_ENDPOINT') },
    credentials: { access_key_id: environment('WAYBILL_S3_ACCESS_KEY_ID'), secret_access_key: environment('WAYBILL_S3_SECRET_ACCESS_KEY') },
  });
  const [start, end] = [Date.now() - 86_400_000, Date.now()].map((time) => new Date(time).toISOString());
  const { id } = await api('EXPORT', '/api/v1/bulk-exports', { bulk_export_destination_id: destination.id, session_id: project, start_time: start, end_time: end });
  return { destination: destination.id, id };
}
