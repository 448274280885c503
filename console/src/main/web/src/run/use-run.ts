import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client';
import type { StreamEvent } from '../api/changes';
import { failureText } from '../ui/errors';
import { announce } from '../ui/toast';
import { cancelRun, createThread, history, streamRun, type Start } from './application';
import { answered, asked, checkpointBefore, continued, EMPTY, received, stored, type Conversation, type Message } from './conversation';

export interface ThreadProps {
  readonly deployment: string;
  readonly assistant: string;
  /** Whether the application remembers: a conversation is a thread, otherwise each run gets all messages. */
  readonly hasThreads: boolean;
  /** Empty before the first message. */
  readonly thread: string;
  readonly onThread: (thread: string) => void;
}

/** Checkpoints among which that of an edited message is found. */
const MAX_CHECKPOINTS = 200;

/** One run at a time: its events are applied once per animation frame. */
export function useRun({ deployment, assistant, hasThreads, thread, onThread }: ThreadProps) {
  const [conversation, setConversation] = useState<Conversation>(EMPTY);
  const [phase, setPhase] = useState<'' | 'reading' | 'running'>('');
  const [failure, setFailure] = useState('');
  const [wasCancelled, setCancelled] = useState(false);
  const current = useRef<{ controller: AbortController; runId: string | null } | null>(null);
  /** The thread whose messages are shown. */
  const shown = useRef('');
  useEffect(() => () => current.current?.controller.abort(), []);
  const show = (next: Conversation): void => {
    setConversation(next);
    setFailure('');
    setCancelled(false);
  };
  const fail = (error: unknown, otherwise: string): void => setFailure(error instanceof ApiError ? failureText(error) : otherwise);

  useEffect(() => {
    if (!hasThreads || thread === shown.current) {
      return;
    }
    const controller = new AbortController();
    current.current?.controller.abort();
    shown.current = thread;
    show(EMPTY);
    if (thread) {
      setPhase('reading');
      history(deployment, thread, 1, controller.signal)
        .then(
          (states) => setConversation(stored(states[0])),
          (error) => controller.signal.aborted || fail(error, String(error)),
        )
        .finally(() => controller.signal.aborted || setPhase(''));
    }
    return () => controller.abort();
  }, [thread]);

  const start = async (run: Start, next: Conversation): Promise<void> => {
    const own = { controller: new AbortController(), runId: null as string | null };
    current.current = own;
    show(next);
    setPhase('running');
    let queue: StreamEvent[] = [];
    let frame = 0;
    let state = next;
    const flush = (): void => {
      frame = 0;
      state = received(state, queue.splice(0));
      own.runId = state.runId;
      setConversation(state);
    };
    try {
      if (hasThreads && !shown.current) {
        shown.current = await createThread(deployment);
        onThread(shown.current);
      }
      await streamRun(deployment, shown.current, assistant, run, own.controller.signal, (events) => {
        queue.push(...events);
        frame ||= requestAnimationFrame(flush);
      });
      cancelAnimationFrame(frame);
      flush();
      if (!state.hasEnded && !state.error) {
        setFailure('The stream ended before the run did.');
      }
      announce(state.error ? 'The run failed' : state.interrupts.length ? 'The application asks a question' : 'The run has ended');
    } catch (error) {
      cancelAnimationFrame(frame);
      flush();
      if (!own.controller.signal.aborted) {
        fail(error, 'The connection to the application was lost.');
      }
    }
    setPhase('');
  };
  const answer = (resume: unknown): void => void start({ command: answered(conversation.interrupts, resume) }, continued(conversation));
  /** Continues before the message, which another one replaces. */
  const fork = async (edited: Message, content: string): Promise<void> => {
    setPhase('reading');
    try {
      const checkpoint_id = checkpointBefore(edited.id, await history(deployment, shown.current, MAX_CHECKPOINTS));
      if (checkpoint_id === undefined) {
        setFailure('The state before this message is not stored any more.');
        setPhase('');
        return;
      }
      const messages = conversation.messages.slice(0, conversation.messages.indexOf(edited));
      if (checkpoint_id === null) {
        // Nothing precedes the message, so that another thread begins with the new one.
        shown.current = '';
      }
      const before = { ...conversation, messages, runs: conversation.runs.filter((one) => one.messages <= messages.length), runId: null };
      await start({ input: { messages: [{ role: 'user', content }] }, checkpoint_id: checkpoint_id ?? undefined }, asked(before, ownMessage(messages, content)));
    } catch (error) {
      fail(error, String(error));
      setPhase('');
    }
  };
  return {
    conversation,
    isRunning: phase === 'running',
    isBusy: phase !== '',
    failure,
    wasCancelled,
    answer,
    say: (message: string, edited: Message | undefined): void => {
      if (edited) {
        void fork(edited, message);
      } else if (hasThreads && conversation.interrupts.length) {
        answer(message);
      } else {
        const next = asked(conversation, ownMessage(conversation.messages, message));
        const sent = hasThreads ? next.messages.slice(-1) : next.messages;
        void start({ input: { messages: sent.map(({ role, text: content }) => ({ role, content })) } }, next);
      }
    },
    startWith: (json: string): void => {
      let value: unknown;
      try {
        value = JSON.parse(json);
      } catch (error) {
        setFailure(`The input is not valid JSON: ${(error as Error).message}`);
        return;
      }
      if (hasThreads && conversation.interrupts.length) {
        answer(value);
      } else {
        void start({ input: value }, hasThreads ? continued(conversation) : { ...EMPTY });
      }
    },
    /** Ends the stream, upon which the application cancels the run, and requests its cancellation. */
    cancel: (): void => {
      const own = current.current;
      if (!own || own.controller.signal.aborted) {
        return;
      }
      own.controller.abort();
      setCancelled(true);
      announce('The run was cancelled');
      if (own.runId) {
        // The run may have ended, or been cancelled with its stream.
        cancelRun(deployment, shown.current, own.runId).catch(() => undefined);
      }
    },
    reset: (): void => {
      shown.current = '';
      show(EMPTY);
      thread && onThread('');
    },
  };
}

const ownMessage = (before: readonly Message[], content: string): Message => ({ id: `own ${before.length}`, role: 'user', text: content });
