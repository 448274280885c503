// Uses the hooks of @langchain/react, which read channels of threads, in jsdom: chat, edit, reload, tokens, interrupts, tools.
import "./dom.mjs";

const [apiUrl] = process.argv.slice(2);

const { createElement, useState } = await import("react");
const { createRoot } = await import("react-dom/client");
const { useMessageMetadata, useStream } = await import("@langchain/react");

const DEADLINE = 120_000;
// The hook makes a new client if it changes.
const callerOptions = { maxRetries: 0 };
const began = Date.now();
const human = (content) => ({ messages: [{ type: "human", content }] });
const errors = [];
let stream;
let thread;
let page = 0;
/** The messages of each time that the page was drawn. */
let history = [];
/** The checkpoint before each message, as the hook knows it. */
const parents = new Map();
/** The status of each call of a tool, of each time. */
let calls = [];

function Chat({ number, assistantId, initial = null }) {
    const [threadId, setThreadId] = useState(initial);
    const current = useStream({ apiUrl, assistantId, threadId, onThreadId: setThreadId, callerOptions });
    // The previous page may be drawn once more.
    if (number === page) {
        stream = current;
        thread = threadId;
        history.push(JSON.stringify(current.messages.map(({ text }) => text)));
        calls.push(...current.toolCalls.map(({ status }) => status));
    }
    const items = current.messages.map(({ id, text }) => createElement(Message, { key: id, current, id, text }));
    return createElement("ol", null, items);
}

function Message({ current, id, text }) {
    parents.set(id, useMessageMetadata(current, id)?.parentCheckpointId);
    return createElement("li", null, text);
}

/** Returns the messages that the page shows. */
const shown = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent);

/** Waits until the page shows what is expected, and that no run is active unless it may be. */
async function until(expected, running = false) {
    while (stream === undefined || (stream.isLoading && !running) || stream.isThreadLoading || !expected()) {
        if (Date.now() - began > DEADLINE) {
            throw new Error(`expected ${expected}; shown: ${shown()}; error: ${stream?.error}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (stream.error !== undefined) {
        errors.push(String(stream.error));
    }
}

const root = createRoot(document.querySelector("#root"));

/** Shows a new page, which reads the thread if there is one. */
async function open(assistantId, initial = undefined) {
    stream = undefined;
    history = [];
    calls = [];
    page++;
    root.render(createElement(Chat, { key: page, number: page, assistantId, initial }));
    await until(() => (initial ? shown().length > 0 : shown().length === 0));
}

const result = {};

await open("chat");
await stream.submit(human("one"));
await until(() => shown().length === 2);
await stream.submit(human("two"));
await until(() => shown().length === 4);
result.chat = { shown: shown(), log: stream.values.log };

// An edit of the second question starts from the state before it.
const [before] = (await stream.client.threads.getHistory(thread))
    .filter(({ values, next }) => values.messages?.length === 2 && next.length === 0);
await stream.submit(human("other"), { forkFrom: before.checkpoint.checkpoint_id });
await until(() => shown().length === 4 && shown()[2] === "other");
result.edited = shown();

const reloaded = thread;
await open("chat", reloaded);
result.reloaded = shown();
await stream.submit(human("three"));
await until(() => shown().length === 6);
result.continued = shown();

// An edit of an earlier question removes the messages after it.
await stream.submit(human("earlier"), { forkFrom: before.checkpoint.checkpoint_id });
await until(() => shown().length === 4 && shown()[2] === "earlier");
result.earlier = shown();

// A run forks from a checkpoint of the active run, which may not be stored yet.
await open("chat");
const first = stream.submit(human("wait 60000"));
await until(() => stream.values.log?.length === 1 && parents.get(stream.messages[0].id) !== undefined, true);
await stream.submit(human("again"), { forkFrom: parents.get(stream.messages[0].id), multitaskStrategy: "interrupt" });
await first;
await until(() => shown().at(-1).endsWith(": again"));
result.again = shown();

await open("writer");
await stream.submit(human("hello"));
await until(() => shown().length === 2);
// How many tokens arrive before the page is drawn again is open.
result.tokens = { shown: shown(), grows: history.every((list, i) => i === 0 || list.startsWith(history[i - 1].slice(0, -2))) };

await open("approval");
await stream.submit(human("hello"));
await until(() => stream.interrupt !== undefined);
result.interrupt = { value: stream.interrupt.value, shown: shown() };
const asked = thread;
await open("approval", asked);
await until(() => stream.interrupt !== undefined);
result.found = stream.interrupt.value;
// Without the id, the hook needs the event of the request, which may not have arrived.
await stream.respond("yes", { interruptId: stream.interrupt.id });
await until(() => stream.interrupt === undefined && shown().length === 2);
result.answered = { shown: shown(), log: stream.values.log };

// An edit starts from the checkpoint that the hook names. Later steps of a run may replace it, but this one waits in its first.
await stream.submit(human("more"));
await until(() => stream.interrupt !== undefined && parents.get(stream.messages[2]?.id) !== undefined);
await stream.submit(human("edited"), { forkFrom: parents.get(stream.messages[2].id) });
await until(() => stream.interrupt !== undefined && shown().length === 3 && shown()[2] === "edited");
result.forked = shown();

await open("nested");
await stream.submit(human("hello"));
await until(() => stream.interrupt !== undefined);
await stream.respond("yes");
await until(() => stream.interrupt === undefined && stream.values.log.at(-1) === "finished");
result.nested = stream.values.log;

await open("agent");
await stream.submit(human("bees"));
await until(() => shown().at(-1)?.startsWith("I read"));
result.agent = {
    shown: shown(), ever: [...new Set(history.flatMap((list) => JSON.parse(list)))], statuses: [...new Set(calls)],
    calls: stream.toolCalls.map(({ name, callId, args, output, status }) => ({ name, callId, args, output, status })),
};

await open("chat");
await stream.submit(human("fail"));
await until(() => stream.error !== undefined);
result.failure = String(stream.error.message);
errors.pop();

result.errors = errors;
console.log(JSON.stringify(result));
process.exit(0);
