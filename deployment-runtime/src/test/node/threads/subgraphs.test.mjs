// Threads with graphs of LangGraph.js: subgraphs, parallel tasks, commands and agents.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { host, stopHosts } from "./host.mjs";

after(stopHosts);

test("a subgraph's state is read and its interrupt answered", async () => {
    const nested = await host("nested");
    const thread = randomUUID();

    const asked = await nested.wait(thread, { input: { amount: 1 } });
    const shallow = await nested.state(thread);
    const deep = await nested.state(thread, { subgraphs: true });
    const place = shallow.tasks[0].checkpoint;
    const own = await nested.state(thread, { checkpoint: { ns: place.checkpoint_ns } });
    const done = await nested.wait(thread, { command: { resume: "yes" } });

    assert.deepEqual(asked.state.tasks[0].interrupts.map(({ value }) => value), ["inner?"]);
    assert.match(place.checkpoint_ns, /^inner:/);
    assert.equal(shallow.tasks[0].state, null);
    assert.deepEqual(deep.tasks[0].state.next, ["ask"]);
    assert.deepEqual(deep.tasks[0].state.values.log, ["first"]);
    assert.deepEqual(own.next, ["ask"]);
    assert.deepEqual(done.values.log.filter((line) => line !== "first"), ["inner yes", "after"]);
});

test("a run continues from a checkpoint of a subgraph", async () => {
    const nested = await host("nested");
    const thread = randomUUID();
    const asked = await nested.wait(thread, { input: { amount: 1 } });
    const { checkpoint_ns: ns } = (await nested.state(thread)).tasks[0].checkpoint;
    const inner = await nested.state(thread, { checkpoint: { ns } });
    await nested.wait(thread, { command: { resume: "first" } });

    const { checkpoint_id: id } = inner.checkpoint;
    const checkpoint = { ns, id, map: { "": asked.state.checkpoint.id, [ns]: id } };
    const again = await nested.wait(thread, { input: null, thread: { checkpoint } });
    const { checkpoint_ns: newNs } = (await nested.state(thread)).tasks[0].checkpoint;
    const supersteps = [[{ values: { log: ["edited"] }, as_node: "ask" }]];
    const edited = await nested.update(thread, { checkpoint: { ns: newNs }, supersteps });
    const done = await nested.wait(thread, { input: null });

    assert.deepEqual(again.state.tasks[0].interrupts.map(({ value }) => value), ["inner?"]);
    assert.equal(edited.checkpoint.ns, newNs);
    assert.deepEqual(done.values.log, ["first", "first", "edited", "after"]);
});

test("a subgraph with a checkpointer remembers over runs", async () => {
    const stateful = await host("stateful");
    const thread = randomUUID();

    const first = await stateful.wait(thread, { input: { amount: 1 } });
    const second = await stateful.wait(thread, { input: { amount: 2 } });

    assert.deepEqual(first.values.seen, ["call 0"]);
    assert.deepEqual(second.values.seen, ["call 0", "call 1"]);
});

test("parallel interrupts are answered by their ids", async () => {
    const parallel = await host("parallel");
    const thread = randomUUID();

    const asked = await parallel.wait(thread, { input: { parts: ["a", "quiet", "b"] } });
    const interrupts = asked.state.tasks.flatMap((task) => task.interrupts);
    const ids = Object.fromEntries(interrupts.map(({ id, value }) => [id, value.toUpperCase()]));
    const done = await parallel.wait(thread, { command: { resume: ids } });

    assert.equal(Object.keys(ids).length, 2);
    assert.deepEqual(done.values.log, ["a=A", "quiet", "b=B"]);
});

test("commands update, go to nodes and send", async () => {
    const routing = await host("routing");
    const parallel = await host("parallel");
    const thread = randomUUID();

    const left = await routing.wait(thread, { input: { amount: 1 } });
    const went = await routing.wait(thread, { command: { update: { log: ["updated"] }, goto: "target" } });
    const sent = await parallel.wait(randomUUID(), { command: { goto: [{ node: "part", input: { part: "quiet" } }] } });

    assert.deepEqual(left.values.log, ["left", "target"]);
    assert.deepEqual(went.values.log, ["left", "target", "updated", "target"]);
    assert.deepEqual(sent.values.log, ["quiet"]);
});

test("an agent waits for the approval of a tool and remembers", async () => {
    const assistant = await host("assistant", { module: "./agents.mjs" });
    const thread = randomUUID();
    const say = (content) => ({ input: { messages: [{ role: "user", content }] } });

    const asked = await assistant.wait(thread, say("double 21"));
    const done = await assistant.wait(thread, { command: { resume: { decisions: [{ type: "approve" }] } } });
    const again = await assistant.wait(thread, say("again"));

    assert.equal(assistant.description.graphs.assistant.memory, "checkpoints");
    assert.equal(asked.state.tasks[0].interrupts[0].value.actionRequests[0].name, "double");
    assert.deepEqual(done.values.messages.map(({ content }) => content), ["double 21", "", "42", "the tool returned 42"]);
    assert.equal(again.state.values.messages.length, 6);
});
