import { useMemo, useState } from 'preact/hooks';
import { JsonTree } from '../ui/json';
import { LongText } from '../ui/long-text';
import { messagesOf, withResults, type Message, type Part } from './messages';

/** Roles with a colour of their own; clients can send any text as a role. */
const ROLES = ['assistant', 'user', 'tool'];
const FOLDED = 12;
const MAX_TEXT = 20_000;

/** The messages of a model call: inputs, then the response. Long histories are folded. */
export function Conversation({ inputs, outputs }: { inputs: unknown; outputs: unknown }) {
  const [all, setAll] = useState(false);
  const { before, after } = useMemo(() => {
    const given = messagesOf(inputs);
    const returned = messagesOf(outputs, 'assistant');
    // Agents return the whole conversation: only what is new belongs to the response.
    const repeated = returned.length > given.length && JSON.stringify(returned.slice(0, given.length)) === JSON.stringify(given);
    return { before: withResults(given), after: withResults(repeated ? returned.slice(given.length) : returned) };
  }, [inputs, outputs]);
  const hidden = all ? 0 : Math.max(0, before.length - FOLDED);
  const shown = hidden ? [...before.slice(0, 2), ...before.slice(-(FOLDED - 2))] : before;
  return (
    <>
      {shown.map((message, index) => (
        <>
          {hidden > 0 && index === 2 && (
            <button class="button quiet" type="button" onClick={() => setAll(true)}>
              Show {hidden} earlier messages
            </button>
          )}
          <MessageView key={index} message={message} />
        </>
      ))}
      {after.length > 0 && <div class="divider">Response</div>}
      {after.map((message, index) => (
        <MessageView key={`out ${index}`} message={message} />
      ))}
      {messagesOf(inputs).length === 0 && inputs !== null && inputs !== undefined && <JsonTree label="Inputs" value={inputs} />}
      {after.length === 0 && messagesOf(outputs, 'assistant').length === 0 && outputs !== null && outputs !== undefined && <JsonTree label="Outputs" value={outputs} />}
    </>
  );
}

function MessageView({ message }: { message: Message }) {
  return (
    <article class={`message ${ROLES.includes(message.role) ? message.role : ''}`}>
      <header>{message.role.slice(0, 60)}</header>
      {message.parts.length === 0 && <div class="part faint">empty</div>}
      {message.parts.map((part, index) => (
        <div class="part" key={index}>
          <PartView part={part} />
        </div>
      ))}
    </article>
  );
}

function PartView({ part }: { part: Part }) {
  switch (part.kind) {
    case 'text':
      return <Text text={part.text} />;
    case 'reasoning':
      return (
        <div class="reasoning">
          <Text text={part.text} />
        </div>
      );
    case 'image':
      return <img src={part.url} alt="In the message" />;
    case 'call':
      return (
        <div class="call">
          <div>
            <h4>{part.name}</h4>
            <pre tabIndex={0}>{pretty(part.input)}</pre>
          </div>
          <div>
            <h4>Result</h4>
            {part.result === undefined ? <span class="faint">not in this conversation</span> : <pre tabIndex={0}>{pretty(part.result)}</pre>}
          </div>
        </div>
      );
    case 'result':
      return <pre class="text-content long">{pretty(part.output)}</pre>;
    case 'json':
      return <JsonTree label="Part" value={part.value} />;
  }
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > MAX_TEXT;
  return (
    <>
      <p class="text-content long"><LongText text={isCut ? text.slice(0, MAX_TEXT) : text} /></p>
      {isCut && (
        <button class="button quiet" type="button" onClick={() => setWhole(true)}>
          Show {(text.length - MAX_TEXT).toLocaleString('en')} more characters
        </button>
      )}
    </>
  );
}

/** Text of a tool's input or output: JSON text is indented. */
function pretty(value: unknown): string {
  if (typeof value === 'string') {
    try {
      return /^\s*[[{]/.test(value) ? JSON.stringify(JSON.parse(value), null, 2) : value.slice(0, MAX_TEXT);
    } catch {
      return value.slice(0, MAX_TEXT);
    }
  }
  if (Array.isArray(value) && value.length === 1 && typeof value[0]?.text === 'string') {
    return pretty(value[0].text);
  }
  return value === undefined ? '' : JSON.stringify(value, null, 2).slice(0, MAX_TEXT);
}
