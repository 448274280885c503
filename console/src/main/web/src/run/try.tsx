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
import { assistants, cancelRun, inputSchema, streamRun } from './application';
import { asked, EMPTY, received, sampleInput, takesMessages, type Conversation } from './conversation';
import { Events, Messages } from './views';
import '../deployments/deployments.css';
import './run.css';

const STATE = { assistant: text(), mode: oneOf(['', 'chat', 'json'] as const, '') };

/** A chat with a deployed application, beside the events that it sends. */
export default function TryPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const deployment = useQuery(`deployment ${workspace.value} ${id}`, (signal) => get('/v2/deployments/{deployment_id}', { path: { deployment_id: id }, signal }));
  const isServing = deployment.data?.active_revision_id !== null && deployment.data?.active_revision_id !== undefined;
  const list = useQuery(isServing ? `assistants ${id} ${deployment.data?.active_revision_id}` : null, (signal) => assistants(id, signal));
  const back = { href: `${home()}/deployments/${id}`, label: deployment.data?.name ?? 'Deployment' };
  const crumbs = [{ label: 'Deployments', href: `${home()}/deployments` }, back];
  const error = deployment.error ?? list.error;
  const chosen = list.data?.find((one) => one.assistant_id === state.assistant || one.graph_id === state.assistant) ?? list.data?.[0];
  if (error && !(deployment.data && list.data)) {
    return (
      <Page title="Try it" crumbs={deployment.data ? crumbs : crumbs.slice(0, 1)}>
        <ErrorState error={error} retry={() => (deployment.reload(), list.reload())} back={deployment.data ? back : { href: crumbs[0]!.href, label: 'All deployments' }} />
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
  if (!list.data) {
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
          <select class="field" value={chosen?.assistant_id} onChange={(event) => set({ assistant: event.currentTarget.value })}>
            {list.data.map((one) => (
              <option key={one.assistant_id} value={one.assistant_id}>
                {one.name ?? one.graph_id}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {chosen ? <Talk key={chosen.assistant_id} deployment={id} assistant={chosen.assistant_id!} mode={state.mode} onMode={(mode) => set({ mode })} /> : <Empty title="This application has no assistants" />}
    </Page>
  );
}

interface TalkProps {
  readonly deployment: string;
  readonly assistant: string;
  readonly mode: '' | 'chat' | 'json';
  readonly onMode: (mode: 'chat' | 'json') => void;
}

function Talk({ deployment, assistant, mode, onMode }: TalkProps) {
  const schema = useQuery(`input schema ${deployment} ${assistant}`, (signal) => inputSchema(deployment, assistant, signal));
  const shownMode = mode || (takesMessages(schema.data) ? 'chat' : 'json');
  const [typed, setTyped] = useState('');
  const [json, setJson] = useState('');
  const run = useRun(deployment, assistant);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (schema.data) {
      setJson((before) => before || sampleInput(schema.data));
    }
  }, [schema.data]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (run.isRunning) {
      return;
    }
    if (shownMode === 'json') {
      run.startWith(json);
    } else if (typed.trim()) {
      run.say(typed);
      setTyped('');
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (shownMode === 'chat' ? !event.shiftKey : event.ctrlKey || event.metaKey) && !event.isComposing) {
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
          <button class="button quiet" type="button" disabled={run.isRunning || run.conversation === EMPTY} onClick={() => (run.reset(), field.current?.focus())}>
            Start over
          </button>
        </div>
        <Messages conversation={run.conversation} isRunning={run.isRunning} failure={run.failure} wasCancelled={run.wasCancelled} />
        <form class="talk-input" onSubmit={submit}>
          <textarea
            ref={field}
            class={`field ${shownMode === 'json' ? 'mono' : ''}`}
            rows={shownMode === 'json' ? 8 : 2}
            aria-label={shownMode === 'json' ? 'Input as JSON' : 'Message'}
            placeholder={shownMode === 'json' ? '{}' : 'Write a message'}
            spellcheck={shownMode === 'chat'}
            value={shownMode === 'json' ? json : typed}
            onInput={(event) => (shownMode === 'json' ? setJson(event.currentTarget.value) : setTyped(event.currentTarget.value))}
            onKeyDown={onKeyDown}
          />
          <div class="row">
            <span class="muted small grow">{shownMode === 'json' ? 'Ctrl Enter runs' : 'Enter sends, Shift Enter begins a line'}; Escape cancels a run</span>
            {run.isRunning && (
              <button class="button" type="button" onClick={run.cancel}>
                Cancel the run
              </button>
            )}
            <button class="button primary" type="submit" disabled={run.isRunning}>
              {shownMode === 'json' ? 'Run' : 'Send'}
            </button>
          </div>
        </form>
      </section>
      <Events conversation={run.conversation} />
    </div>
  );
}

/** One run at a time: its events are applied once per animation frame. */
function useRun(deployment: string, assistant: string) {
  const [conversation, setConversation] = useState<Conversation>(EMPTY);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState('');
  const [wasCancelled, setCancelled] = useState(false);
  const current = useRef<{ controller: AbortController; runId: string | null } | null>(null);
  useEffect(() => () => current.current?.controller.abort(), []);

  const start = async (input: unknown, next: Conversation): Promise<void> => {
    const own = { controller: new AbortController(), runId: null as string | null };
    current.current = own;
    setConversation(next);
    setFailure('');
    setCancelled(false);
    setRunning(true);
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
      await streamRun(deployment, assistant, input, own.controller.signal, (events) => {
        queue.push(...events);
        frame ||= requestAnimationFrame(flush);
      });
      cancelAnimationFrame(frame);
      flush();
      if (!state.hasEnded && !state.error) {
        setFailure('The stream ended before the run did.');
      }
      announce(state.error ? 'The run failed' : 'The run has ended');
    } catch (error) {
      cancelAnimationFrame(frame);
      flush();
      if (!own.controller.signal.aborted) {
        setFailure(error instanceof ApiError ? failureText(error) : 'The connection to the application was lost.');
      }
    }
    setRunning(false);
  };
  return {
    conversation,
    isRunning,
    failure,
    wasCancelled,
    say: (message: string): void => {
      const next = asked(conversation, { id: `own ${conversation.messages.length}`, role: 'user', text: message });
      void start({ messages: next.messages.map(({ role, text: content }) => ({ role, content })) }, next);
    },
    startWith: (json: string): void => {
      try {
        void start(JSON.parse(json), asked(conversation, null));
      } catch (error) {
        setFailure(`The input is not valid JSON: ${(error as Error).message}`);
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
        cancelRun(deployment, own.runId).catch(() => undefined);
      }
    },
    reset: (): void => {
      setConversation(EMPTY);
      setFailure('');
      setCancelled(false);
    },
  };
}
