// Commands and channels of threads (threads.stream of the SDK). Each channel is compared on its own: the order of two is open.
import { begun, message, newThread, talked } from "./calls.mjs";

const ENDS = ["completed", "failed", "interrupted"];
const UNKNOWN = "0123456789abcdef0123456789abcdef";
const ends = ({ method, params: { namespace, data } }, depth = 0) =>
    method === "lifecycle" && namespace.length === depth && ENDS.includes(data.event);

/** Returns the result, or why the command is rejected. */
const command = (promise) => promise.then((value) => value ?? null, ({ code, status, message: text }) =>
    ({ rejected: code ?? status ?? text }));

const stream = ({ threads }, assistantId, thread = crypto.randomUUID()) => threads.stream(thread, { assistantId });

/** Returns a stream whose run has ended. */
async function ran(client, graph) {
    const thread = stream(client, graph);
    await thread.run.start({ input: message("hello") });
    await thread.output;
    return thread;
}

/** Reads a channel of the thread's next run, and of later ones. All events are from one connection, so they are in order. */
async function reader(thread, channel, namespace) {
    const channels = [...new Set([channel, "lifecycle", "input"])];
    const subscription = await thread.subscribe({ channels, ...(namespace && { namespaces: [namespace] }) });
    const events = subscription[Symbol.asyncIterator]();
    const ids = new Set();
    let last = 0;
    let ordered = true;
    return async () => {
        const read = [];
        for (let { value } = await events.next(); value; { value } = await events.next()) {
            const { event_id: id, seq, method, params: { timestamp: _time, ...params } } = value;
            ordered &&= seq > last && !ids.has(id);
            last = seq;
            ids.add(id);
            if (method === channel || method.startsWith(`${channel}.`)) {
                read.push({ method, ...params });
            }
            if (ends(value, namespace?.length)) {
                return { events: read, ordered };
            }
        }
        throw new Error(`ended after ${JSON.stringify(read)}`);
    };
}

/** Reads a channel of a run. */
const channel = (name, graph, content = "hello", namespace = undefined) => async (client) => {
    const thread = stream(client, graph);
    await thread.submitRun({ input: message(content) });
    const read = await (await reader(thread, name, namespace))();
    await thread.close();
    return read;
};

/** Returns the state of a thread when no run is active. */
async function idle({ threads }, id) {
    let thread = await threads.get(id);
    for (let i = 0; i < 400 && thread.status === "busy"; i++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        thread = await threads.get(id);
    }
    const { values, next } = await threads.getState(id);
    return { status: thread.status, log: values.log, next };
}

/** Reads a channel of a run and of the next one, which a command starts when the first has ended. */
const followed = (name, graph, next) => async (client) => {
    const thread = stream(client, graph);
    await thread.submitRun({ input: message("hello") });
    const read = await reader(thread, name);
    const first = await read();
    const { interrupted, interrupts: [...interrupts] } = thread;
    await idle(client, thread.threadId);
    const result = await command(next(thread, interrupts[0]));
    const second = await read();
    await thread.close();
    return {
        first, interrupted, asked: interrupts.map(({ payload, namespace }) => ({ payload, namespace })),
        result: typeof result?.run_id === "string" ? "run" : result, second, state: await idle(client, thread.threadId),
    };
};

const respond = (more) => (thread, { interruptId, namespace }) =>
    thread.respondInput({ interrupt_id: interruptId, namespace, response: { ok: true }, ...more });

/** Sends a command to a thread whose run has ended. */
const sent = (graph, send) => async (client) => {
    const thread = await ran(client, graph);
    await idle(client, thread.threadId);
    const result = await command(send(thread));
    await thread.close();
    return result;
};

/** Returns a channel's events of a run that has ended, as a client reads them that knows those until a number. */
async function since(apiUrl, thread, name, number) {
    const { body } = await fetch(`${apiUrl}/threads/${thread}/stream/events`, {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ channels: [name, "lifecycle"], ...(number === undefined ? {} : { since: number }) }),
    });
    const events = [];
    let rest = "";
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        events.push(...lines.filter((line) => line.startsWith("data:")).map((line) => JSON.parse(line.slice(5))));
        if (events.some((event) => ends(event))) {
            break;
        }
    }
    return events.filter(({ method }) => method === name);
}

