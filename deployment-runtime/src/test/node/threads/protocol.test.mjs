// Protocol 2 of the Node worker: large values, the window, failures of the storage, events of checkpoints.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { host as hostWith, stopHosts } from "./host.mjs";
import { StorageError } from "./storage.mjs";

after(stopHosts);

const SMALL = { limits: { part_bytes: 1000, line_bytes: 20_000, window_bytes: 3000 } };
/** Returns a host of which each checkpoint is a request. */
const host = (graph, options) => hostWith(graph, { last: false, newest: false, ...options });
const methodsOf = ({ requests }) => requests.map(({ method }) => method);

test("values larger than a part are sent and read in parts", async () => {
    const large = await host("large", SMALL);
    const thread = randomUUID();

    const first = await large.wait(thread, { input: { size: 6000 }, stream_modes: [] });
    const second = await large.wait(thread, { input: { size: 12_000 }, stream_modes: [] });
    const state = await large.state(thread);
    const history = await large.history(thread, { limit: 20 });

    assert.equal(first.values.size, 3000);
    assert.equal(second.values.size, 6000);
    assert.equal(state.values.text, "ä😀".repeat(2000));
    assert.ok(["blob/part", "blob/read", "result/part"].every((method) => methodsOf(large).includes(method)));
    assert.equal(history.states.length, 1);
    assert.equal(history.next, history.states[0].checkpoint.checkpoint_id);
    assert.ok(large.requests.filter(({ method }) => method === "blob/part").every(({ bytes }) => bytes < 2000));
});

test("values of a result that its state contains are sent once", async () => {
    const chat = await host("chat", { limits: { line_bytes: 100_000, part_bytes: 20_000 } });
    const content = "x".repeat(100_000);

    const { values, state } = await chat.wait(randomUUID(), { input: { messages: [{ role: "user", content }] }, stream_modes: [] });

    assert.deepEqual(values, state.values);
    assert.equal(values.messages.length, 2);
    const sent = chat.requests.filter(({ method }) => method === "result/part").reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(sent > 200_000 && sent < 300_000, `the result has ${sent} bytes`);
});

test("equal values of a message are sent once", async () => {
    const sent = [];
    for (const same of [false, true]) {
        const looping = await host("looping", { same });
        const thread = randomUUID();
        await looping.wait(thread, { input: { steps: 3 } });
        const { states } = await looping.history(thread);

        assert.deepEqual(states.map(({ values }) => values.text?.slice(0, 3)), ["1 x", "2 x", "3 x", undefined, undefined]);
        sent.push(looping.wires.join().split("x".repeat(1000)).length - 1);
    }
    // A text is a write of its task and a value of the next checkpoint.
    assert.deepEqual(sent, [6, 3]);
});

test("many small values together do not exceed a line", async () => {
    const large = await host("large", { limits: { line_bytes: 40_000, part_bytes: 10_000 } });

    const { values } = await large.wait(randomUUID(), { input: { size: 6000 }, stream_modes: [] });

    assert.equal(values.size, 3000);
    assert.ok(large.requests.every(({ bytes }) => bytes < 40_000));
});

test("large items of the store are read in parts", async () => {
    const items = await host("items", SMALL);
    const text = "ä".repeat(3000);

    const { values } = await items.wait(randomUUID(), { input: { put: { key: "a", text } } });

    assert.deepEqual(values.found.texts, [text]);
    assert.ok(methodsOf(items).includes("blob/read"));
});

test("a run waits while its window is full", async () => {
    const parallel = await host("parallel", { limits: { window_bytes: 2000 } });
    parallel.before = () => new Promise((resume) => setTimeout(resume, 5));
    const parts = Array.from({ length: 50 }, (_, i) => `part ${i}`);

    const run = parallel.run(randomUUID(), { input: { parts } });
    const { state } = await run.result;

    assert.equal(state.tasks.length, 50);
    const longest = Math.max(...parallel.requests.map(({ bytes }) => bytes));
    assert.ok(run.maxUnacknowledged <= 2000 + longest, `${run.maxUnacknowledged} bytes were not acknowledged`);
});

