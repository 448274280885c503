/** A conversation with a deployed application, from the events of its streams. Every function is pure. */
import type { StreamEvent } from '../api/changes';

export interface Message {
  readonly id: string;
  readonly role: string;
  readonly text: string;
}

export interface RawEvent {
  readonly number: number;
  readonly name: string;
  readonly data: string;
}

export interface Conversation {
  readonly messages: readonly Message[];
  readonly events: readonly RawEvent[];
  readonly received: number;
  readonly runId: string | null;
  /** Earlier runs, each with the number of messages that came before the next question. */
  readonly runs: readonly { readonly id: string; readonly messages: number }[];
  readonly error: string | null;
  /** The newest values, for graphs that have no messages. */
  readonly values: unknown;
  /** Questions of the thread that nobody has answered. */
  readonly interrupts: readonly Interrupt[];
  readonly hasEnded: boolean;
}

export interface Interrupt {
  readonly id?: string;
  readonly value: unknown;
}

export const EMPTY: Conversation = { messages: [], events: [], received: 0, runId: null, runs: [], error: null, values: undefined, interrupts: [], hasEnded: false };
export const MAX_EVENTS = 500;

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', AIMessageChunk: 'assistant', HumanMessage: 'user', AIMessage: 'assistant' };

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a message's content, which is a text or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  if (Array.isArray(content)) {
    return content.map((block) => (isMembers(block) && typeof block['text'] === 'string' ? block['text'] : typeof block === 'string' ? block : '')).join('');
  }
  return content === null || content === undefined ? '' : JSON.stringify(content);
}

function messageOf(value: unknown, index: number): Message | null {
  if (!isMembers(value) || !('content' in value)) {
    return null;
  }
  const role = String(value['role'] ?? value['type'] ?? 'message');
  return { id: typeof value['id'] === 'string' ? value['id'] : `#${index}`, role: ROLES[role] ?? role, text: textOf(value['content']) };
}

