import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, get, workspace } from '../api/client';
import type { StreamEvent } from '../api/changes';
import { useQuery } from '../api/query';
import { oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { Tabs } from '../ui/dialog';
import { failureText } from '../ui/errors';
import { ErrorState, Loading, Empty } from '../ui/states';
import { announce } from '../ui/toast';
import { assistants, cancelRun, createThread, hasThreads, history, inputSchema, streamRun, type Start } from './application';
import { answered, asked, checkpointBefore, continued, EMPTY, received, sampleInput, stored, takesMessages, type Conversation, type Message } from './conversation';
import { Events, Messages } from './views';
import '../deployments/deployments.css';
import './run.css';

const STATE = { assistant: text(), thread: text(), mode: oneOf(['', 'chat', 'json'] as const, '') };

/** A chat with a deployed application, beside the events that it sends. */
export default function TryPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const deployment = useQuery(`deployment ${workspace.value} ${id}`, (signal) => get('/v2/deployments/{deployment_id}', { path: { deployment_id: id }, signal }));
  const isServing = deployment.data?.active_revision_id !== null && deployment.data?.active_revision_id !== undefined;
  const list = useQuery(isServing ? `assistants ${id} ${deployment.data?.active_revision_id}` : null, (signal) => assistants(id, signal));
  const back = { href: `${home()}/deployments/${id}`, label: deployment.data?.name ?? 'Deployment' };
  const crumbs = [{ label: 'Deployments', href: `${home()}/deployments` }, back];
  const chosen = list.data?.find((one) => one.assistant_id === state.assistant || one.graph_id === state.assistant) ?? list.data?.[0];
  const threads = useQuery(chosen ? `has threads ${id} ${deployment.data?.active_revision_id} ${chosen.assistant_id}` : null, (signal) => hasThreads(id, chosen!.assistant_id!, signal));
  const error = deployment.error ?? list.error ?? threads.error;
  const isRead = list.data && (!chosen || threads.data !== undefined);
  if (error && !(deployment.data && isRead)) {
    return (
      <Page title="Try it" crumbs={deployment.data ? crumbs : crumbs.slice(0, 1)}>
        <ErrorState error={error} retry={() => (deployment.reload(), list.reload(), threads.reload())} back={deployment.data ? back : { href: crumbs[0]!.href, label: 'All deployments' }} />
      </Page>
    );
  }
  if (deployment.data && !isServing) {
    return (
      <Page title="Try it" crumbs={crumbs}>
        <Empty title="No revision serves requests yet">
          <a class="button" href={back.href}>
            Back to {back.label}
          </a>
        </Empty>
      </Page>
    );
  }
  if (!list.data || !isRead) {
    return (
      <Page title="Try it" crumbs={crumbs}>
        <Loading what="the assistants" rows={8} />
      </Page>
    );
  }
  return (
    <Page
      fill
      title={`Try ${deployment.data?.name ?? ''}`}
      crumbs={crumbs}
      subtitle={chosen?.description}
      actions={
        <label class="row">
          <span class="muted">Assistant</span>
          <select class="field" value={chosen?.assistant_id} onChange={(event) => set({ assistant: event.currentTarget.value, thread: '' })}>
            {list.data.map((one) => (
              <option key={one.assistant_id} value={one.assistant_id}>
                {one.name ?? one.graph_id}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {chosen ? <Talk key={chosen.assistant_id} deployment={id} assistant={chosen.assistant_id!} hasThreads={threads.data ?? false} thread={state.thread} mode={state.mode} onThread={(thread) => set({ thread }, { replace: true })} onMode={(mode) => set({ mode })} /> : <Empty title="This application has no assistants" />}
    </Page>
  );
}

interface ThreadProps {
  readonly deployment: string;
  readonly assistant: string;
  /** Whether the application remembers: a conversation is a thread, otherwise each run gets all messages. */
  readonly hasThreads: boolean;
  /** Empty before the first message. */
  readonly thread: string;
  readonly onThread: (thread: string) => void;
}

interface TalkProps extends ThreadProps {
  readonly mode: '' | 'chat' | 'json';
  readonly onMode: (mode: 'chat' | 'json') => void;
}

function Talk({ mode, onMode, ...props }: TalkProps) {
  const { deployment, assistant, hasThreads } = props;
  const schema = useQuery(`input schema ${deployment} ${assistant}`, (signal) => inputSchema(deployment, assistant, signal));
  const shownMode = mode || (takesMessages(schema.data) ? 'chat' : 'json');
  const [typed, setTyped] = useState('');
  const [json, setJson] = useState('');
  const [edited, setEdited] = useState<Message>();
  const run = useRun(props);
  const field = useRef<HTMLTextAreaElement>(null);
  const isJson = shownMode === 'json';
  const isAsked = hasThreads && !run.isBusy && run.conversation.interrupts.length > 0;
  useEffect(() => {
    if (schema.data) {
      setJson((before) => before || sampleInput(schema.data));
    }
  }, [schema.data]);
  const edit = (message: Message | undefined): void => {
    setEdited(message);
    setTyped(message?.text ?? '');
    field.current?.focus();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (run.isBusy) {
      return;
    }
    if (isJson) {
      run.startWith(json);
    } else if (typed.trim()) {
      run.say(typed, edited);
      edit(undefined);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (isJson ? event.ctrlKey || event.metaKey : !event.shiftKey) && !event.isComposing) {
      submit(event);
    } else if (event.key === 'Escape' && run.isRunning) {
      event.preventDefault();
      run.cancel();
    }
  };
  return (
    <div class="try">
      <section class="card talk" aria-label="Conversation">
        <div class="row talk-head">
          <div class="grow">
            <Tabs
              label="Kind of input"
              tabs={[
                { id: 'chat', label: 'Chat' },
                { id: 'json', label: 'JSON input' },
              ]}
              selected={shownMode}
              onSelect={onMode}
            />
          </div>
          <button class="button quiet" type="button" disabled={run.isBusy || run.conversation === EMPTY} onClick={() => (run.reset(), edit(undefined))}>
            Start over
          </button>
        </div>
        <Messages conversation={run.conversation} isRunning={run.isRunning} failure={run.failure} wasCancelled={run.wasCancelled} onEdit={hasThreads && !isJson && !run.isBusy ? edit : undefined} onAnswer={isAsked ? run.answer : undefined} />
        <form class="talk-input" onSubmit={submit}>
          {edited && !isJson && (
            <p class="row">
              <span class="muted small grow">Replaces the message and what followed it</span>
              <button class="button quiet" type="button" onClick={() => edit(undefined)}>
                Keep it
              </button>
            </p>
          )}
          <textarea
            ref={field}
            class={`field ${isJson ? 'mono' : ''}`}
            rows={isJson ? 8 : 2}
            aria-label={isJson ? 'Input as JSON' : 'Message'}
            placeholder={isJson ? '{}' : isAsked && !edited ? 'Write another answer' : 'Write a message'}
            spellcheck={!isJson}
            value={isJson ? json : typed}
            onInput={(event) => (isJson ? setJson(event.currentTarget.value) : setTyped(event.currentTarget.value))}
            onKeyDown={onKeyDown}
          />
          <div class="row">
            <span class="muted small grow">{isJson ? 'Ctrl Enter runs' : 'Enter sends, Shift Enter begins a line'}; Escape cancels a run</span>
            {run.isRunning && (
              <button class="button" type="button" onClick={run.cancel}>
                Cancel the run
              </button>
            )}
            <button class="button primary" type="submit" disabled={run.isBusy}>
              {isJson ? 'Run' : 'Send'}
            </button>
          </div>
        </form>
      </section>
      <Events conversation={run.conversation} />
    </div>
  );
}

/** Checkpoints among which that of an edited message is found. */
const MAX_CHECKPOINTS = 200;

/** One run at a time: its events are applied once per animation frame. */
function useRun({ deployment, assistant, hasThreads, thread, onThread }: ThreadProps) {
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
    /** Ends the stream; the application cancels a run whose client is gone, and is told as well. */
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
