// Uses the hooks of @langchain/react, which read channels of threads, in jsdom: chat, edit, reload, tokens, interrupts, tools.
import "./dom.mjs";

const [apiUrl] = process.argv.slice(2);

const { createElement, useState } = await import("react");
const { createRoot } = await import("react-dom/client");
const { useStream } = await import("@langchain/react");

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
    return createElement("ol", null, current.messages.map(({ id, text }) => createElement("li", { key: id }, text)));
}

/** Returns the messages that the page shows. */
const shown = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent);

/** Waits until the page shows that no run is active, and what is expected. */
async function until(expected) {
    while (stream === undefined || stream.isLoading || stream.isThreadLoading || !expected()) {
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
