// Threads with graphs of LangGraph.js: what a graph remembers, interrupts, forks, the store.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { host, stopHosts } from "./host.mjs";

after(stopHosts);

const say = (content) => ({ input: { messages: [{ role: "user", content }] } });
const contents = (values) => values.messages.map(({ content }) => content);

test("a thread remembers its messages over runs", async () => {
    const chat = await host("chat");
    const thread = randomUUID();

    const first = await chat.wait(thread, say("hello"));
    const second = await chat.wait(thread, { ...say("again"), thread: { versions: first.state.versions } });
    const other = await chat.wait(randomUUID(), say("hello"));

    assert.equal(chat.description.protocol_version, 2);
    assert.equal(chat.description.graphs.chat.memory, "checkpoints");
    assert.deepEqual(contents(first.state.values), ["hello", "1: hello"]);
    assert.deepEqual(contents(second.values), ["hello", "1: hello", "again", "3: again"]);
    assert.deepEqual(contents(second.state.values), contents(second.values));
    assert.deepEqual(second.state.next, []);
    assert.match(first.state.versions.messages, /^\d{32}\.\d{16}$/);
    assert.notEqual(first.state.versions.messages, second.state.versions.messages);
    assert.deepEqual(contents(other.values), ["hello", "1: hello"]);
    assert.equal(chat.threadOf(thread).get({ ns: "" }).id, second.state.checkpoint.id);
});

test("a run reads its thread once and stores a channel once per version", async () => {
    const chat = await host("chat", { newest: false });
    const thread = randomUUID();
    await chat.wait(thread, say("hello"));
    chat.requests.length = 0;

    await chat.wait(thread, say("again"));

    const methods = chat.requests.map(({ method }) => method);
    assert.equal(methods.filter((method) => method === "checkpoint/get").length, 1);
    assert.equal(methods.filter((method) => method === "checkpoint/put").length, 3);
    const blobs = chat.requests.flatMap(({ params }) => params.blobs ?? []);
    const stored = blobs.map(([channel, version]) => `${channel} ${version}`);
    assert.equal(new Set(stored).size, stored.length);
});

test("a run without a thread sends no requests", async () => {
    const chat = await host("chat");

    const { values, state } = await chat.wait(null, say("hello"));

    assert.deepEqual(contents(values), ["hello", "1: hello"]);
    assert.equal(state, undefined);
    assert.deepEqual(chat.requests, []);
});

test("a host of version 1 sees version 1", async () => {
    const chat = await host("chat", { versions: [1] });

    const { values, state } = await chat.wait(null, say("hello"));

    assert.equal(chat.description.protocol_version, 1);
    assert.deepEqual(Object.keys(chat.description.graphs.chat), ["schemas"]);
    assert.deepEqual(contents(values), ["hello", "1: hello"]);
    assert.equal(state, undefined);
});

test("answers resume two interrupts of one node", async () => {
    const approval = await host("approval");
    const thread = randomUUID();

    const asked = await approval.wait(thread, { input: { amount: 5 } });
    const again = await approval.wait(thread, { command: { resume: "yes" } });
    const done = await approval.wait(thread, { command: { resume: { sure: true } } });

    assert.deepEqual(asked.values.__interrupt__.map(({ value }) => value), [{ question: "sure?" }]);
    assert.deepEqual(asked.state.next, ["approve"]);
    assert.deepEqual(asked.state.tasks.map(({ name }) => name), ["approve"]);
    assert.equal(asked.state.tasks[0].interrupts[0].value.question, "sure?");
    assert.deepEqual(again.state.tasks[0].interrupts.map(({ value }) => value.question), ["really?"]);
    assert.deepEqual(done.values.log, ["checked 5", 'approved ["yes",{"sure":true}]', "paid 5"]);
    assert.deepEqual(done.state.next, []);
});