test("a graph waits while the storage is slower than its steps", async () => {
    const looping = await host("looping", { limits: { window_bytes: 20_000 } });
    looping.before = () => new Promise((resume) => setTimeout(resume, 10));
    const thread = randomUUID();
    let executed = 0;
    let longest = 0;
    const onEvent = () => {
        longest = Math.max(longest, ++executed - looping.threadOf(thread).checkpoints.size);
    };

    const params = { input: { steps: 100 }, config: { recursion_limit: 200 }, stream_modes: ["updates"], onEvent };
    const { state } = await looping.wait(thread, params);

    assert.equal(state.values.steps, 0);
    assert.equal(looping.threadOf(thread).checkpoints.size, 102);
    assert.ok(longest < 20, `${longest} steps were not stored`);
});

test("a fork of a deleted checkpoint fails", async () => {
    const chat = await host("chat");
    const thread = randomUUID();
    const input = { messages: [{ role: "user", content: "hello" }] };
    await chat.wait(thread, { input });

    const fork = { checkpoint: { ns: "", id: randomUUID() } };
    const error = await chat.wait(thread, { input, thread: fork }).catch((caught) => caught);

    assert.equal(error.data.error, "CheckpointNotFound");
    assert.equal(chat.threadOf(thread).checkpoints.size, 3);
});

test("requests are repeated while the storage is unavailable", async () => {
    const chat = await host("chat");
    const failed = new Map();
    chat.before = ({ method }) => {
        const kind = method === "checkpoint/get" ? method : "write";
        failed.set(kind, (failed.get(kind) ?? 0) + 1);
        if (failed.get(kind) <= 3) {
            throw new StorageError(-32004, "StorageUnavailable");
        }
    };
    const thread = randomUUID();

    const { values } = await chat.wait(thread, { input: { messages: [{ role: "user", content: "hello" }] } });

    assert.equal(values.messages.length, 2);
    assert.equal(chat.threadOf(thread).checkpoints.size, 3);
    assert.ok(failed.get("checkpoint/get") > 3 && failed.get("write") > 3);
});

for (const [code, name] of [[-32003, "StateTooLarge"], [-32004, "StorageUnavailable"], [-32002, "FenceLost"]]) {
    test(`a run whose write fails with ${name} ends with it`, async () => {
        const approval = await host("approval");
        let puts = 0;
        approval.before = ({ method }) => {
            if (method === "checkpoint/put" && ++puts > 1) {
                throw new StorageError(code, name);
            }
        };
        const thread = randomUUID();

        const error = await approval.wait(thread, { input: { amount: 1 } }).catch((caught) => caught);

        assert.equal(error.data.error, name);
        assert.equal(error.data.state, undefined);
        assert.equal(approval.threadOf(thread).checkpoints.size, 1);
    });
}

test("checkpoints of a short run are one request", async () => {
    const nested = await host("nested");

    const { state } = await nested.wait(randomUUID(), { input: { amount: 1 }, stream_modes: [] });

    assert.equal(state.tasks.length, 1);
    assert.deepEqual(nested.lines, ["checkpoint/get", "checkpoint/batch"]);
});

test("the last checkpoints of a run precede its result without a response", async () => {
    const chat = await hostWith("chat");
    const thread = randomUUID();
    const input = { messages: [{ role: "user", content: "hello" }] };

    const first = await chat.wait(thread, { input, stream_modes: [] });
    const second = await chat.wait(thread, { input, stream_modes: [] });

    assert.deepEqual(chat.lines, ["checkpoint/last", "checkpoint/last"]);
    assert.equal(chat.threadOf(thread).checkpoints.size, 6);
    assert.equal(first.state.values.messages.length, 2);
    assert.equal(second.state.values.messages.length, 4);
});

test("large last checkpoints are a request", async () => {
    const large = await hostWith("large");

    const { state } = await large.wait(randomUUID(), { input: { size: 120_000 }, stream_modes: [] });

    assert.equal(state.values.size, 60_000);
    assert.ok(!large.lines.includes("checkpoint/last"), large.lines.join());
    assert.ok(large.lines.includes("checkpoint/batch"), large.lines.join());
});

