import { useEffect, useRef, useState } from 'preact/hooks';
import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { Tabs } from '../ui/dialog';
import { ErrorState, Loading, Empty } from '../ui/states';
import { assistants, hasThreads, inputSchema } from './application';
import { EMPTY, sampleInput, takesMessages, type Message } from './conversation';
import { useRun, type ThreadProps } from './use-run';
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
