import type { Body, Schemas } from '../api/client';
import { decimal, probability, signedAverage as signed, TEXT_MEMBERS } from '../ui/format';

export type Comparison = Schemas['ComparisonResponse'];
export type Compared = Schemas['ComparedExperiment'];
export type KeyStats = Schemas['KeyComparison'];
export type ComparedRow = Schemas['ComparedExample'];
export type ComparedRun = Schemas['ComparedRun'];
export type Request = Body<'/api/v1/datasets/{dataset_id}/comparison', 'post'>;
export const VIEWS = ['all', 'worse', 'better', 'same', 'missing'] as const;
export type View = (typeof VIEWS)[number];

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

const Z_CONFIDENCE = 1.959964;
const Z_POWER = 0.841621;

/**
 * Estimates how many examples a difference of the observed size needs to be told apart from none with 80 % probability; null
 * if there is no difference or no interval. Rounded up to two digits, because it is an estimate.
 */
export function examplesNeeded(stats: KeyStats): number | null {
  const [low, high] = stats.interval ?? [];
  const n = pairs(stats);
  if (low === undefined || high === undefined || !stats.delta || n < 2 || high <= low) {
    return null;
  }
  const deviation = ((high - low) / (2 * Z_CONFIDENCE)) * Math.sqrt(n);
  const needed = Math.ceil((((Z_CONFIDENCE + Z_POWER) * deviation) / stats.delta) ** 2);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(needed)) - 1);
  return Math.max(n + 1, Math.ceil(needed / unit) * unit);
}

/** One sentence for people: the verdict, and what it rests on. */
export function sentence(key: string, stats: KeyStats | undefined): string {
  if (!stats || stats.delta === null || stats.delta === undefined) {
    return `No example has a ${key} score in both experiments.`;
  }
  const kind = verdictKind(stats);
  const n = pairs(stats);
  if (kind === 'better' || kind === 'worse') {
    return `${kind === 'better' ? 'Better' : 'Worse'} in ${key}, by ${decimal(Math.abs(stats.delta))} on average over ${n} examples.`;
  }
  if (stats.delta === 0) {
    return `No average difference in ${key} over ${n} examples.`;
  }
  return `Too few examples to tell: ${key} differs by ${signed(stats.delta)} on average over ${n}.`;
}

/** What to do when the examples do not suffice; null when they do. */
export function advice(stats: KeyStats | undefined): string | null {
  if (!stats || verdictKind(stats) !== 'unclear') {
    return null;
  }
  const needed = examplesNeeded(stats);
  if (needed === null) {
    return null;
  }
  return needed > 1_000_000 ? 'A difference this small cannot be told with any realistic number of examples.' : `About ${needed.toLocaleString('en')} examples would be needed to tell a difference of this size.`;
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
    lines.push(`**${cell(candidate.name)}**`, '', '| score | average | difference | 95 % interval | p | better | worse | same | verdict |', '|---|---:|---:|---|---:|---:|---:|---:|---|');
    for (const [key, stats] of Object.entries(candidate.feedback)) {
      const range = interval(stats);
      lines.push(
        `| ${[cell(key), decimal(stats.avg), signed(stats.delta), range ? `${signed(range.low)} to ${signed(range.high)}` : '', probability(stats.p_value), stats.better, stats.worse, stats.same, cell(stats.verdict ?? '')].join(' | ')} |`,
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
