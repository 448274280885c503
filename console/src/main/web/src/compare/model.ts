import type { Body, Schemas } from '../api/client';
import { decimal, isolated, probability, signedAverage as signed, TEXT_MEMBERS } from '../ui/format';
import { parseRange, type NumberRange } from '../ui/ranges';

export type Comparison = Schemas['ComparisonResponse'];
export type Compared = Schemas['ComparedExperiment'];
export type KeyStats = Schemas['KeyComparison'];
export type ComparedRow = Schemas['ComparedExample'];
export type ComparedRun = Schemas['ComparedRun'];
export type Request = Body<'/api/v1/datasets/{dataset_id}/comparison', 'post'>;
export const SORTS = ['worst', 'example', 'difference', '-difference'] as const;
export type Sort = (typeof SORTS)[number];
export const VIEWS = ['all', 'worse', 'better', 'same', 'missing'] as const;
export type View = (typeof VIEWS)[number];
/** The part of the address that selects every row. */
export const ALL_ROWS = { view: 'all', range: '', cell: '' } as const;

/** The feedback keys of all experiments, in alphabetical order. */
export function feedbackKeys(experiments: readonly Compared[]): string[] {
  return [...new Set(experiments.flatMap((experiment) => Object.keys(experiment.feedback)))].sort((a, b) => a.localeCompare(b, 'en'));
}

/** The key that a person should look at first: one with a verdict, worse before better, else the first. */
export function defaultKey(candidates: readonly Compared[], keys: readonly string[]): string {
  const withVerdict = (verdict: string) => keys.find((key) => candidates.some((candidate) => candidate.feedback[key]?.verdict === verdict));
  return withVerdict('worse') ?? withVerdict('better') ?? keys[0] ?? '';
}

export function verdictKind(stats: KeyStats | undefined): 'better' | 'worse' | 'unclear' {
  return stats?.verdict === 'better' || stats?.verdict === 'worse' ? stats.verdict : 'unclear';
}

/** Number of pairs with a score in both experiments. */
export const pairs = (stats: KeyStats): number => stats.better + stats.worse + stats.same;

/** The verdicts of the other scores, which the headline does not mention; null if there are none. */
export function otherVerdicts(candidate: Compared, keys: readonly string[], selectedKey: string): string | null {
  const of = (kind: 'better' | 'worse'): string[] => keys.filter((key) => key !== selectedKey && verdictKind(candidate.feedback[key]) === kind);
  const parts = (['worse', 'better'] as const).map((kind) => [kind, of(kind)] as const).filter(([, names]) => names.length > 0);
  return parts.length ? `Other scores: ${parts.map(([kind, names]) => `${kind} in ${names.map(isolated).join(', ')}`).join('; ')}.` : null;
}

const SIGNIFICANT = 0.05;

/** A sentence or two for people: the verdict, and what it rests on. */
export function sentence(key: string, stats: KeyStats | undefined): string {
  if (!stats || stats.delta === null || stats.delta === undefined) {
    return `No example has a ${isolated(key)} score in both experiments.`;
  }
  const kind = verdictKind(stats);
  const n = pairs(stats);
  if (kind === 'better' || kind === 'worse') {
    return `${kind === 'better' ? 'Better' : 'Worse'} in ${isolated(key)}, by ${decimal(Math.abs(stats.delta))} on average over ${n} examples.`;
  }
  if (stats.delta === 0) {
    return `No average difference in ${isolated(key)} over ${n} examples.`;
  }
  // The test ranks the differences; a few large ones can leave their average uncertain.
  if (typeof stats.p_value === 'number' && stats.p_value < SIGNIFICANT) {
    return `The average is uncertain: ${isolated(key)} differs by ${signed(stats.delta)} on average over ${n}, but the interval contains zero, as a few examples differ far more than the others. The low p only shows that most differences have one direction.`;
  }
  return `Too few examples to tell: ${isolated(key)} differs by ${signed(stats.delta)} on average over ${n}.`;
}

const REALISTIC = 1_000_000;

