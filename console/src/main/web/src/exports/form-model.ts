/** Values and errors of the forms of exports and destinations. Every function is pure. */
import type { CreateDestination, CreateExport } from './types';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The range of the form: without an end until now, without both the last seven whole days (UTC). */
export function rangeOf(from: string, to: string, now: number): { readonly start: string; readonly end: string } {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return { start: from || iso(today - 7 * DAY_MS), end: to || (from ? iso(Math.floor(now / MINUTE_MS) * MINUTE_MS) : iso(today)) };
}

/** The value of a field for a date and time, in UTC. */
export function toField(time: string): string {
  const parsed = Date.parse(time);
  if (Number.isNaN(parsed)) {
    return '';
  }
  const text = new Date(parsed).toISOString().slice(0, 19);
  return text.endsWith(':00') ? text.slice(0, 16) : text;
}

export function fromField(value: string): string {
  return value === '' ? '' : `${value.length === 16 ? `${value}:00` : value}Z`;
}

/** The date fields of a form that are empty or incomplete; a field that is not shown is null. */
export const incompleteDates = (data: { get(name: string): unknown }): readonly string[] => ['start_time', 'end_time'].filter((name) => data.get(name) === '');

export interface ExportForm {
  readonly project: string;
  readonly destination: string;
  readonly kind: 'range' | 'schedule';
  readonly start: string;
  readonly end: string;
  readonly every: string;
  readonly filter: string;
  readonly version: string;
  readonly compression: string;
  readonly fields: readonly string[];
}

/** The request; what is not chosen is left out, so that the service names it as missing. */
export function requestOf(form: ExportForm): CreateExport {
  const isRepeated = form.kind === 'schedule';
  return {
    ...(form.destination ? { bulk_export_destination_id: form.destination } : {}),
    ...(form.project ? { session_id: form.project } : {}),
    ...(form.start ? { start_time: form.start } : {}),
    ...(isRepeated ? { interval_hours: Number(form.every) } : form.end ? { end_time: form.end } : {}),
    ...(form.filter ? { filter: form.filter } : {}),
    ...(form.fields.length ? { export_fields: [...form.fields] } : {}),
    format_version: form.version as 'v1',
    compression: form.compression as 'gzip',
  };
}

export const DEFAULT_FIELDS = [
  'id', 'trace_id', 'parent_run_id', 'parent_run_ids', 'dotted_order', 'session_id', 'session_name', 'name', 'run_type', 'status', 'start_time', 'end_time', 'first_token_time', 'latency', 'inputs', 'outputs', 'error',
  'events', 'extra', 'metadata', 'tags', 'reference_example_id', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_cost', 'completion_cost', 'total_cost', 'feedback_stats', 'manifest_id', 'app_path',
  'trace_tier', 'tenant_id', 'is_root',
] as const;
export const ALL_FIELDS: readonly string[] = [...DEFAULT_FIELDS, 'thread_id'];

/** Adds or removes a column; the columns keep the order of the service, and its default is an empty list. */
export function toggled(chosen: readonly string[], field: string): readonly string[] {
  const before = new Set(chosen.length ? chosen : DEFAULT_FIELDS);
  if (!before.delete(field)) {
    before.add(field);
  }
  const next = ALL_FIELDS.filter((one) => before.has(one));
  return next.length === DEFAULT_FIELDS.length && next.every((one, index) => one === DEFAULT_FIELDS[index]) ? [] : next;
}

export const PROBE_STEPS = ['address', 'connect', 'signature', 'bucket', 'write', 'read', 'multipart', 'delete'] as const;

export interface ProbeStep {
  readonly step: string;
  readonly state: 'passed' | 'denied' | 'failed' | 'skipped';
}

/** The steps of a test that failed: the service reports only the one that failed. */
export function failedSteps(failed: string): readonly ProbeStep[] {
  const at = PROBE_STEPS.findIndex((step) => step === failed);
  return at < 0 ? [{ step: failed, state: 'failed' }] : PROBE_STEPS.map((step, index) => ({ step, state: index < at ? 'passed' : index === at ? 'failed' : 'skipped' }));
}

/** The steps of a test that succeeded; only optional permissions can be denied. */
export const passedSteps = (steps: readonly { step: string; passed: boolean }[]): readonly ProbeStep[] => steps.map(({ step, passed }) => ({ step, state: passed ? 'passed' : 'denied' }));

export type DestinationForm = Readonly<Record<'display_name' | 'bucket_name' | 'prefix' | 'region' | 'endpoint_url' | 'acl' | 'sse' | 'kms_key_id' | 'include_bucket' | 'access_key_id' | 'secret_access_key' | 'session_token', string>>;

/** Reads the fields of a form; absent ones are empty. */
export function formOf(data: { get(name: string): unknown }): DestinationForm {
  const read = (name: string): string => String(data.get(name) ?? '').trim();
  return {
    display_name: read('display_name'),
    bucket_name: read('config.bucket_name'),
    prefix: read('config.prefix'),
    region: read('config.region'),
    endpoint_url: read('config.endpoint_url'),
    acl: read('config.acl'),
    sse: read('config.server_side_encryption'),
    kms_key_id: read('config.server_side_encryption.kms_key_id'),
    include_bucket: read('config.include_bucket_in_prefix'),
    access_key_id: read('credentials.access_key_id'),
    secret_access_key: read('credentials.secret_access_key'),
    session_token: read('credentials.session_token'),
  };
}

export type Credentials = NonNullable<CreateDestination['credentials']>;

/** Returns null if no credential was entered: an operator can allow the service's own. */
export function credentialsOf(form: DestinationForm): Credentials | null {
  const { access_key_id, secret_access_key, session_token } = form;
  return access_key_id || secret_access_key || session_token ? { access_key_id, secret_access_key, ...(session_token ? { session_token } : {}) } : null;
}

export function destinationOf(form: DestinationForm): CreateDestination {
  const credentials = credentialsOf(form);
  return {
    destination_type: 's3',
    display_name: form.display_name,
    config: {
      bucket_name: form.bucket_name,
      prefix: form.prefix,
      include_bucket_in_prefix: form.include_bucket === 'on',
      ...(form.region ? { region: form.region } : {}),
      ...(form.endpoint_url ? { endpoint_url: form.endpoint_url } : {}),
      ...(form.acl ? { acl: form.acl as 'private' } : {}),
      ...(form.sse ? { server_side_encryption: { type: form.sse as 'AES256', ...(form.kms_key_id ? { kms_key_id: form.kms_key_id } : {}) } } : {}),
    },
    ...(credentials ? { credentials } : {}),
  };
}
