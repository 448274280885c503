// Uses threads of the runtime with the official client; prints the responses as JSON.
import assert from "node:assert/strict";
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const assistant = "threads";
const message = (content) => ({ messages: [{ role: "user", content }] });
const start = (thread, content, more = {}) => client.runs.create(thread, assistant, { input: message(content), ...more });
const wait = (thread, content, more = {}) => client.runs.wait(thread, assistant, { input: message(content), ...more });

async function collect(stream) {
    const events = [];
    for await (const { id, event, data } of stream) {
        events.push({ id, event, data });
    }
    return events;
}

/** Waits until the run has stored its first step. */
async function begun(thread, run) {
    for await (const { data } of client.runs.joinStream(thread, run, { lastEventId: "-1" })) {
        if (data?.log?.length > 0) {
            return;
        }
    }
}

async function cancelled(action) {
    const { thread_id: thread } = await client.threads.create();
    const { run_id: run } = await start(thread, "wait 60000", { streamResumable: true });
    await begun(thread, run);
    await client.runs.cancel(thread, run, true, action);
    const status = await client.runs.get(thread, run).then((found) => found.status, (error) => error.status);
    return { run: status, thread: (await client.threads.get(thread)).status };
}

async function strategy(multitaskStrategy) {
    const { thread_id: thread } = await client.threads.create();
    const { run_id: first } = await start(thread, "wait 1000", { streamResumable: true });
    await begun(thread, first);
    const next = await wait(thread, "next", { multitaskStrategy }).then((values) => values.log, (error) => error.status);
    await client.runs.join(thread, first).catch(() => null);
    const status = await client.runs.get(thread, first).then((found) => found.status, (error) => error.status);
    return { first: status, next };
}

/** Starts runs with each value of onCompletion, also of older versions of the SDKs. */
async function completions() {
    const { thread_id: thread } = await client.threads.create();
    const logs = [];
    for (const onCompletion of ["complete", "continue", "delete", "keep"]) {
        logs.push((await wait(thread, onCompletion, { onCompletion })).log.at(-1));
    }
    const { thread_id, run_id } = await start(null, "alone", { onCompletion: "continue" });
    return { logs, alone: thread_id === run_id };
}

/** Streams a thread until two of its runs have ended. The first one may begin before the stream is open. */
async function threadStream() {
    const { thread_id: thread } = await client.threads.create();
    const events = [];
    const runs = [];
    const reading = (async () => {
        for await (const { event, data } of client.threads.joinStream(thread, { streamMode: ["run_modes", "lifecycle"] })) {
            events.push(data?.status ?? event);
            runs.push(...(data?.status === "run_done" ? [data.run_id] : []));
            if (runs.length === 2) {
                return;
            }
        }
    })();
    for (let i = 0; runs.length < 2; i++) {
        assert(i < 20, `the stream of the thread has only ${events}`);
        await wait(thread, "hello");
    }
    await reading;
    return { events: events.slice(events.indexOf("run_done") + 1), different: runs[0] !== runs[1] };
}

/** Starts, cancels and prunes several at once. */
async function several() {
    const batch = await client.runs.createBatch(["one", "two"].map((content) => ({
        assistantId: assistant, input: message(content),
    })));
    const joined = await Promise.all(batch.map(({ run_id: run }) => client.runs.join(run, run)));
    const { thread_id: thread } = await client.threads.create();
    const { run_id: first } = await start(thread, "wait 60000", { streamResumable: true });
    await begun(thread, first);
    const { run_id: second } = await start(thread, "wait 60000");
    const cancelled = await client.runs.cancelMany({ threadId: thread, runIds: [first, second], action: "rollback" }) ?? null;
    while ((await client.runs.list(thread)).length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const kept = await client.threads.prune([thread], { strategy: "keep_latest" });
    const pruned = await client.threads.prune([thread, thread]);
    return { logs: joined.map(({ log }) => log), cancelled, kept, pruned, missing: await client.threads.prune([thread]) };
}

const result = { stream: await threadStream(), several: await several() };
result.completions = await completions();
const { thread_id: thread } = await client.threads.create({ metadata: { source: "sdk" } });
let created;
result.streamed = await collect(client.runs.stream(thread, assistant, {
    input: message("hello"),
    streamMode: ["values", "messages-tuple"],
    onRunCreated: (run) => {
        created = run;
    },
}));
result.created = { run: created.run_id === result.streamed[0].data.run_id, thread: created.thread_id === thread };
result.second = await wait(thread, "again");
result.runs = await client.runs.list(thread);
result.thread = await client.threads.get(thread);
result.asked = await wait(thread, "ask");
result.interrupted = await client.threads.get(thread);
result.resumed = await client.runs.wait(thread, assistant, { command: { resume: "yes" } });
const background = await start(thread, "joined");
result.joined = await client.runs.join(thread, background.run_id);
result.found = await client.runs.get(thread, background.run_id);
await client.runs.delete(thread, background.run_id);
result.deleted = await client.runs.get(thread, background.run_id).catch((error) => error.status);
result.unknown = await wait("6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60", "hello").catch((error) => error.status);
result.cancelled = { interrupt: await cancelled("interrupt"), rollback: await cancelled("rollback") };
result.strategies = {
    reject: await strategy("reject"),
    enqueue: await strategy("enqueue"),
    interrupt: await strategy("interrupt"),
    rollback: await strategy("rollback"),
};

// The client does not always close the stream of the thread, which does not end.
process.stdout.write(JSON.stringify(result), () => process.exit());
