import { workspace } from '../api/client';
import { cost, count, decimal, seconds, shortCount } from '../ui/format';
import type { Choice } from '../ui/menu';
import { columnOf, type Values } from '../ui/order';
import { place, type Column } from '../ui/table';
import { When } from '../ui/when';

export interface RunRow {
  readonly id: string;
  readonly trace_id: string;
  readonly name: string;
  readonly run_type: string;
  readonly status: string;
  readonly error: string | null;
  readonly start_time: string;
  readonly first_token_time: string | null;
  readonly latency: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
  readonly total_cost: string | null;
  readonly inputs_preview: string | null;
  readonly outputs_preview: string | null;
  readonly feedback_stats: Readonly<Record<string, { avg: number | null }>> | null;
  readonly tags: readonly string[] | null;
  readonly thread_id: string | null;
}

/** A column that a person can choose, with the fields that it reads. */
export interface RunColumn extends Column<RunRow>, Choice {
  readonly fields: readonly string[];
  readonly initial?: boolean;
}

/** Fields that every row needs, for its link and its mark. */
const ROW_FIELDS = ['id', 'trace_id', 'name', 'status', 'error'];

export const hrefOf = (run: RunRow): string => `/w/${workspace.value}/traces/${run.trace_id}${run.id === run.trace_id ? '' : `?run=${run.id}`}`;

const firstToken = (run: RunRow): number | null => (run.first_token_time ? (Date.parse(run.first_token_time) - Date.parse(run.start_time)) / 1000 : null);

const COLUMNS: readonly RunColumn[] = [
  {
    id: 'name',
    label: 'Name',
    title: 'Name',
    required: true,
    initial: true,
    fields: [],
    width: 'minmax(150px, 0.9fr)',
    narrow: place(1, 1, 8),
    cell: (run) => (
      <a class="row run-name" tabIndex={-1} href={hrefOf(run)}>
        <span class={`dot ${run.status}`} title={run.status} />
        <bdi class="ellipsis">{run.name.slice(0, 200)}</bdi>
        <span class="visually-hidden">{run.status}</span>
      </a>
    ),
  },
  { id: 'type', label: 'Type', title: 'Type', fields: ['run_type'], width: '92px', cell: (run) => <span class="muted">{run.run_type}</span> },
  { id: 'input', label: 'Input', title: 'Input', initial: true, fields: ['inputs_preview'], width: 'minmax(160px, 1.5fr)', narrow: place(2), cell: (run) => <span class="one-line">{run.inputs_preview}</span> },
  {
    id: 'output',
    label: 'Output or error',
    title: 'Output',
    initial: true,
    fields: ['outputs_preview'],
    width: 'minmax(160px, 1.5fr)',
    narrow: place(3),
    cell: (run) => <span class={`one-line ${run.error ? 'error-text' : 'muted'}`}>{run.error ? run.error.slice(0, 300) : run.outputs_preview}</span>,
  },
  {
    id: 'feedback',
    label: 'Feedback',
    title: 'Feedback',
    initial: true,
    fields: ['feedback_stats'],
    width: '120px',
    cell: (run) => (
      <span class="one-line">
        {Object.entries(run.feedback_stats ?? {}).map(([key, stats]) => (
          <span key={key} class="badge" title={key}>
            <bdi>{key.slice(0, 16)}</bdi> {decimal(stats.avg)}
          </span>
        ))}
      </span>
    ),
  },
  {
    id: 'tags',
    label: 'Tags',
    title: 'Tags',
    fields: ['tags'],
    width: '140px',
    cell: (run) => (
      <span class="one-line">
        {(run.tags ?? []).slice(0, 5).map((tag) => (
          <span key={tag} class="badge">
            {tag.slice(0, 40)}
          </span>
        ))}
      </span>
    ),
  },
  { id: 'thread', label: 'Thread', title: 'Thread', fields: ['thread_id'], width: '120px', cell: (run) => <span class="one-line muted">{run.thread_id}</span> },
  { id: 'latency', label: 'Duration', title: 'Duration', initial: true, fields: ['latency'], width: '96px', narrow: place(4, 1, 4), end: true, cell: (run) => seconds(run.latency) },
  { id: 'first_token', label: 'First token', title: 'First token', fields: ['first_token_time', 'start_time'], width: '96px', end: true, cell: (run) => <span class="muted">{seconds(firstToken(run))}</span> },
  { id: 'tokens', label: 'Tokens', title: 'Tokens', initial: true, fields: ['total_tokens'], width: '80px', narrow: place(4, 5, 8), named: true, end: true, cell: (run) => <span class="muted">{shortCount(run.total_tokens)}</span> },
  {
    id: 'token_parts',
    label: 'Tokens in and out',
    title: 'In / out',
    fields: ['prompt_tokens', 'completion_tokens'],
    width: '110px',
    end: true,
    cell: (run) => (
      <span class="muted" title={`${count(run.prompt_tokens)} in, ${count(run.completion_tokens)} out`}>
        {shortCount(run.prompt_tokens)} / {shortCount(run.completion_tokens)}
      </span>
    ),
  },
  { id: 'cost', label: 'Cost', title: 'Cost', initial: true, fields: ['total_cost'], width: '76px', narrow: place(4, 9), named: true, end: true, cell: (run) => <span class="muted">{cost(run.total_cost)}</span> },
  { id: 'start', label: 'Started', title: 'Started', initial: true, fields: ['start_time'], width: '172px', narrow: place(1, 9), end: true, sortable: true, cell: (run) => <When time={run.start_time} /> },
  { id: 'id', label: 'Run id', title: 'Run id', fields: [], width: '290px', cell: (run) => <span class="one-line mono muted">{run.id}</span> },
];

export const COLUMN_CHOICES: readonly Choice[] = COLUMNS;

export const DEFAULT_COLUMNS: readonly string[] = COLUMNS.filter((column) => column.initial).map((column) => column.id);

/** Returns the columns with these ids, in their usual order; the name is always there. Without known ids, the usual ones. */
export function chosenColumns(ids: readonly string[]): readonly RunColumn[] {
  const known = COLUMNS.filter((column) => ids.includes(column.id));
  return known.length ? COLUMNS.filter((column) => column.required || known.includes(column)) : COLUMNS.filter((column) => column.initial);
}

/** The value of the address for these columns: nothing for the usual ones. */
export function columnState(shown: readonly string[]): readonly string[] {
  return shown.join() === DEFAULT_COLUMNS.join() ? [] : shown;
}

/** The service orders runs by their start; by these values, the page orders what it has loaded completely. */
export const RUN_VALUES: Values<RunRow> = { latency: (run) => run.latency, tokens: (run) => run.total_tokens, cost: (run) => (run.total_cost === null || run.total_cost === undefined ? null : Number(run.total_cost)) };
export const RUN_ORDERS = ['-start', 'start', '-latency', 'latency', '-tokens', 'tokens', '-cost', 'cost'] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];
/** At most this many runs are loaded to order them by another value than their start. */
export const MAX_ORDERED = 500;

export const needsAll = (order: RunOrder): boolean => columnOf(order) !== 'start';

/** Returns the columns, those sortable by which these rows can be ordered. */
export function sortableColumns(columns: readonly RunColumn[], hasAll: boolean): readonly RunColumn[] {
  return hasAll ? columns.map((column) => (RUN_VALUES[column.id] ? { ...column, sortable: true } : column)) : columns;
}

/** The fields that a query for these columns selects. */
export function fieldsOf(columns: readonly RunColumn[]): string[] {
  return [...new Set([...ROW_FIELDS, ...columns.flatMap((column) => column.fields)])].sort();
}
