// Uses React's hook useStream with its default transport in jsdom: chat, interrupt and answer, edit of an earlier message.
import "./dom.mjs";

const [apiUrl] = process.argv.slice(2);

const { createElement, useState } = await import("react");
const { createRoot } = await import("react-dom/client");
const { useStream } = await import("@langchain/langgraph-sdk/react");

const DEADLINE = 45_000;
const began = Date.now();
const human = (content) => ({ messages: [{ type: "human", content }] });
const errors = [];
let stream;
let thread;

function Chat({ assistantId }) {
    const [threadId, setThreadId] = useState(null);
    thread = threadId;
    stream = useStream({
        apiUrl, assistantId, threadId, onThreadId: setThreadId, fetchStateHistory: true, callerOptions: { maxRetries: 0 },
        onError: (error) => errors.push(String(error)),
    });
    const items = stream.messages.map(({ id, content }) => createElement("li", { key: id }, String(content)));
    return createElement("ol", null, items);
}

/** Returns the messages that the page shows. */
const shown = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent);

/** Waits until the page shows that the run has ended as expected. */
async function until(expected) {
    while (stream === undefined || stream.isLoading || !expected()) {
        if (Date.now() - began > DEADLINE) {
            throw new Error(`expected ${expected}; shown: ${shown()}; errors: ${errors}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

const root = createRoot(document.querySelector("#root"));
const result = {};

root.render(createElement(Chat, { key: "chat", assistantId: "chat" }));
await until(() => true);
stream.submit(human("one"));
await until(() => shown().length === 2);
stream.submit(human("two"));
await until(() => shown().length === 4 && stream.history.length > 0);
result.chat = { shown: shown(), thread: typeof thread };

// The edit of the second question forks before it.
const edited = stream.messages[2];
const { firstSeenState } = stream.getMessagesMetadata(edited);
stream.submit(human("three"), { checkpoint: firstSeenState.parent_checkpoint });
await until(() => shown()[2] === "three" && shown().length === 4
    && stream.getMessagesMetadata(stream.messages[2])?.branchOptions?.length === 2);
const { branch, branchOptions } = stream.getMessagesMetadata(stream.messages[2]);
result.edited = { shown: shown(), branches: branchOptions.length };
stream.setBranch(branchOptions.find((option) => option !== branch));
await until(() => shown()[2] === "two");
result.switched = shown();

root.render(createElement(Chat, { key: "approval", assistantId: "approval" }));
await until(() => thread === null);
stream.submit(human("hello"));
await until(() => stream.interrupt !== undefined);
result.interrupt = { value: stream.interrupt.value, shown: shown() };
stream.submit(undefined, { command: { resume: "yes" } });
await until(() => stream.interrupt === undefined && shown().length === 2);
result.resumed = { shown: shown(), log: stream.values.log };

result.errors = errors;
console.log(JSON.stringify(result));
process.exit(0);
