import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { send } from '../api/client';
import { home } from '../app/shell';
import { JsonTree } from '../ui/json';
import { LongText } from '../ui/long-text';
import { copyText } from '../ui/copy';
import { count } from '../ui/format';
import { Icon } from '../ui/icons';
import { decisionsOf, MAX_EVENTS, type Conversation, type Message, type RawEvent } from './conversation';

const NEAR_END = 60;
const MAX_SHOWN = 2_000;
const TRACE_ATTEMPTS = 12;
const TRACE_MS = 1_500;

/** Keeps a scrolled element at its end while content is added, unless a person scrolled up. */
function useFollowed() {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // Before events of earlier scrolling arrive, which would be mistaken for those of a person.
  useLayoutEffect(() => {
    if (isAtEnd.current && element.current) {
      element.current.scrollTop = element.current.scrollHeight;
    }
  });
  const onScroll = (): void => {
    const { scrollHeight, scrollTop, clientHeight } = element.current!;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
  };
  return { element, onScroll };
}

interface Props {
  readonly conversation: Conversation;
  readonly isRunning: boolean;
  readonly failure: string;
  readonly wasCancelled: boolean;
  /** Absent where messages cannot be replaced. */
  readonly onEdit: ((message: Message) => void) | undefined;
  /** Present while the application waits for an answer. */
  readonly onAnswer: ((resume: unknown) => void) | undefined;
}

export function Messages({ conversation, isRunning, failure, wasCancelled, onEdit, onAnswer }: Props) {
  const { element, onScroll } = useFollowed();
  const { messages, values, error, runId, runs, interrupts } = conversation;
  const hasValues = messages.length === 0 && values !== undefined;
  return (
    <div ref={element} class="talk-messages" role="log" aria-label="Messages" tabIndex={0} onScroll={onScroll}>
      {messages.length === 0 && !hasValues && !isRunning && !failure && <p class="muted talk-empty">Send a message; the answer appears here as it is written, and every event beside it.</p>}
      {messages.map((message, index) => (
        <Fragment key={`${index} ${message.id}`}>
          <div class={`bubble ${message.role === 'user' ? 'own' : ''}`}>
            <div class="row">
              <span class="bubble-role grow">{message.role}</span>
              {onEdit && message.role === 'user' && !message.id.startsWith('own ') && (
                <button class="button quiet small" type="button" onClick={() => onEdit(message)}>
                  Edit
                </button>
              )}
            </div>
            <div class="text-content">
              <LongText text={message.text} />
            </div>
          </div>
          {runs.map((one) => one.messages === index + 1 && <Run key={one.id} id={one.id} />)}
        </Fragment>
      ))}
      {hasValues && <JsonTree value={values} label="Values" />}
      {isRunning && (
        <p class="muted" role="status">
          <span class="dot tone-busy" /> Running
        </p>
      )}
      {(error ?? failure) && (
        <div class="form-failure" role="alert">
          <p class="text-content">{error ?? failure}</p>
        </div>
      )}
      {wasCancelled && <p class="muted">The run was cancelled.</p>}
      {runId && !isRunning && <Run key={runId} id={runId} />}
      {onAnswer && interrupts[0] && <Question value={interrupts[0].value} onAnswer={onAnswer} />}
    </div>
  );
}

/** What an interrupted run asks, with its decisions; the field below takes any other answer. */
function Question({ value, onAnswer }: { value: unknown; onAnswer: (resume: unknown) => void }) {
  return (
    <div class="question" role="group" aria-label="Question of the application">
      <h2>The application waits for a decision</h2>
      {typeof value === 'string' ? <p class="text-content">{value}</p> : <JsonTree value={value} label="Question" />}
      <div class="row wrap">
        {decisionsOf(value).map(({ label, resume }, index) => (
          <button key={label} class={`button ${index ? '' : 'primary'}`} type="button" onClick={() => onAnswer(resume)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

/** A run that has ended, with a link to its trace as soon as it is stored; no link where the application sends none here. */
function Run({ id }: { id: string }) {
  const [attempt, setAttempt] = useState(1);
  const [isStored, setStored] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (attempt <= TRACE_ATTEMPTS) {
      send('get', `/api/v1/traces/${encodeURIComponent(id)}`, { signal: controller.signal }).then(
        () => setStored(true),
        () => (timer = controller.signal.aborted ? undefined : setTimeout(() => setAttempt(attempt + 1), TRACE_MS)),
      );
    }
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [attempt]);
  return (
    <p class="small row wrap">
      <span class="faint mono">run {id}</span>
      {isStored ? <a href={`${home()}/traces/${id}`}>Open the trace</a> : attempt <= TRACE_ATTEMPTS && <span class="muted">The trace follows</span>}
    </p>
  );
}

/** Every event as it was received. */
export function Events({ conversation }: { conversation: Conversation }) {
  const { element, onScroll } = useFollowed();
  const left = conversation.received - conversation.events.length;
  return (
    <section class="card events" aria-label="Events">
      <div class="row events-head">
        <h2 class="grow">Events {conversation.received > 0 && <span class="muted">{count(conversation.received)}</span>}</h2>
        <button class="button quiet" type="button" disabled={conversation.events.length === 0} onClick={() => copyText(conversation.events.map((one) => `event: ${one.name}\ndata: ${one.data}\n`).join('\n'))}>
          <Icon name="copy" size={14} /> Copy
        </button>
      </div>
      <div ref={element} class="events-list" tabIndex={0} role="group" aria-label="Events of the run" onScroll={onScroll}>
        {left > 0 && (
          <p class="muted small">
            {count(left)} older events are left out; the page keeps {MAX_EVENTS}.
          </p>
        )}
        {conversation.events.length === 0 && <p class="muted talk-empty">The events of the run, as the application sends them.</p>}
        {conversation.events.map((one) => (
          <Raw key={one.number} event={one} />
        ))}
      </div>
    </section>
  );
}

function Raw({ event }: { event: RawEvent }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && event.data.length > MAX_SHOWN;
  return (
    <div class={`raw ${event.name === 'error' ? 'failed' : ''}`}>
      <div class="row">
        <span class="faint small">{event.number}</span>
        <span class="raw-name mono">{event.name}</span>
      </div>
      <div class="mono text-content">{isCut ? event.data.slice(0, MAX_SHOWN) : event.data}</div>
      {isCut && (
        <button class="button quiet" type="button" onClick={() => setWhole(true)}>
          Show all {count(event.data.length)} characters
        </button>
      )}
    </div>
  );
}
