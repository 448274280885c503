/** Changes in a workspace, as the service streams them. Every function is pure. */

export type ChangeType = 'runs' | 'session' | 'experiment' | 'feedback' | 'dataset' | 'export' | 'deployment' | 'revision';

export interface Change {
  readonly type: string;
  /** The changed resource; null for several or an unknown one. */
  readonly id: string | null;
  readonly session_id: string | null;
  readonly dataset_id: string | null;
  readonly deployment_id?: string | null;
}

/** What a list shows: changes of these types, of all resources unless it names some. */
export interface Scope {
  readonly types: readonly ChangeType[];
  readonly sessions?: readonly string[];
  readonly dataset?: string;
  readonly deployment?: string;
}

export function concerns(scope: Scope, change: Change): boolean {
  if (!scope.types.some((type) => type === change.type)) {
    return false;
  }
  if (change.id === null || (scope.sessions === undefined && scope.dataset === undefined && scope.deployment === undefined)) {
    return true;
  }
  const isOf = (id: string | null | undefined, shown: string | undefined): boolean => shown !== undefined && id === shown;
  return (change.session_id !== null && scope.sessions?.includes(change.session_id) === true) || isOf(change.dataset_id, scope.dataset) || isOf(change.deployment_id, scope.deployment);
}

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** Where a new connection continues. */
  readonly id?: string;
}

const MAX_EVENT = 1_000_000;

/** Reads server-sent events from pieces of text, which can end anywhere. */
export class EventParser {
  private rest = '';

  constructor(private readonly maxSize = MAX_EVENT) {}

  push(text: string): StreamEvent[] {
    const blocks = (this.rest + text.replaceAll('\r', '')).split('\n\n');
    this.rest = blocks.pop()!;
    if (this.rest.length > this.maxSize) {
      throw new Error('An event of the stream is too large.');
    }
    return blocks.flatMap(parse);
  }
}

function parse(block: string): StreamEvent[] {
  let name = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') {
      name = value ?? '';
    } else if (field === 'data') {
      data.push(value ?? '');
    } else if (field === 'id') {
      id = value ?? '';
    }
  }
  return data.length ? [{ name, data: data.join('\n'), ...(id === undefined ? {} : { id }) }] : [];
}

const FIRST_DELAY = 1_000;
const MAX_DELAY = 60_000;

/** Milliseconds until the next attempt after this many failed ones; `random` spreads the browsers of many people. */
export function backoff(failures: number, random = Math.random()): number {
  return Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures) * (0.5 + random / 2);
}
