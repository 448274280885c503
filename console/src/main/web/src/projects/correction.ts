/** Corrections of misspelled names in filters. Every function is pure. */

export interface Correction {
  /** The name that was probably meant. */
  readonly name: string;
  /** The filter with this name. */
  readonly filter: string;
}

/** Words that people use for fields with other names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  cost: 'total_cost', created_at: 'start_time', duration: 'latency', example: 'reference_example_id', feedback: 'feedback_key', input: 'input_value', metadata: 'metadata_key',
  output: 'output_value', parent: 'parent_run_id', project: 'session_name', score: 'feedback_score', start: 'start_time', started: 'start_time', end: 'end_time', ended: 'end_time',
  state: 'status', thread: 'thread_id', time: 'start_time', tokens: 'total_tokens', trace: 'trace_id', type: 'run_type',
  contains: 'search', equals: 'eq', ge: 'gte', le: 'lte', matches: 'like', ne: 'neq',
};

/** Returns the index in a string of a position of the service, which counts code points from 1. */
export function indexAt(text: string, position: number): number {
  return [...text].slice(0, Math.max(0, position - 1)).join('').length;
}

/** Returns the name that an unknown one at a position probably means, of those that are valid there; null if none is close. */
export function correction(filter: string, position: number, expected: string): Correction | null {
  const at = indexAt(filter, position);
  const [found, quote, word] = /^(["']?)([A-Za-z_][\w.-]*)\1/.exec(filter.slice(at)) ?? [];
  const names = /^(?:one of the functions |a field that \w+ supports: )(.+)$/.exec(expected)?.[1]?.split(', ');
  if (found === undefined || word === undefined || !names) {
    return null;
  }
  const name = quote && names.includes(word) ? word : closest(word.toLowerCase(), names);
  return name ? { name, filter: filter.slice(0, at) + name + filter.slice(at + found.length) } : null;
}

/** Returns the name with the fewest differences; null if more than a third of the characters differ. */
export function closest(word: string, names: readonly string[]): string | null {
  const synonym = SYNONYMS[word];
  if (synonym && names.includes(synonym)) {
    return synonym;
  }
  let best: string | null = null;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const differences = distance(word, name);
    if (differences < fewest) {
      [best, fewest] = [name, differences];
    }
  }
  return best;
}

/** Counts inserted, deleted, replaced and swapped characters (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, isSwap ? before[j - 2]! + 1 : Infinity);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