/** What to do when the examples do not suffice; null when they do. */
export function advice(stats: KeyStats | undefined): string | null {
  const needed = stats?.n_needed ?? null;
  if (needed === null || verdictKind(stats) !== 'unclear') {
    return null;
  }
  // Two digits, because it is an estimate.
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(needed)) - 1);
  const shown = (Math.ceil(needed / unit) * unit).toLocaleString('en');
  return needed > REALISTIC ? 'A difference this small cannot be told with any realistic number of examples.' : `About ${shown} examples would be needed to tell a difference of this size.`;
}

/** The keys of an experiment that were tested; the adjusted p-values account for their number. */
const tested = (feedback: Compared['feedback']): [string, KeyStats][] => Object.entries(feedback).filter(([, stats]) => typeof stats.p_value === 'number');

/** A verdict that would not be one if all tested keys were one question. */
export function isLostByCorrection(stats: KeyStats | undefined): boolean {
  return verdictKind(stats) !== 'unclear' && typeof stats?.p_adjusted === 'number' && stats.p_adjusted >= SIGNIFICANT;
}

/** The adjusted p-value in words; null if it is that of the test itself. */
export function adjustedText(stats: KeyStats | undefined, feedback: Compared['feedback']): string | null {
  const tests = tested(feedback).length;
  return typeof stats?.p_adjusted === 'number' && tests > 1 ? `${probability(stats.p_adjusted)} after Holm's correction for ${tests} scores` : null;
}

/** What a person should know who looks at several keys; null if each verdict remains. */
export function correctionNote(feedback: Compared['feedback']): string | null {
  const keys = tested(feedback);
  const lost = keys.filter(([, stats]) => isLostByCorrection(stats));
  if (keys.length < 2 || lost.length === 0) {
    return null;
  }
  const names = lost.map(([key, stats]) => `${isolated(key)} (p = ${probability(stats.p_adjusted)})`).join(', ');
  return `${lost.length === 1 ? 'The verdict on' : 'The verdicts on'} ${names} would not remain after Holm's correction for ${keys.length} scores: of many scores, some differ by chance.`;
}

export function interval(stats: KeyStats | undefined): { low: number; high: number; value: number } | null {
  const [low, high] = stats?.interval ?? [];
  return low === undefined || high === undefined || stats?.delta === null || stats?.delta === undefined ? null : { low, high, value: stats.delta };
}

/**
 * Half the width of a forest plot's axis. Scores whose intervals lie within -1 and 1 share one axis, in all cards, so that
 * their widths can be compared; others, such as lengths, have their own.
 */
export function forestExtent(candidates: readonly Compared[], key: string): number {
  const own = (name: string): number => Math.max(0, ...candidates.flatMap((candidate) => (candidate.feedback[name]?.interval ?? []).map(Math.abs)));
  const extent = own(key);
  if (extent > 1) {
    return extent;
  }
  const keys = new Set(candidates.flatMap((candidate) => Object.keys(candidate.feedback)));
  return Math.max(...[...keys].map(own).filter((one) => one <= 1)) || 1;
}

