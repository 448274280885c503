import { useEffect, useReducer, useRef } from 'preact/hooks';
import { ApiError } from '../api/client';
import { backoff } from '../api/changes';
import { openStream, readEvents } from '../api/stream';
import { LogBuffer, matches, type Level, type LogPhase } from './logs';
import type { LogLine } from './model';

interface Followed {
  readonly deployment: string;
  readonly revision: string;
  readonly phase: LogPhase;
  readonly q: string;
  readonly level: Level | '';
}

export type Connection = 'connecting' | 'live' | 'ended' | 'lost';

export interface Log {
  readonly buffer: LogBuffer;
  readonly connection: Connection;
  readonly error: Error | undefined;
  /** Lines that arrived while the panel was paused; they are shown when it goes on. */
  readonly waiting: number;
}

const LOG = '/v2/deployments/{deployment_id}/revisions/{revision_id}/logs';
/** Lines that wait for the next frame, or for the end of a pause. */
const MAX_WAITING = 20_000;

/** Follows the log of a revision: lines are shown once per animation frame, and a lost connection continues where it was. */
export function useLog({ deployment, revision, phase, q, level }: Followed, isPaused: boolean): Log {
  const [, update] = useReducer((n: number) => n + 1, 0);
  const state = useRef({ buffer: new LogBuffer(), connection: 'connecting' as Connection, error: undefined as Error | undefined, queue: [] as LogLine[], frame: 0 });
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const own = state.current;

  const flush = (): void => {
    own.frame = 0;
    if (!paused.current && own.queue.length) {
      own.buffer.push(own.queue.splice(0));
    }
    update(0);
  };
  const schedule = (): void => {
    // A hidden page has no frames; its lines wait.
    own.frame ||= requestAnimationFrame(flush);
  };
  useEffect(() => schedule(), [isPaused]);

  useEffect(() => {
    const controller = new AbortController();
    Object.assign(own, { buffer: new LogBuffer(), connection: 'connecting', error: undefined, queue: [] });
    update(0);
    let offset = '';
    let failures = 0;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let hasEnded = false;
    const change = (connection: Connection, error?: Error): void => {
      own.connection = connection;
      own.error = error;
      schedule();
    };
    const connect = async (): Promise<void> => {
      try {
        const query = phase === 'server' ? { phase, ...(q ? { q } : {}), ...(level ? { level } : {}) } : {};
        const response = await openStream('get', LOG, { path: { deployment_id: deployment, revision_id: revision }, query: { ...query, ...(offset ? { offset } : {}) }, signal: controller.signal });
        change('live');
        await readEvents(response, (events) => {
          failures = 0;
          for (const event of events) {
            offset = event.id ?? offset;
            if (event.name === 'end') {
              hasEnded = true;
            } else if (event.name === 'log') {
              const line = JSON.parse(event.data) as LogLine;
              if (matches(line, phase, phase === 'server' ? '' : q)) {
                own.queue.push(line);
              }
            }
          }
          if (own.queue.length > MAX_WAITING) {
            own.buffer.omit(own.queue.splice(0, own.queue.length - MAX_WAITING).length);
          }
          schedule();
        });
        change(hasEnded ? 'ended' : 'lost');
      } catch (failure) {
        if (controller.signal.aborted) {
          return;
        }
        const error = failure as Error;
        const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
        change(isFinal ? 'ended' : 'lost', isFinal ? error : undefined);
        hasEnded ||= isFinal;
      }
      if (!hasEnded && !controller.signal.aborted) {
        retry = setTimeout(() => void connect(), backoff(failures++));
      }
    };
    void connect();
    return () => {
      controller.abort();
      clearTimeout(retry);
      cancelAnimationFrame(own.frame);
      own.frame = 0;
    };
  }, [deployment, revision, phase, phase === 'server' ? level : '', q]);

  return { buffer: own.buffer, connection: own.connection, error: own.error, waiting: isPaused ? own.queue.length : 0 };
}