function messagesOf(values: unknown): readonly Message[] | null {
  const found = isMembers(values) ? values['messages'] : undefined;
  return Array.isArray(found) ? found.flatMap((one, index) => messageOf(one, index) ?? []) : null;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** Replaces the messages of the same id, and adds the others. */
function merged(before: readonly Message[], added: readonly Message[]): readonly Message[] {
  const next = [...before];
  for (const one of added) {
    const at = next.findIndex((known) => known.id === one.id);
    if (at >= 0) {
      next[at] = one;
    } else {
      next.push(one);
    }
  }
  return next;
}

/** Continues with the same messages; the events are those of one run. */
export function continued({ messages, runId, runs }: Conversation): Conversation {
  return { ...EMPTY, messages, runs: runId ? [...runs, { id: runId, messages: messages.length }] : runs };
}

/** Begins the next turn with a message. */
export const asked = (before: Conversation, message: Message): Conversation => ({ ...continued(before), messages: [...before.messages, message] });

/** The text of a failure that the stream reported. */
export function failureOf(data: unknown): string {
  if (!isMembers(data)) {
    return String(data);
  }
  const [kind, message] = [data['error'], data['message']];
  return typeof message === 'string' ? (typeof kind === 'string' && kind !== message ? `${kind}: ${message}` : message) : typeof kind === 'string' ? kind : JSON.stringify(data);
}

/** Applies events of a stream; unknown ones are only listed. */
export function received(before: Conversation, events: readonly StreamEvent[]): Conversation {
  let { messages, runId, error, values, interrupts, hasEnded } = before;
  for (const event of events) {
    const data = parsed(event.data);
    const mode = event.name.split('|')[0]!;
    if (event.name === mode && isMembers(data) && Array.isArray(data['__interrupt__'])) {
      interrupts = data['__interrupt__'];
    }
    if (mode === 'metadata' && isMembers(data) && typeof data['run_id'] === 'string') {
      runId = data['run_id'];
    } else if (mode === 'values' && event.name === mode) {
      values = data;
      messages = messagesOf(data) ?? messages;
    } else if (mode === 'messages/partial' || mode === 'messages/complete') {
      messages = merged(messages, (Array.isArray(data) ? data : []).flatMap((one, index) => messageOf(one, messages.length + index) ?? []));
    } else if (mode === 'error') {
      error = failureOf(data);
    } else if (mode === 'end') {
      hasEnded = true;
    }
  }
  const added = events.map((event, index) => ({ number: before.received + index + 1, name: event.name, data: event.data }));
  return { messages, runId, runs: before.runs, error, values, interrupts, hasEnded, received: before.received + events.length, events: [...before.events, ...added].slice(-MAX_EVENTS) };
}

/** The conversation of a stored thread. */
export const stored = (state: { readonly values: unknown; readonly interrupts?: readonly Interrupt[] | null } | undefined): Conversation => ({ ...EMPTY, messages: messagesOf(state?.values) ?? [], values: state?.values, interrupts: state?.interrupts ?? [] });

interface Checkpoint {
  readonly values: unknown;
  readonly checkpoint?: { readonly checkpoint_id?: string } | null;
  readonly parent_checkpoint?: { readonly checkpoint_id?: string } | null;
}

/**
 * Finds the checkpoint before the message among those of a thread, the newest first; null if the thread begins with the message,
 * undefined if the checkpoint is not stored any more. Only ancestors of the newest one count: messages without ids are known by
 * their place, which those of other branches have as well.
 */
export function checkpointBefore(message: string, states: readonly Checkpoint[]): string | null | undefined {
  let first: Checkpoint | undefined;
  for (let one = states[0]; one; ) {
    first = messagesOf(one.values)?.some(({ id }) => id === message) ? one : first;
    const parent = one.parent_checkpoint?.checkpoint_id;
    one = parent === undefined ? undefined : states.find(({ checkpoint }) => checkpoint?.checkpoint_id === parent);
  }
  return first && (first.parent_checkpoint?.checkpoint_id ?? null);
}

export interface Decision {
  readonly label: string;
  readonly resume: unknown;
}

const labelOf = (decision: string): string => decision.charAt(0).toUpperCase() + decision.slice(1);

/** The answers that an interrupt names; without them, approval and rejection. */
export function decisionsOf(value: unknown): readonly Decision[] {
  const { decisions, action_requests: actions, review_configs: reviews } = isMembers(value) ? value : ({} as Members);
  if (Array.isArray(actions)) {
    // The middleware of LangChain expects a decision for each action.
    const allowed = Array.isArray(reviews) && isMembers(reviews[0]) ? reviews[0]['allowed_decisions'] : undefined;
    return ['approve', 'reject'].filter((one) => !Array.isArray(allowed) || allowed.includes(one)).map((type) => ({ label: labelOf(type), resume: { decisions: actions.map(() => ({ type })) } }));
  }
  const named = Array.isArray(decisions) ? decisions.filter((one) => typeof one === 'string') : [];
  return (named.length ? named : ['approve', 'reject']).map((one) => ({ label: labelOf(one), resume: one }));
}

/** The command that answers the first of the interrupts; others stay. */
export const answered = ([first, ...others]: readonly Interrupt[], resume: unknown) => ({ resume: others.length && first?.id ? { [first.id]: resume } : resume });

/** Whether the input of a graph is a list of messages, by its schema; without a schema it is. */
export function takesMessages(schema: unknown): boolean {
  const properties = isMembers(schema) ? schema['properties'] : undefined;
  return !isMembers(properties) || 'messages' in properties;
}

/** An input that fits a schema as far as its properties tell. */
export function sampleInput(schema: unknown): string {
  const properties = isMembers(schema) && isMembers(schema['properties']) ? schema['properties'] : {};
  const sample = (name: string, of: unknown): unknown => {
    if (name === 'messages') {
      return [{ role: 'user', content: 'hello' }];
    }
    const type = isMembers(of) ? of['type'] : undefined;
    return type === 'array' ? [] : type === 'object' ? {} : type === 'number' || type === 'integer' ? 0 : type === 'boolean' ? false : '';
  };
  return JSON.stringify(Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, sample(name, of)])), null, 2);
}
