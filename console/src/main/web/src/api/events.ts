import { backoff, concerns, EventParser, type Change, type Scope } from './changes';
import { workspace } from './client';

/** Changes arrive up to once a second; a list is read at most this often. */
const MIN_INTERVAL = 5_000;
const DELAY = 250;
/** The service sends a heartbeat every 15 s. */
const SILENCE = 45_000;
/** A connection that lasted this long was a good one. */
const STABLE = 10_000;
/** Between two pages, nothing follows the stream for a moment. */
const IDLE = 2_000;
const TOO_MANY = 429;

class Follower {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  constructor(
    readonly scope: () => Scope,
    private readonly changed: () => void,
    private readonly interval: () => number,
  ) {}

  /** Reads soon; several changes are read together. */
  notify(): void {
    this.timer ??= setTimeout(() => this.run(), Math.max(DELAY, this.last + Math.max(MIN_INTERVAL, this.interval()) - Date.now()));
  }

  run(): void {
    this.cancel();
    this.last = Date.now();
    this.changed();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/**
 * Changes in the workspace, followed while the page is visible and shows something that can change. Of all visible pages of a
 * browser one has the connection and passes on what it receives: over HTTP/1.1 a browser opens six connections to a host, and
 * six streams would leave none for requests.
 */
const followers = new Set<Follower>();
let connection: AbortController | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** Changes may have been missed since the last connection. */
let hasGap = false;
/** The service does not accept this session: no attempt before the next sign-in or workspace. */
let isRejected = false;

interface Message {
  readonly workspace: string;
  readonly name: string;
  readonly data: string;
}

// vitest imports this module without a document.
const pages = typeof document === 'undefined' ? null : new BroadcastChannel('waybill-events');

class RejectedError extends Error {
  constructor(readonly status: number) {
    super(`The stream of changes responded with status ${status}.`);
  }
}

/**
 * Calls back when something in the scope has changed, also after times in which changes could not be received; at most once in
 * the interval.
 */
export function follow(scope: () => Scope, changed: () => void, interval: () => number = () => MIN_INTERVAL): () => void {
  const follower = new Follower(scope, changed, interval);
  followers.add(follower);
  start();
  return () => {
    follower.cancel();
    followers.delete(follower);
    setTimeout(() => followers.size === 0 && stop(), IDLE);
  };
}

/** Connects again after a sign-in. */
export function resume(): void {
  isRejected = false;
  start();
}

function start(): void {
  if (connection || retry !== undefined || followers.size === 0 || document.hidden || isRejected || workspace.peek() === '') {
    return;
  }
  const own = new AbortController();
  connection = own;
  lead(own)
    .catch((error: unknown) => error)
    .then((failure) => {
      if (connection !== own) {
        return;
      }
      connection = null;
      hasGap = true;
      if (failure instanceof RejectedError && failure.status < 500 && failure.status !== TOO_MANY) {
        isRejected = true;
        return;
      }
      retry = setTimeout(() => {
        retry = undefined;
        start();
      }, backoff(failures++));
    });
}

function stop(): void {
  clearTimeout(retry);
  retry = undefined;
  connection?.abort();
  connection = null;
}

/** Waits until no other page has the connection. Without a secure context there are no locks, and each page has its own. */
async function lead(own: AbortController): Promise<void> {
  if (!isSecureContext) {
    return read(own);
  }
  const name = `waybill-events:${workspace.peek()}`;
  const isFirst = await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock !== null && read(own).then(() => true));
  if (!isFirst) {
    await navigator.locks.request(name, { signal: own.signal }, () => {
      hasGap = true;
      return read(own);
    });
  }
}

// EventSource sends no headers, and the workspace is one.
async function read(own: AbortController): Promise<void> {
  const unanswered = setTimeout(() => own.abort(), SILENCE);
  const response = await fetch('/api/v1/events', {
    headers: { Accept: 'text/event-stream', 'X-Waybill-Console': '1', 'X-Tenant-Id': workspace.peek() },
    credentials: 'same-origin',
    cache: 'no-store',
    signal: own.signal,
  }).finally(() => clearTimeout(unanswered));
  if (!response.ok || !response.body) {
    throw new RejectedError(response.status);
  }
  if (hasGap) {
    hasGap = false;
    pass('resync', '');
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  const connectedAt = Date.now();
  for (;;) {
    const silence = setTimeout(() => own.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) {
      return;
    }
    if (Date.now() - connectedAt > STABLE) {
      failures = 0;
    }
    for (const event of parser.push(decoder.decode(value, { stream: true }))) {
      pass(event.name, event.data);
    }
  }
}

function pass(name: string, data: string): void {
  if (name === 'end') {
    // The session of this connection has ended; the next request finds whether the browser has another one.
    followers.forEach((follower) => follower.run());
    throw new Error('The session of the stream has ended.');
  }
  if (isSecureContext) {
    pages?.postMessage({ workspace: workspace.peek(), name, data } satisfies Message);
  }
  receive(name, data);
}

function receive(name: string, data: string): void {
  if (name === 'change') {
    const change = JSON.parse(data) as Change;
    followers.forEach((follower) => concerns(follower.scope(), change) && follower.notify());
  } else if (name === 'resync') {
    followers.forEach((follower) => follower.notify());
  }
}

workspace.subscribe(() => {
  stop();
  isRejected = false;
  failures = 0;
  start();
});

if (pages) {
  pages.onmessage = ({ data: message }: MessageEvent<Message>) => {
    // Also while this page waits for its next attempt, during which another one can get the connection.
    if (!document.hidden && message.workspace === workspace.peek()) {
      receive(message.name, message.data);
    }
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      stop();
      followers.forEach((follower) => follower.cancel());
    } else {
      hasGap = false;
      followers.forEach((follower) => follower.run());
      start();
    }
  });
}