/** The comparison for an issue or a pull request. */
export function markdown(dataset: string, baseline: Compared | undefined, candidates: readonly Compared[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
  const lines = [`### ${cell(dataset)}: compared with ${cell(baseline?.name ?? 'the baseline')}`, ''];
  for (const candidate of candidates) {
    lines.push(`**${cell(candidate.name)}**`, '', '| score | average | difference | 95 % interval | p | p (Holm) | better | worse | same | verdict |', '|---|---:|---:|---|---:|---:|---:|---:|---:|---|');
    for (const [key, stats] of Object.entries(candidate.feedback)) {
      const range = interval(stats);
      lines.push(
        `| ${[cell(key), decimal(stats.avg), signed(stats.delta), range ? `${signed(range.low)} to ${signed(range.high)}` : '', probability(stats.p_value), probability(stats.p_adjusted), stats.better, stats.worse, stats.same, cell(stats.verdict ?? '')].join(' | ')} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The command for a pipeline that fails if the candidate is worse. */
export function gateCommand(origin: string, dataset: string, baseline: string, candidates: readonly string[]): string {
  const body = JSON.stringify({ experiment_ids: candidates, baseline_experiment_id: baseline, confidence: 0.95, max_drop: 0 });
  return `curl -sS --fail-with-body "${origin}/api/v1/datasets/${dataset}/gate" \\\n  -H "X-API-Key: $WAYBILL_API_KEY" -H "Content-Type: application/json" -H "Accept: text/markdown" \\\n  -d '${body}' | tee /dev/stderr | grep -q '^## Passed'`;
}

export function difference(run: ComparedRun | undefined, base: ComparedRun | undefined, key: string): number | null {
  const own = run?.feedback[key];
  const other = base?.feedback[key];
  return own === undefined || own === null || other === undefined || other === null ? null : own - other;
}

export function differenceKind(value: number | null, higherIsBetter: boolean): 'better' | 'worse' | 'same' {
  return value === null || value === 0 ? 'same' : value > 0 === higherIsBetter ? 'better' : 'worse';
}

export const runOf = (row: ComparedRow, experiment: string): ComparedRun | undefined => row.runs.find((run) => run.experiment_id === experiment);

export interface Split {
  readonly text: string;
  /** The members beside the text; null if there are none. */
  readonly rest: Readonly<Record<string, unknown>> | null;
}

/** Scores of the baseline and of a candidate. */
export interface ScoreCell {
  readonly baseline: NumberRange;
  readonly score: NumberRange;
}

/** Reads a cell of the address (`0..<0.1/1..`); null for a text that is none. */
export function parseCell(text: string): ScoreCell | null {
  const [baseline, score, ...rest] = text.split('/').map(parseRange);
  return baseline && score && rest.length === 0 ? { baseline, score } : null;
}

/** Which rows of a comparison are shown, and in which order. */
export interface Selection {
  readonly key: string;
  readonly view: View;
  readonly sort: Sort;
  /** Candidate to which sort and view apply. */
  readonly candidate: Compared | undefined;
  /** Candidate to which range and cell apply. */
  readonly brushed: Compared | undefined;
  readonly range: NumberRange | null;
  readonly cell: ScoreCell | null;
}

/** The order in which the rows are requested: the worst first, whatever is better. */
export function orderOf({ key, sort, candidate }: Selection): 'example' | 'difference' | '-difference' {
  if (!key || !candidate) {
    return 'example';
  }
  const isHigherBetter = candidate.feedback[key]?.higher_is_better ?? true;
  return sort === 'worst' ? (isHigherBetter ? 'difference' : '-difference') : sort;
}

/** Returns the request for the rows of a selection. */
export function rowsRequest(basis: Request, selection: Selection): Request {
  const { key, view, candidate, brushed, range, cell } = selection;
  const request: Request = { ...basis, parts: ['rows'], sort: orderOf(selection), ...(candidate ? { experiment_id: candidate.id } : {}), ...(view === 'all' ? {} : { filter: view }) };
  if (!key) {
    return request;
  }
  const base = basis.baseline_experiment_id;
  return {
    ...request,
    feedback_key: key,
    ...(brushed && range ? { difference_ranges: [{ experiment_id: brushed.id, ...range }] as never } : {}),
    ...(brushed && base && cell ? { score_ranges: [{ experiment_id: base, ...cell.baseline }, { experiment_id: brushed.id, ...cell.score }] as never } : {}),
  };
}

/** Splits a value into the text that people read, such as its answer, and its other members; else the text is indented JSON. */
export function split(value: unknown): Split {
  if (typeof value === 'string') {
    return { text: value, rest: null };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const members = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(members);
    const main = names.length === 1 ? names[0] : TEXT_MEMBERS.find((name) => typeof members[name] === 'string' && members[name] !== '');
    const text = main === undefined ? undefined : members[main];
    if (main !== undefined && typeof text === 'string') {
      const { [main]: _, ...rest } = members;
      return { text, rest: Object.keys(rest).length ? rest : null };
    }
  }
  return { text: value === null || value === undefined ? '' : JSON.stringify(value, null, 2), rest: null };
}

export const comparable = (value: unknown): string => split(value).text;
