import { useEffect, useRef, useState } from 'preact/hooks';
import type { Scope } from './changes';
import { follow, resume } from './events';
import { forgetTagged } from './tagged';

export interface Query<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
  reload(): void;
}

interface State<T> {
  readonly key: string | null;
  readonly data?: T | undefined;
  readonly error?: Error | undefined;
  readonly loading: boolean;
}

interface Options {
  /** Reads again when something of this has changed, and every minute, because changes can be lost. */
  readonly changes?: Scope | undefined;
  readonly keepPrevious?: boolean;
  /** Reads at least this often while the page is visible. */
  readonly pollMs?: number | undefined;
}

const MAX_CACHED = 60;
const FALLBACK_MS = 60_000;
/** After a change, reading pauses for this multiple of its duration, so that slow lists do not occupy the service. */
const PAUSE = 10;
const MIN_PAUSE = 1_000;
const cache = new Map<string, unknown>();

function remember(key: string, value: unknown): void {
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > MAX_CACHED) {
    cache.delete(cache.keys().next().value!);
  }
}

/** Runs the action now or, in a hidden page, as soon as a person sees it. */
function whenVisible(signal: AbortSignal, action: () => void): void {
  if (!document.hidden) {
    action();
    return;
  }
  document.addEventListener('visibilitychange', () => !document.hidden && action(), { once: true, signal });
}

/** Forgets everything that was read, for example when the session changes. */
export function clearCache(): void {
  cache.clear();
  forgetTagged();
  resume();
}

/**
 * Reads data for a component: what is cached is shown at once and read again; a changed key aborts the request before. A key
 * of null reads nothing. With `changes` the data is read again when something of it has changed, while the page is visible.
 */
export function useQuery<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>, options: Options = {}): Query<T> {
  const [state, setState] = useState<State<T>>({ key: null, loading: true });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const scope = useRef(options.changes);
  scope.current = options.changes;
  const reading = useRef({ now: false, again: false, startedAt: 0, pause: 0 });
  const follows = key !== null && options.changes !== undefined;
  const pollMs = options.pollMs ?? (follows ? FALLBACK_MS : undefined);
  const poll = useRef(pollMs);
  poll.current = pollMs;

  useEffect(() => {
    if (key === null) {
      return;
    }
    const controller = new AbortController();
    Object.assign(reading.current, { now: true, again: false, startedAt: Date.now() });
    let retry: ReturnType<typeof setTimeout> | undefined;
    const cached = cache.get(key) as T | undefined;
    setState((before) => ({ key, data: cached ?? (options.keepPrevious ? before.data : undefined), loading: true }));
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) {
          remember(key, data);
          setState({ key, data, loading: false });
          retry = again(done() ? Math.max(MIN_PAUSE, reading.current.pause) : poll.current);
        }
      },
      (error: Error) => {
        if (!controller.signal.aborted) {
          setState((before) => ({ key, data: before.data, error, loading: false }));
          // A service that was away: the page recovers by itself.
          const status = (error as { status?: number }).status;
          done();
          retry = again(status === 0 || status === 503 || status === 502 ? 5_000 : poll.current);
        }
      },
    );
    /** Returns whether something changed while the data was being read. */
    function done(): boolean {
      const { again, startedAt } = reading.current;
      reading.current = { now: false, again: false, startedAt, pause: PAUSE * (Date.now() - startedAt) };
      return again;
    }
    function again(delay: number | undefined) {
      return delay ? setTimeout(() => whenVisible(controller.signal, () => setAttempt((n) => n + 1)), delay) : undefined;
    }
    return () => {
      controller.abort();
      clearTimeout(retry);
    };
  }, [key, attempt]);

  // A slow read is not aborted by each change: it is repeated when it has ended.
  useEffect(() => {
    const changed = (): void => {
      if (reading.current.now) {
        reading.current.again = true;
      } else {
        setAttempt((n) => n + 1);
      }
    };
    return follows ? follow(() => scope.current ?? { types: [] }, changed, () => reading.current.pause) : undefined;
  }, [key, follows]);

  // Between a change of the key and the effect, the state of the old key must not be shown as that of the new one.
  const shown = state.key === key || options.keepPrevious ? state : { data: key === null ? undefined : (cache.get(key) as T | undefined), error: undefined, loading: key !== null };
  return { data: shown.data, error: shown.error, loading: shown.loading && key !== null, reload: () => setAttempt((n) => n + 1) };
}
