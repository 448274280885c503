// Runs on threads: results, streams, strategies, commands, breakpoints.
import { asked, attempt, begun, events, message, newThread, start, summary, talked, wait } from "./calls.mjs";

const absent = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60";
const log = (values) => values?.log ?? values;

const streamed = (streamMode, graph = "chat", more = {}) => async (client) => {
    const thread = await newThread(client);
    return events(client.runs.stream(thread, graph, { input: message("hello"), streamMode, ...more }));
};

/** Starts a second run with the strategy while the first one waits. */
const strategy = (multitaskStrategy) => async (client) => {
    const thread = await newThread(client);
    const { run_id: first } = await start(client, thread, "chat", "wait 1500");
    await begun(client, thread, first);
    const next = await attempt(wait(client, thread, "chat", "next", { multitaskStrategy }));
    await attempt(client.runs.join(thread, first));
    const run = await attempt(client.runs.get(thread, first));
    return { next: log(next), first: run.status ?? run, thread: await summary(client, thread) };
};

const cancelled = (action, waits) => async (client) => {
    const thread = await newThread(client);
    const { run_id: run } = await start(client, thread, "chat", "wait 60000");
    await begun(client, thread, run);
    const result = await attempt(client.runs.cancel(thread, run, waits, action));
    const found = await attempt(client.runs.get(thread, run));
    return { result, run: found.status ?? found, thread: (await client.threads.get(thread)).status };
};