export const channelCases = {
    "channel values": channel("values", "chat"),
    "channel updates": channel("updates", "chat"),
    "channel tasks": channel("tasks", "chat"),
    "channel messages": channel("messages", "chat"),
    "channel messages of a model": channel("messages", "writer"),
    "channel custom": channel("custom", "writer"),
    "channel tools": channel("tools", "agent"),
    "channel tools of a failure": channel("tools", "agent", "fail"),
    "channel checkpoints": channel("checkpoints", "chat"),
    "channel checkpoints of two runs": followed("checkpoints", "chat", (thread) => thread.submitRun({ input: message("two") })),
    "channel checkpoints of a subgraph": followed("checkpoints", "nested", respond()),
    "channel lifecycle": channel("lifecycle", "twice"),
    "channel lifecycle of a node with messages": channel("lifecycle", "chat"),
    "channel lifecycle of a failure": channel("lifecycle", "chat", "fail"),
    "channel lifecycle of a cancelled run": async (client) => {
        const thread = stream(client, "chat");
        const { run_id: run } = await thread.submitRun({ input: message("wait 60000") });
        const read = await reader(thread, "lifecycle");
        await begun(client, thread.threadId, run);
        await client.runs.cancel(thread.threadId, run, true);
        const cancelled = await read();
        await thread.close();
        return cancelled;
    },
    "channel values of a subgraph": channel("values", "nested", "hello", ["inner"]),
    "channel updates of a subgraph": followed("updates", "nested", respond()),
    "channel lifecycle of a subgraph": followed("lifecycle", "nested", respond()),
    "channel input of a subgraph": followed("input", "nested", respond()),
    "text of messages": async (client) => {
        const thread = stream(client, "writer");
        const started = thread.run.start({ input: message("hello") });
        // One connection for all: the end of the run must not arrive before the messages.
        const { messages: written } = thread;
        await started;
        const parts = [];
        for await (const { text } of written) {
            for await (const part of text) {
                parts.push(part);
            }
            break;
        }
        const { messages } = await thread.output;
        await thread.close();
        return { parts, final: messages.map(({ text }) => text) };
    },
    "custom events by name": async (client) => {
        const thread = stream(client, "writer");
        const started = thread.run.start({ input: message("hello") });
        const { progress } = thread.extensions;
        await started;
        const last = await progress;
        await thread.close();
        return last;
    },
    "input.respond": followed("values", "approval", respond()),
    "input.respond to several": followed("values", "approval", (thread, { interruptId }) =>
        thread.respondInput({ responses: [{ interrupt_id: interruptId, response: "yes" }] })),
    "input.respond with an update": followed("values", "approval", respond({ update: { topic: "new" } })),
    "input.respond again": async (client) => {
        const thread = await ran(client, "approval");
        const [{ interruptId, namespace }] = thread.interrupts;
        const answer = () => thread.respondInput({ interrupt_id: interruptId, namespace, response: "yes" });
        await answer();
        const { log } = await idle(client, thread.threadId);
        const again = await command(answer());
        await thread.close();
        return { log, again, runs: (await client.runs.list(thread.threadId)).length };
    },
    "input.respond to an unknown interrupt": sent("approval", ({ input }) =>
        input.respond({ interrupt_id: UNKNOWN, response: "yes" })),
    "input.respond without a question": sent("chat", ({ input }) => input.respond({ interrupt_id: UNKNOWN, response: "yes" })),
    "input.respond without a run": async (client) => {
        const { input } = stream(client, "chat", await newThread(client));
        return command(input.respond({ interrupt_id: UNKNOWN, response: "yes" }));
    },
    "run.start answers": followed("values", "approval", (thread) => thread.submitRun({ input: { ok: true } })),
    "run.start again": followed("values", "chat", (thread) => thread.submitRun({ input: message("two") })),
    "run.start from a checkpoint": async (client) => {
        const id = await talked(client);
        const [{ checkpoint }] = (await client.threads.getHistory(id)).filter(({ values }) => values.messages?.length === 2);
        const thread = stream(client, "chat", id);
        await thread.submitRun({ input: message("three"), forkFrom: checkpoint.checkpoint_id });
        const { events } = await (await reader(thread, "values"))();
        await thread.close();
        const contents = events.map(({ data }) => data.messages.map(({ content }) => content));
        return { contents, state: await idle(client, id) };
    },
    "run.start unknown assistant": (client) => command(stream(client, "unknown").run.start({ input: message("hello") })),
    "run.start another assistant": async (client) => {
        const { threadId } = await ran(client, "chat");
        const { run_id: run, ...rejected } = await command(stream(client, "writer", threadId).run.start({ input: {} }));
        return { run: typeof run, ...rejected };
    },
    "state.get": sent("chat", ({ state }) => state.get({})),
    "state.fork": sent("chat", ({ state }) => state.fork({})),
    "agent.getTree": sent("chat", ({ agent }) => agent.getTree()),
    "input.inject": sent("chat", ({ input }) => input.inject({ message: message("more").messages[0] })),
    "channel since": async (client, apiUrl) => {
        const { threadId } = await ran(client, "chat");
        const all = await since(apiUrl, threadId, "values");
        const missed = await since(apiUrl, threadId, "values", all[1].seq);
        return { all: all.map(({ params: { data } }) => data.log), missed: missed.map(({ params: { data } }) => data.log) };
    },
};
