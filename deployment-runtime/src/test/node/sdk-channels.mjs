// Uses the SDK's streams of threads (commands and channels), and its controller, on which hooks like useStream are built;
// prints what they return as JSON.
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";

const [apiUrl, apiKey] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const assistantId = "threads";
const message = (content) => ({ messages: [{ type: "human", content }] });
const texts = (messages) => messages.map(({ text, content }) => text ?? content);

/** Starts a run and reads its values, then answers its question and reads the values of the next run. */
async function stream() {
    const thread = client.threads.stream({ assistantId });
    await thread.run.start({ input: message("ask") });
    const asked = await thread.output;
    const { interrupted, interrupts: [{ interruptId, payload, namespace }] } = thread;
    const values = await thread.subscribe(["values"]);
    await thread.input.respond({ interrupt_id: interruptId, namespace, response: "yes" });
    let answered;
    for await (const { params } of values) {
        answered = params.data;
        if (answered.messages.length === 2) {
            break;
        }
    }
    await thread.close();
    return { asked: texts(asked.messages), interrupted, payload, answered: texts(answered.messages) };
}

/** Reads the messages of a model while they are written. */
async function messages() {
    const thread = client.threads.stream({ assistantId: "langgraph" });
    await thread.run.start({ input: message("tokens:3 delay:10") });
    const parts = [];
    for await (const written of thread.messages) {
        for await (const part of written.text) {
            parts.push(part);
        }
        break;
    }
    const { messages: final } = await thread.output;
    await thread.close();
    return { parts: parts.length, text: parts.join(""), final: String(final.at(-1).content) };
}

async function failure() {
    const thread = client.threads.stream({ assistantId });
    const events = [];
    const { run_id: run } = await thread.run.start({ input: message("fail") });
    for await (const { method, params } of await thread.subscribe(["lifecycle"])) {
        events.push({ method, data: params.data });
    }
    await thread.close();
    return { run: typeof run, events };
}

async function until(expected) {
    for (let i = 0; i < 1000 && !expected(); i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/** Chats, answers a question in another window, and continues there. */
async function controller() {
    const threadId = crypto.randomUUID();
    const options = { assistantId, client, threadId };
    const [window, other] = [new StreamController(options), new StreamController(options)];
    const shown = ({ rootStore }) => texts(rootStore.getSnapshot().messages);
    const asked = ({ rootStore }) => rootStore.getSnapshot().interrupts.map(({ value }) => value);
    await window.hydrate(threadId);
    await window.submit(message("one"));
    await until(() => shown(window).length === 2);
    const chat = shown(window);
    await window.submit(message("ask"));
    await until(() => asked(window).length > 0);
    const question = asked(window);

    await other.hydrate(threadId);
    const found = asked(other);
    await other.respond("yes", { interruptId: other.rootStore.getSnapshot().interrupts[0].id });
    await until(() => shown(other).length === 4 && shown(window).length === 4);
    const answered = [shown(window), shown(other), asked(other)];
    await other.submit(message("two"));
    await until(() => shown(other).length === 6);
    const { error, isLoading } = other.rootStore.getSnapshot();
    const last = shown(other);
    await Promise.all([window.dispose(), other.dispose()]);
    return { chat, question, found, answered, last, error: error ?? null, isLoading };
}

console.log(JSON.stringify({
    stream: await stream(), messages: await messages(), failure: await failure(), controller: await controller(),
}));
process.exit(0);