export const runCases = {
    "runs.wait": async (client) => wait(client, await newThread(client), "chat", "hello"),
    "runs.wait remembers": async (client) => wait(client, await talked(client), "chat", "three"),
    "runs.wait interrupted": async (client) => wait(client, await newThread(client), "approval", "hello"),
    "runs.wait failed": async (client) => attempt(wait(client, await newThread(client), "chat", "fail")),
    "runs.wait missing thread": (client) => attempt(wait(client, absent, "chat", "hello")),
    "runs.wait creates thread": async (client) => {
        const thread = crypto.randomUUID();
        const values = await attempt(wait(client, thread, "chat", "hello", { ifNotExists: "create" }));
        return { values, thread: await attempt(summary(client, thread)) };
    },
    "runs.wait unknown assistant": async (client) => attempt(wait(client, await newThread(client), "unknown", "hello")),
    "runs.wait context": async (client) => {
        const thread = await newThread(client);
        const values = await wait(client, thread, "chat", "hello", {
            config: { tags: ["t"], configurable: { user: "u" }, recursion_limit: 10 }, metadata: { origin: "test" },
        });
        const { metadata } = await client.threads.getState(thread);
        return { values: log(values), metadata };
    },
    "runs.create": async (client) => {
        const thread = await newThread(client);
        const created = await start(client, thread, "chat", "hello", { metadata: { origin: "test" } });
        const joined = await client.runs.join(thread, created.run_id);
        const read = await client.runs.get(thread, created.run_id);
        return { created, joined, read };
    },
    "runs.list": async (client) => {
        const thread = await talked(client);
        const { run_id: run } = await start(client, thread, "chat", "three");
        await client.runs.join(thread, run);
        const all = await client.runs.list(thread);
        return {
            statuses: all.map(({ status }) => status), newestFirst: all[0]?.run_id === run,
            limit: (await client.runs.list(thread, { limit: 1, offset: 1 })).length,
            filtered: (await client.runs.list(thread, { status: "error" })).length,
        };
    },
    "runs.list missing thread": ({ runs }) => attempt(runs.list(absent)),
    "runs.get missing": async (client) => attempt(client.runs.get(await newThread(client), absent)),
    "runs.join missing": async (client) => attempt(client.runs.join(await newThread(client), absent)),
    "runs.join interrupted": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "approval", "hello");
        return client.runs.join(thread, run);
    },
    "runs.join failed": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "fail");
        const joined = await attempt(client.runs.join(thread, run));
        return { joined, run: (await client.runs.get(thread, run)).status };
    },
    "runs.delete": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "hello");
        await client.runs.join(thread, run);
        const deleted = await attempt(client.runs.delete(thread, run));
        const read = await attempt(client.runs.get(thread, run));
        return { deleted, read, again: await attempt(client.runs.delete(thread, run)) };
    },
    "runs.cancel interrupt": cancelled("interrupt", true),
    "runs.cancel rollback": cancelled("rollback", true),
    "runs.cancel ended": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "hello");
        await client.runs.join(thread, run);
        return attempt(client.runs.cancel(thread, run, true));
    },
    "runs.cancel missing": async (client) => attempt(client.runs.cancel(await newThread(client), absent)),
    "runs.cancelMany": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "wait 1500");
        await begun(client, thread, run);
        const result = await attempt(client.runs.cancelMany({ threadId: thread, runIds: [run] }));
        await attempt(client.runs.join(thread, run));
        return { result, run: (await client.runs.get(thread, run)).status };
    },
    "runs.createBatch": async ({ runs }) => {
        const elements = ["one", "two"].map((content) => ({ assistantId: "chat", input: message(content), metadata: { content } }));
        const created = await runs.createBatch(elements);
        return { created, own: new Set(created.map(({ run_id: run }) => run)).size };
    },
    "runs.createBatch unknown assistant": ({ runs }) => attempt(runs.createBatch([
        { assistantId: "chat", input: message("one") }, { assistantId: "unknown", input: message("two") }])),
    "runs.createBatch invalid": ({ runs }) => attempt(runs.createBatch([{ assistantId: "chat", streamMode: "values" }, {}])),
    "strategy reject": strategy("reject"),
    "strategy enqueue": strategy("enqueue"),
    "strategy interrupt": strategy("interrupt"),
    "strategy rollback": strategy("rollback"),
    "update of a busy thread": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "wait 2000");
        await begun(client, thread, run);
        const updated = await attempt(client.threads.updateState(thread, { values: { topic: "x" }, asNode: "plan" }));
        await attempt(client.runs.join(thread, run));
        return { updated: updated?.failed ?? "updated" };
    },
    "stream values": streamed("values"),
    "stream updates": streamed("updates"),
    "stream messages": streamed("messages"),
    "stream messages-tuple": streamed("messages-tuple"),
    "stream several modes": streamed(["values", "updates", "custom"]),
    "stream tasks": streamed("tasks"),
    "stream checkpoints": streamed("checkpoints"),
    "stream debug": streamed("debug"),
    "stream tools": streamed("tools", "agent"),
    "stream of an interrupt": streamed(["values", "updates"], "approval"),
    "stream of a subgraph": streamed(["updates"], "nested", { streamSubgraphs: true }),
    "stream of a failure": async (client) => {
        const thread = await newThread(client);
        return events(client.runs.stream(thread, "chat", { input: message("fail"), streamMode: "values" }));
    },
    "stream joined": async (client) => {
        const thread = await newThread(client);
        const options = { streamResumable: true, streamMode: ["values"] };
        const { run_id: run } = await start(client, thread, "chat", "wait 1000", options);
        return events(client.runs.joinStream(thread, run, { lastEventId: "-1", streamMode: ["values"] }));
    },
    "stream of a thread": async (client) => {
        const thread = await newThread(client);
        const { run_id: run } = await start(client, thread, "chat", "wait 1500", { streamResumable: true });
        await begun(client, thread, run);
        const seen = [];
        await attempt((async () => {
            for await (const { event, data } of client.threads.joinStream(thread)) {
                seen.push({ event, data });
                if (data?.status === "run_done") {
                    break;
                }
            }
        })());
        return seen;
    },
    "stream names run and thread": async (client) => {
        const thread = await newThread(client);
        let created;
        const all = await events(client.runs.stream(thread, "chat", {
            input: message("hello"), streamMode: "values", onRunCreated: (run) => { created = run; },
        }));
        return { run: created.run_id === all[0].data.run_id, thread: created.thread_id === thread };
    },
    "command resume": async (client) => {
        const thread = await asked(client);
        const values = await client.runs.wait(thread, "approval", { command: { resume: { ok: true } } });
        return { values, thread: await summary(client, thread) };
    },
    "command resume twice": async (client) => {
        const thread = await asked(client, "twice");
        const second = await client.runs.wait(thread, "twice", { command: { resume: "a" } });
        const done = await client.runs.wait(thread, "twice", { command: { resume: "b" } });
        return { second: second.__interrupt__?.map(({ value }) => value), done: done.log };
    },
    "command resume of a subgraph": async (client) => {
        const thread = await asked(client, "nested");
        const values = await client.runs.wait(thread, "nested", { command: { resume: "yes" } });
        return { values, thread: await summary(client, thread) };
    },
    "command resume by id": async (client) => {
        const thread = await asked(client);
        const { interrupts } = await client.threads.get(thread);
        const [{ id }] = Object.values(interrupts).flat();
        return log(await client.runs.wait(thread, "approval", { command: { resume: { [id]: "by id" } } }));
    },
    "command resume without an interrupt": async (client) => {
        const thread = await talked(client);
        const values = await attempt(client.runs.wait(thread, "chat", { command: { resume: "x" } }));
        return { values: log(values), thread: await summary(client, thread) };
    },
    "command goto": async (client) => {
        const thread = await talked(client);
        const values = await client.runs.wait(thread, "chat", { command: { goto: "talk" } });
        return { values: log(values), thread: await summary(client, thread) };
    },
    "command update and goto": async (client) => {
        const thread = await talked(client);
        const command = { update: { topic: "new", log: ["updated"] }, goto: "plan" };
        return log(await client.runs.wait(thread, "chat", { command }));
    },
    "command goto with an input": async (client) => {
        const thread = await talked(client);
        const command = { goto: { node: "talk", input: { ...message("sent"), log: [] } } };
        return log(await client.runs.wait(thread, "chat", { command }));
    },
    "command goto an unknown node": async (client) => {
        const thread = await talked(client);
        return attempt(client.runs.wait(thread, "chat", { command: { goto: "unknown" } }));
    },
    "interruptBefore": async (client) => {
        const thread = await newThread(client);
        const values = await wait(client, thread, "chat", "hello", { interruptBefore: ["talk"] });
        const between = await client.threads.get(thread);
        const done = await wait(client, thread, "chat", null);
        return { values, between, done: log(done), thread: await summary(client, thread) };
    },
    "interruptAfter": async (client) => {
        const thread = await newThread(client);
        const values = await wait(client, thread, "chat", "hello", { interruptAfter: ["plan"] });
        const { next } = await client.threads.getState(thread);
        return { values: log(values), thread: await summary(client, thread), next };
    },
    "interruptBefore all": async (client) => {
        const thread = await newThread(client);
        await wait(client, thread, "chat", "hello", { interruptBefore: "*" });
        return (await client.threads.getState(thread)).next;
    },
    "durability exit": async (client) => {
        const thread = await newThread(client);
        await wait(client, thread, "chat", "hello", { durability: "exit" });
        return (await client.threads.getHistory(thread)).length;
    },
    "run without a thread": async (client) => client.runs.wait(null, "chat", { input: message("hello") }),
    "stream without a thread": async (client) =>
        events(client.runs.stream(null, "chat", { input: message("hello"), streamMode: "updates" })),
};