test("a failed run stores its checkpoints before its response", async () => {
    const large = await hostWith("large");

    const error = await large.wait(randomUUID(), { input: { size: -1 } }).catch((caught) => caught);

    assert.equal(error.data.error, "RangeError");
    assert.deepEqual(large.lines, ["checkpoint/batch"]);
});

test("a graph that waits for its checkpoints sends them at each step", async () => {
    const chat = await host("chat");
    const input = { messages: [{ role: "user", content: "hello" }] };

    await chat.wait(randomUUID(), { input, durability: "sync" });

    assert.ok(chat.lines.length >= 4, chat.lines.join());
});

test("a host without batches gets each checkpoint in its own request", async () => {
    const chat = await host("chat", { batches: false });
    const thread = randomUUID();

    await chat.wait(thread, { input: { messages: [{ role: "user", content: "hello" }] } });

    assert.equal(chat.threadOf(thread).checkpoints.size, 3);
    assert.equal(chat.lines.filter((line) => line === "checkpoint/put").length, 3);
});

test("small values are part of each checkpoint, and others are stored once", async () => {
    const shims = dirname(resolve(process.argv[2]));
    const { Serializer, SmallValues } = await import(pathToFileURL(join(shims, "values.mjs")));
    const serde = { dumpsTyped: async (value) => ["json", Buffer.from(JSON.stringify(value))] };
    const versions = { amount: "1", text: "1" };
    const checkpoint = { channel_values: { amount: 1, text: "x".repeat(600) }, channel_versions: versions };
    const first = await new SmallValues(new Serializer(serde)).split("", checkpoint, versions);
    const { channel_values: contained } = JSON.parse(first.body[1]);

    const values = new SmallValues(new Serializer(serde));
    values.read("", versions, contained);
    const next = await values.split("", checkpoint, {});

    assert.deepEqual(contained, { amount: 1 });
    assert.deepEqual(first.blobs.map(([channel, version]) => [channel, version]), [["text", "1"]]);
    assert.deepEqual(JSON.parse(next.body[1]).channel_values, { amount: 1 });
    assert.deepEqual(next.blobs, []);
});

test("a checkpoint is loaded with the values that are part of it", async () => {
    const approval = await host("approval");
    const thread = randomUUID();

    await approval.wait(thread, { input: { amount: 1 } });
    const { states } = await approval.history(thread);

    assert.equal(approval.threadOf(thread).blobs.size, 0);
    assert.deepEqual(states[0].values, { amount: 1, log: ["checked 1"] });
});

test("the response follows the acknowledgement of all writes", async () => {
    const chat = await host("chat");
    chat.before = () => new Promise((resume) => setTimeout(resume, 50));
    const thread = randomUUID();

    const run = chat.run(thread, { input: { messages: [{ role: "user", content: "hello" }] } });
    await run.result;

    assert.equal(run.unacknowledged, 0);
    assert.equal(chat.threadOf(thread).checkpoints.size, 3);
});

test("a continued run repeats neither its input nor finished tasks", async () => {
    const approval = await host("approval");
    const thread = randomUUID();
    const run = randomUUID();
    await approval.wait(thread, { input: { amount: 1 }, run });
    await approval.wait(thread, { command: { resume: 1 } });

    const again = await approval.wait(thread, { command: { resume: 2 }, continue: true, run: randomUUID(), attempt: 2 });

    assert.deepEqual(again.state.tasks[0].interrupts.map(({ value }) => value.question), ["really?"]);
    assert.deepEqual(again.state.values.log, ["checked 1"]);
});

test("checkpoints have the metadata of their run", async () => {
    const chat = await host("chat");
    const thread = randomUUID();
    const run = randomUUID();

    await chat.wait(thread, {
        input: { messages: [{ role: "user", content: "hello" }] },
        run,
        assistant_id: "assistant",
        config: { configurable: { user: "me", __secret: 1 } },
        metadata: { topic: "greeting" },
    });
    const [{ metadata }] = (await chat.history(thread)).states;

    assert.equal(metadata.run_id, run);
    assert.equal(metadata.thread_id, thread);
    assert.equal(metadata.graph_id, "chat");
    assert.equal(metadata.assistant_id, "assistant");
    assert.equal(metadata.user, "me");
    assert.equal(metadata.topic, "greeting");
    assert.equal(metadata.step, 1);
    assert.ok(!Object.keys(metadata).some((name) => name.startsWith("__") || name.startsWith("checkpoint_")));
});

