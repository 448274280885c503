// Protocol 2 of the Node worker: cancelled runs.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { host as hostWith, stopHosts } from "./host.mjs";
import { StorageError } from "./storage.mjs";

after(stopHosts);

/** Returns a host of which each checkpoint is a request. */
const host = (graph, options) => hostWith(graph, { last: false, newest: false, ...options });

function deferred() {
    let resolve;
    const promise = new Promise((fulfil) => {
        resolve = fulfil;
    });
    return { promise, resolve };
}

test("a run that waits for the storage can be cancelled", async () => {
    const looping = await host("looping", { limits: { window_bytes: 20_000 } });
    let resume;
    const blocked = new Promise((wake) => {
        resume = wake;
    });
    looping.before = ({ method }) => (method === "checkpoint/get" ? undefined : blocked);
    const run = looping.run(randomUUID(), { input: { steps: 100 }, config: { recursion_limit: 200 }, stream_modes: [] });
    while (!looping.lines.some((line) => line !== "checkpoint/get")) {
        await new Promise((wake) => setTimeout(wake, 10));
    }

    looping.cancel(run);
    resume();

    assert.equal((await run.result.catch((error) => error)).code, -32800);
});

test("a cancelled run returns its last checkpoint", async () => {
    const large = await host("large");
    const thread = randomUUID();
    const started = deferred();
    large.before = ({ method }) => method === "checkpoint/put" && started.resolve();

    const run = large.run(thread, { input: { size: 6, delay: 60_000 } });
    await started.promise;
    large.cancel(run);
    const error = await run.result.catch((caught) => caught);
    const state = await large.state(thread);

    assert.equal(error.code, -32800);
    assert.equal(error.data.state.checkpoint.id, state.checkpoint.checkpoint_id);
});

test("a run that is cancelled while it waits for responses ends", async () => {
    const chat = await host("chat");
    const waiting = deferred();
    const stored = deferred();
    chat.before = ({ method, params }) => {
        if (method === "checkpoint/put" && params.metadata.step === 1) {
            stored.resolve();
            return waiting.promise;
        }
        return undefined;
    };

    const run = chat.run(randomUUID(), { input: { messages: [{ role: "user", content: "hello" }] } });
    await stored.promise;
    chat.cancel(run);
    setTimeout(waiting.resolve, 100);
    const error = await run.result.catch((caught) => caught);

    assert.equal(error.code, -32800);
    assert.equal(error.data.state.values.messages.length, 2);
});

for (const [code, outcome] of [[-32004, "fails"], [undefined, "has no response"]]) {
    test(`a cancelled run whose checkpoint ${outcome} returns no state`, async () => {
        const large = await host("large");
        const thread = randomUUID();
        const sent = deferred();
        const cancelled = deferred();
        large.before = ({ method }) => {
            if (method !== "checkpoint/put") {
                return undefined;
            }
            sent.resolve();
            return cancelled.promise.then(() => {
                throw new StorageError(code, "StorageUnavailable");
            });
        };

        const run = large.run(thread, { input: { size: 6, delay: 60_000 } });
        await sent.promise;
        large.cancel(run);
        if (code) {
            cancelled.resolve();
        }
        const error = await run.result.catch((caught) => caught);

        assert.equal(error.code, -32800);
        assert.equal(error.data?.state, undefined);
        assert.equal(large.threadOf(thread).checkpoints.size, 0);
    });
}