test("state is edited and forked", async () => {
    const approval = await host("approval");
    const thread = randomUUID();
    await approval.wait(thread, { input: { amount: 5 } });

    const edited = await approval.update(thread, { supersteps: [[{ values: { amount: 7 }, as_node: "check" }]] });
    await approval.wait(thread, { command: { resume: "yes" } });
    const done = await approval.wait(thread, { command: { resume: "yes" } });
    const history = await approval.history(thread);
    const before = history.states.find(({ next, values }) => next[0] === "approve" && values.amount === 5);
    const fork = await approval.update(thread, {
        checkpoint: { ns: "", id: before.checkpoint.checkpoint_id },
        supersteps: [[{ values: { amount: 9 }, as_node: "check" }]],
    });
    await approval.wait(thread, { thread: { checkpoint: fork.checkpoint }, input: null });
    await approval.wait(thread, { command: { resume: 1 } });
    const forked = await approval.wait(thread, { command: { resume: 2 } });
    const old = await approval.state(thread, { checkpoint: done.state.checkpoint });

    assert.equal(edited.state.values.amount, 7);
    assert.deepEqual(edited.state.next, ["approve"]);
    assert.equal(done.values.log.at(-1), "paid 7");
    assert.deepEqual(forked.values.log, ["checked 5", "approved [1,2]", "paid 9"]);
    assert.equal(old.values.log.at(-1), "paid 7");
    assert.equal(history.states[0].checkpoint.thread_id, thread);
    assert.equal(history.next, null);
    assert.equal(history.states.at(-1).parent_checkpoint, null);
    assert.ok(history.states.slice(0, -1).every(({ parent_checkpoint: parent }) => parent.thread_id === thread));
});

test("a run continues from a checkpoint of the history", async () => {
    const chat = await host("chat");
    const thread = randomUUID();
    const first = await chat.wait(thread, say("one"));
    await chat.wait(thread, say("two"));

    const branch = await chat.wait(thread, { ...say("three"), thread: { checkpoint: first.state.checkpoint } });
    const { checkpoint } = first.state;
    const copy = await chat.update(thread, { checkpoint, supersteps: [[{ values: null, as_node: "__copy__" }]] });
    const page = await chat.history(thread, { limit: 2, filter: { source: "loop" } });

    assert.deepEqual(contents(branch.values), ["one", "1: one", "three", "3: three"]);
    assert.deepEqual(contents(copy.state.values), ["one", "1: one"]);
    assert.deepEqual(page.states.map(({ metadata }) => metadata.source), ["loop", "loop"]);
});

test("a fork that stores no checkpoint ends at its start", async () => {
    const approval = await host("approval");
    const thread = randomUUID();
    const asked = await approval.wait(thread, { input: { amount: 5 } });
    const { checkpoint } = asked.state;
    const newest = await approval.wait(thread, { input: { amount: 7 }, thread: { versions: asked.state.versions } });

    const { versions } = newest.state;
    const forked = await approval.wait(thread, { command: { resume: "yes" }, thread: { checkpoint, versions } });
    const done = await approval.wait(thread, { command: { resume: "sure" }, thread: { checkpoint, versions } });

    assert.deepEqual(forked.state.next, ["approve"]);
    assert.deepEqual(forked.state.tasks[0].interrupts.map(({ value }) => value.question), ["really?"]);
    assert.equal(forked.state.checkpoint.id, checkpoint.id);
    assert.equal(forked.state.values.amount, 5);
    assert.equal(done.values.log.at(-1), "paid 5");
});

test("breakpoints stop before and after nodes", async () => {
    const approval = await host("approval");
    const thread = randomUUID();

    const before = await approval.wait(thread, { input: { amount: 5 }, interrupt_before: ["check"] });
    const after = await approval.wait(thread, { input: null, interrupt_after: "*" });

    assert.deepEqual(before.state.next, ["check"]);
    assert.deepEqual(after.state.next, ["approve"]);
    assert.deepEqual(after.values.log, ["checked 5"]);
});

for (const durability of ["sync", "async", "exit"]) {
    test(`durability ${durability} stores the state`, async () => {
        const approval = await host("approval", { newest: false });
        const thread = randomUUID();

        const asked = await approval.wait(thread, { input: { amount: 5 }, durability });
        await approval.wait(thread, { command: { resume: 1 }, durability });
        const done = await approval.wait(thread, { command: { resume: 2 }, durability });
        const state = await approval.state(thread);

        assert.deepEqual(asked.state.next, ["approve"]);
        assert.deepEqual(done.values.log.length, 3);
        assert.deepEqual(state.values, done.values);
        const first = approval.requests.findIndex(({ method }) => method === "checkpoint/get");
        assert.equal(first, 0);
        assert.equal(approval.threadOf(thread).checkpoints.size, durability === "exit" ? 2 : 5);
    });
}

