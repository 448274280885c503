/** Completion and errors of the filter language (docs/filters.md). Every function is pure. */
import { indexAt } from './correction';

const FUNCTIONS: Readonly<Record<string, string>> = {
  and: 'all of these hold', or: 'one of these holds', not: 'does not hold', eq: 'is equal', neq: 'is not equal', gt: 'is greater', gte: 'is greater or equal', lt: 'is less', lte: 'is less or equal',
  like: 'matches a pattern: % any text', ilike: 'matches a pattern, ignoring case', in: 'is one of a list', has: 'has this tag', search: 'contains the words', exists: 'has a value',
};
const NUMBERS = ['latency', 'total_tokens', 'prompt_tokens', 'completion_tokens', 'total_cost', 'prompt_cost', 'completion_cost'];
const TIMES = ['start_time', 'end_time', 'first_token_time'];
const TEXTS = ['name', 'run_type', 'status', 'error', 'id', 'trace_id', 'parent_run_id', 'thread_id', 'reference_example_id', 'is_root', 'input_key', 'input_value', 'output_key', 'output_value', 'metadata_key', 'metadata_value', 'feedback_key', 'feedback_score'];
const COMPARISONS = new Set(['gt', 'gte', 'lt', 'lte']);
const LOGIC = new Set(['and', 'or', 'not', '']);
const VALUES: Readonly<Record<string, readonly string[]>> = {
  run_type: ['"llm"', '"chain"', '"tool"', '"retriever"', '"embedding"', '"prompt"', '"parser"'],
  status: ['"success"', '"error"', '"pending"'],
  error: ['null'],
  is_root: ['true', 'false'],
  latency: ['"1s"', '"5s"', '"500ms"'],
};

export interface Suggestion {
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
  /** Range of the text that it replaces, and where the caret is afterwards. */
  readonly from: number;
  readonly to: number;
  readonly caret: number;
}

interface Context {
  /** Innermost function around the caret; '' outside of any. */
  readonly fn: string;
  readonly argument: number;
  readonly first: string;
  readonly word: string;
  readonly from: number;
}

/** Finds the function and argument around the caret; null inside a string. */
export function context(text: string, caret: number): Context | null {
  const stack: { fn: string; argument: number; start: number; first: string }[] = [];
  let quote = '';
  let word = 0;
  for (let at = 0; at < caret; at++) {
    const char = text[at]!;
    if (quote) {
      if (char === '\\') {
        at++;
      } else if (char === quote) {
        quote = '';
      }
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
    } else if (char === '(') {
      stack.push({ fn: text.slice(word, at).trim(), argument: 0, start: at + 1, first: '' });
    } else if (char === ')') {
      stack.pop();
    } else if (char === ',') {
      const open = stack[stack.length - 1];
      if (open) {
        open.first ||= text.slice(open.start, at).trim();
        open.argument++;
      }
    }
    if ('(), []'.includes(char)) {
      word = at + 1;
    }
  }
  if (quote) {
    return null;
  }
  const open = stack[stack.length - 1];
  return { fn: open?.fn ?? '', argument: open?.argument ?? 0, first: open?.first ?? '', word: text.slice(word, caret), from: word };
}

export function suggestions(text: string, caret: number): Suggestion[] {
  const found = context(text, caret);
  if (!found) {
    return [];
  }
  const { fn, argument, first, word, from } = found;
  const build = (insert: string, label: string, hint: string, back = 0): Suggestion => ({ insert, label, hint, from, to: caret, caret: from + insert.length - back });
  const matches = (name: string): boolean => name.startsWith(word.toLowerCase());
  if (LOGIC.has(fn)) {
    return Object.entries(FUNCTIONS).filter(([name]) => matches(name)).map(([name, hint]) => build(`${name}()`, `${name}(…)`, hint, 1));
  }
  if (argument === 0 && fn !== 'search') {
    const fields = fn === 'has' ? ['tags'] : COMPARISONS.has(fn) ? [...NUMBERS, ...TIMES, 'feedback_score', 'metadata_value', 'input_value', 'output_value'] : [...TEXTS, ...NUMBERS, ...TIMES];
    return fields.filter(matches).map((name) => build(fn === 'exists' ? name : `${name}, `, name, 'field'));
  }
  return (VALUES[first] ?? []).filter((value) => value.startsWith(word)).map((value) => build(value, value, first));
}

/** The filter with a marker below the position (from 1) of an error. */
export function marked(text: string, position: number): string {
  const at = indexAt(text, position);
  const start = Math.max(0, at - 60);
  const line = text.slice(start, at + 40).replace(/\s/g, ' ');
  return `${line}\n${' '.repeat(at - start)}^`;
}

/** The filter and one more condition. */
export function conjunction(filter: string, condition: string): string {
  const before = filter.trim();
  if (!before) {
    return condition;
  }
  return before.startsWith('and(') && before.endsWith(')') ? `${before.slice(0, -1)}, ${condition})` : `and(${before}, ${condition})`;
}