for (const modes of [["checkpoints", "values"], ["debug", "values"], ["debug", "events"]]) {
    test(`events of ${modes} name checkpoints that are stored`, async () => {
        const nested = await host("nested");
        nested.before = () => new Promise((resume) => setTimeout(resume, 20));
        const thread = randomUUID();

        const run = nested.run(thread, { input: { amount: 1 }, stream_modes: modes, stream_subgraphs: true });
        await run.result;

        const payloads = run.events.filter(({ mode, data }) => mode === "checkpoints" || data?.type === "checkpoint")
            .map(({ mode, data, stored }) => [mode === "debug" ? data.payload : data, stored]);
        assert.ok(payloads.length >= 4);
        for (const [{ checkpoint, config }, stored] of payloads) {
            assert.equal(checkpoint.thread_id, thread);
            assert.ok(stored.includes(JSON.stringify([checkpoint.checkpoint_ns, checkpoint.checkpoint_id])));
            assert.ok(!Object.keys(config.configurable).some((name) => name.startsWith("__")));
        }
    });
}

test("values name their checkpoint on request", async () => {
    const nested = await host("nested");
    const thread = randomUUID();
    const params = { stream_modes: ["values", "updates"], stream_subgraphs: true };

    const asked = nested.run(thread, { ...params, input: { amount: 1 }, name_checkpoints: true });
    await asked.result;
    const answered = nested.run(thread, { ...params, command: { resume: "yes" }, name_checkpoints: true });
    const { state } = await answered.result;
    const plain = nested.run(randomUUID(), { ...params, input: { amount: 1 } });
    await plain.result;

    const all = [...asked.events, ...answered.events];
    const values = all.filter(({ mode, data }) => mode === "values" && !data.__interrupt__);
    assert.ok(values.some(({ namespace }) => namespace?.length === 1));
    assert.ok(values.every(({ checkpoint }) => checkpoint.id && checkpoint.source && checkpoint.step === undefined));
    const { checkpoint: last } = values.findLast(({ namespace }) => !namespace);
    assert.equal(last.id, state.checkpoint.id);
    const parents = (await nested.history(thread)).states.map(({ checkpoint, parent_checkpoint: parent }) =>
        [checkpoint.checkpoint_id, parent?.checkpoint_id]);
    assert.equal(new Map(parents).get(last.id), last.parent_id);
    assert.ok(all.every(({ mode, checkpoint }) => mode === "values" || checkpoint === undefined));
    assert.deepEqual([...new Set(all.map(({ mode }) => mode))].sort(), ["updates", "values"]);
    assert.ok(plain.events.every(({ checkpoint }) => checkpoint === undefined));
});

test("a host of version 1 gets the same events as before", async () => {
    const chat = await host("chat", { versions: [1] });
    const params = { input: { messages: [{ role: "user", content: "hello" }] }, stream_modes: ["updates", "debug", "values"] };

    const run = chat.run(null, params);
    await run.result;

    assert.deepEqual(run.events.map(({ mode }) => mode), ["values", "debug", "updates", "debug", "values"]);
});

test("reads of the state cannot write, and unknown requests are refused", async () => {
    const chat = await host("chat");

    const empty = await chat.state(randomUUID());
    const history = await chat.history(randomUUID());
    const unknown = await chat.request("thread/unknown", { run: randomUUID() }).catch((error) => error);

    const none = { created_at: null, checkpoint: null, parent_checkpoint: null };
    assert.deepEqual(empty, { values: {}, next: [], tasks: [], metadata: {}, interrupts: [], ...none });
    assert.deepEqual(history, { states: [], next: null });
    assert.equal(unknown.code, -32601);
});