test("factories, workflows and agents remember", async () => {
    const [factory, workflow, agent] = await Promise.all(["factory", "workflow", "agent"].map((graph) => host(graph)));
    const thread = randomUUID();

    const names = [await factory.wait(thread, { input: {} }), await factory.wait(thread, { input: {} })];
    const numbers = [await workflow.wait(thread, { input: 3 }), await workflow.wait(thread, { input: 4 })];
    const answers = [await agent.wait(thread, say("hello")), await agent.wait(thread, say("again"))];

    assert.deepEqual(names.map(({ values }) => values.names), [[thread], [thread, thread]]);
    assert.deepEqual(numbers.map(({ state }) => state.root), [6, 14]);
    assert.deepEqual(contents(answers[1].values), ["hello", "first answer", "again", "second answer"]);
});

test("graphs keep their own checkpointer, or none", async () => {
    const [own, without, generator] = await Promise.all(["own", "without", "generator"].map((graph) => host(graph)));
    const thread = randomUUID();

    await own.wait(thread, say("hello"));
    const again = await own.wait(thread, say("again"));
    const alone = await without.wait(thread, say("hello"));
    const told = await generator.wait(thread, { ...say("hello"), state: { a: 1 } });

    assert.equal(own.description.graphs.own.memory, "own");
    assert.deepEqual(contents(again.state.values), ["hello", "1: hello", "again", "3: again"]);
    assert.deepEqual(own.requests, []);
    assert.equal((await own.state(thread)).values.messages.length, 4);
    assert.equal(without.description.graphs.without.memory, "state");
    assert.equal(alone.state, undefined);
    assert.equal(generator.description.graphs.generator.memory, "json");
    assert.equal(contents(told.values).at(-1), 'state {"a":1}');
});

test("a generator asks and gets the answer with its state", async () => {
    const asking = await host("asking");
    const thread = randomUUID();

    const asked = await asking.wait(thread, { input: { question: "Go?" }, state: null });
    const interrupts = [{ id: "1", value: asked.interrupt }];
    const answered = await asking.wait(thread, { input: null, state: asked.values, resume: "yes", interrupts });

    assert.equal(asking.description.graphs.asking.memory, "json");
    assert.deepEqual(asked.interrupt, { question: "Go?" });
    assert.deepEqual(answered.values, { question: "Go?", answers: ["yes"], asked: { question: "Go?" } });
    assert.equal(answered.interrupt, undefined);
});

test("items of the store are shared by threads", async () => {
    const items = await host("items");

    await items.wait(randomUUID(), { input: { put: { key: "a", text: "one" } } });
    const { values } = await items.wait(randomUUID(), { input: { put: { key: "b", text: "two" } } });

    assert.deepEqual(values.found, { texts: ["one", "two"], names: [["notes", "user"]], absent: null, dates: true });
});

test("an error leaves the thread at its last checkpoint", async () => {
    const approval = await host("approval");
    const thread = randomUUID();
    await approval.wait(thread, { input: { amount: -1 } });
    await approval.wait(thread, { command: { resume: 1 } });

    const error = await approval.wait(thread, { command: { resume: 2 } }).catch((caught) => caught);
    const state = await approval.state(thread);

    assert.equal(error.message, "The amount is negative.");
    assert.equal(error.data.error, "RangeError");
    assert.deepEqual(error.data.state.next, ["pay"]);
    assert.match(state.tasks[0].error, /The amount is negative/);
});

test("the graph and its subgraphs are described", async () => {
    const nested = await host("nested");

    const drawing = await nested.operation("graph/describe", randomUUID(), { kind: "graph" });
    const subgraphs = await nested.operation("graph/describe", randomUUID(), { kind: "subgraphs", recurse: true });

    assert.deepEqual(drawing.nodes.map(({ id }) => id), ["__start__", "first", "inner", "__end__"]);
    assert.deepEqual(Object.keys(subgraphs), ["inner"]);
    assert.ok(subgraphs.inner.state_schema.properties.amount);
});
