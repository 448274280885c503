import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { post } from '../api/client';
import { follow } from '../api/events';
import type { Conditions } from './project';
import { MAX_ORDERED, type RunRow } from './run-columns';

const PAGE = 50;
/** The next page is read when this many rows remain. */
const AHEAD = 20;
const FALLBACK_MS = 60_000;
const RETRY_MS = 5_000;

interface State {
  readonly rows: readonly RunRow[];
  readonly next: string | null;
  /** Start time of the last run of a search that takes long; it goes on while the page is visible. */
  readonly until?: string | null;
  readonly loading: boolean;
  readonly error?: Error;
  readonly hasNew: boolean;
}

const EMPTY: State = { rows: [], next: null, loading: true, hasNew: false };

/** Whether more runs are read without a scroll: an order needs all of them, or a search has not yet filled the view. */
export function mustContinue({ error, rows, until }: Pick<State, 'error' | 'rows' | 'until'>, lastInView: number, all: boolean): boolean {
  return !error && ((all && rows.length < MAX_ORDERED) || (!!until && lastInView >= rows.length - AHEAD));
}

/**
 * Appends pages by cursor; a change of the query aborts and starts again. New runs replace the first page while it is in view;
 * further below the page only reports them, so that no row moves under the reader. With `all`, pages follow each other until
 * the rows are complete.
 */
export function useRuns(session: string, conditions: Conditions, order: 'asc' | 'desc', fields: readonly string[], all: boolean) {
  const [state, setState] = useState<State>(EMPTY);
  const [attempt, retry] = useReducer((n: number) => n + 1, 0);
  const signature = JSON.stringify([conditions, order, fields]);
  const controller = useMemo(() => new AbortController(), [signature, attempt]);
  const view = useRef({ first: 0, last: 0, state });
  view.current.state = state;
  const read = async (cursor: string | null, before: readonly RunRow[]): Promise<void> => {
    try {
      const page = await post('/api/v1/runs/query', { body: { ...conditions, select: [...fields], limit: PAGE, order, partial: true, ...(cursor ? { cursor } : {}) }, signal: controller.signal });
      setState({ rows: [...before, ...(page.runs as unknown as RunRow[])], next: page.cursors.next ?? null, until: page.searched_until ?? null, loading: false, hasNew: false });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') {
        // What was read stays, and can be read again.
        setState((shown) => ({ ...shown, loading: false, error: error as Error }));
      }
    }
  };
  useEffect(() => {
    setState(EMPTY);
    void read(null, []);
    return () => controller.abort();
  }, [controller]);
  const changed = useRef<() => void>(() => undefined);
  changed.current = () => {
    const { first, state: shown } = view.current;
    if (shown.loading || controller.signal.aborted) {
      return;
    }
    if (shown.error || (first === 0 && order === 'desc' && !all && !shown.until)) {
      void read(null, []);
    } else {
      setState({ ...shown, hasNew: true });
    }
  };
  useEffect(() => follow(() => ({ types: ['runs', 'feedback'], sessions: [session] }), () => changed.current()), [session]);
  // Changes can be lost, and a service that was away comes back.
  const isAway = [0, 502, 503].some((status) => (state.error as { status?: number } | undefined)?.status === status);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && (isAway || (view.current.first === 0 && order === 'desc' && !all)) && changed.current(), isAway ? RETRY_MS : FALLBACK_MS);
    return () => clearInterval(timer);
  }, [isAway, order, all]);
  const readNext = (): void => {
    if (state.next && !state.loading) {
      setState({ ...state, loading: true });
      void read(state.next, state.rows);
    }
  };
  useEffect(() => {
    const goOn = (): void => {
      if (!document.hidden && mustContinue(state, view.current.last, all)) {
        readNext();
      }
    };
    goOn();
    document.addEventListener('visibilitychange', goOn);
    return () => document.removeEventListener('visibilitychange', goOn);
  }, [all, state]);
  /** Receives the range of the rows in view. */
  const show = (first: number, last: number): void => {
    Object.assign(view.current, { first, last });
    if (last >= state.rows.length - AHEAD) {
      readNext();
    }
  };
  return { ...state, show, retry: () => retry(0) };
}
