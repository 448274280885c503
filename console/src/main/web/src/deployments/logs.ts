/** Log lines of a revision in bounded memory. */
import type { LogLine } from './model';

export const MAX_LINES = 5_000;
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export const LOG_PHASES = ['build', 'deploy', 'server'] as const;
export type Level = (typeof LEVELS)[number];
export type LogPhase = (typeof LOG_PHASES)[number];

export interface NumberedLine extends LogLine {
  /** Number of the line since the stream began: identifies it while older lines are left out. */
  readonly number: number;
}

/** Keeps the newest lines. A batch replaces the list once, so that thousands of lines a second cost one rendering per frame. */
export class LogBuffer {
  private lines: NumberedLine[] = [];
  private received = 0;

  constructor(private readonly max = MAX_LINES) {}

  get shown(): readonly NumberedLine[] {
    return this.lines;
  }

  /** Number of lines that were received but are not kept. */
  get leftOut(): number {
    return this.received - this.lines.length;
  }

  push(batch: readonly LogLine[]): void {
    const kept = batch.slice(-this.max);
    const first = this.received + batch.length - kept.length;
    const added = kept.map((line, index) => ({ ...line, number: first + index }));
    this.received += batch.length;
    const room = this.max - added.length;
    this.lines = room > 0 ? [...this.lines.slice(-room), ...added] : added;
  }

  /** Counts lines that were received but never shown. */
  omit(count: number): void {
    this.received += count;
  }
}

/** Whether a line of the build or deployment is shown: the service filters the server log only. */
export function matches(line: LogLine, phase: LogPhase, q: string): boolean {
  return line.phase === phase && (q === '' || (line.line ?? '').toLowerCase().includes(q.toLowerCase()));
}

/** Splits a line into pieces; every second one matches the search. */
export function marked(line: string, q: string): readonly string[] {
  if (q === '') {
    return [line];
  }
  const found: string[] = [];
  const [lower, searched] = [line.toLowerCase(), q.toLowerCase()];
  // The lower case of some letters is longer, so positions would not fit.
  if (lower.length !== line.length) {
    return [line];
  }
  let from = 0;
  for (let at = lower.indexOf(searched); at >= 0; at = lower.indexOf(searched, from)) {
    found.push(line.slice(from, at), line.slice(at, at + q.length));
    from = at + q.length;
  }
  return [...found, line.slice(from)];
}
