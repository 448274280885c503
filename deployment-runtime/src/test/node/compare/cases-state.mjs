// States: reads, updates, history, forks, subgraphs.
import { asked, attempt, message, newThread, summary, talked, wait } from "./calls.mjs";

const absent = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60";
const isNew = (state) => state.metadata.source !== "update";

/** Returns what a client shows of a history. */
const outline = (states) => states.map(({ values, next, metadata, tasks, parent_checkpoint: parent }) => ({
    log: values.log, next, source: metadata.source, step: metadata.step, first: parent === null || parent === undefined,
    tasks: tasks.map(({ name, interrupts }) => ({ name, asks: interrupts.map(({ value }) => value) })),
}));

export const stateCases = {
    "state of a new thread": async (client) => {
        const thread = await newThread(client);
        const state = await attempt(client.threads.getState(thread));
        return { state, history: await attempt(client.threads.getHistory(thread)) };
    },
    "state after runs": async (client) => client.threads.getState(await talked(client)),
    "state interrupted": async (client) => client.threads.getState(await asked(client)),
    "state of a subgraph": async (client) =>
        client.threads.getState(await asked(client, "nested"), undefined, { subgraphs: true }),
    "state without its subgraph": async (client) => client.threads.getState(await asked(client, "nested")),
    "state at a subgraph's checkpoint": async (client) => {
        const thread = await asked(client, "nested");
        const { tasks: [{ checkpoint }] } = await client.threads.getState(thread);
        return { checkpoint, state: await attempt(client.threads.getState(thread, checkpoint)) };
    },
    "state by id": async (client) => {
        const thread = await talked(client);
        const [, , earlier] = await client.threads.getHistory(thread);
        const byId = await client.threads.getState(thread, earlier.checkpoint.checkpoint_id);
        const byCheckpoint = await client.threads.getState(thread, earlier.checkpoint);
        return { byId, same: byId.checkpoint.checkpoint_id === earlier.checkpoint.checkpoint_id, byCheckpoint };
    },
    "state at a missing checkpoint": async (client) => attempt(client.threads.getState(await talked(client), absent)),
    "state of a missing thread": ({ threads }) => attempt(threads.getState(absent)),
    "history": async (client) => client.threads.getHistory(await talked(client)),
    "history of an interrupt": async (client) => client.threads.getHistory(await asked(client)),
    "history page": async (client) => {
        const thread = await talked(client);
        const all = await client.threads.getHistory(thread);
        const { checkpoint } = all[2];
        const page = (options) => attempt(client.threads.getHistory(thread, options).then(outline));
        return {
            all: outline(all), limit: await page({ limit: 2 }),
            beforeId: await page({ before: checkpoint.checkpoint_id, limit: 2 }),
            beforeConfig: await page({ before: { configurable: checkpoint }, limit: 2 }),
            filtered: await page({ metadata: { source: "input" } }), ofCheckpoint: await page({ checkpoint }),
        };
    },
    "history of a missing thread": ({ threads }) => attempt(threads.getHistory(absent)),
    "update as a node": async (client) => {
        const thread = await talked(client);
        const values = { ...message("edited"), log: ["edited"] };
        const updated = await client.threads.updateState(thread, { values, asNode: "plan" });
        const state = await client.threads.getState(thread);
        return { updated, state, thread: await summary(client, thread) };
    },
    "update without a node": async (client) => {
        const thread = await talked(client);
        await client.threads.updateState(thread, { values: { topic: "new" } });
        return { ...await client.threads.getState(thread), thread: await summary(client, thread) };
    },
    "update of a subgraph": async (client) => {
        const thread = await asked(client, "nested");
        const { tasks: [{ checkpoint }] } = await client.threads.getState(thread);
        const updated = await client.threads.updateState(thread, { values: { log: ["edited"] }, checkpoint });
        const resumed = await client.runs.wait(thread, "nested", { command: { resume: "yes" } });
        return { updated, log: resumed.log };
    },
    "update of an unknown node": async (client) =>
        attempt(client.threads.updateState(await talked(client), { values: {}, asNode: "unknown" })),
    "update of a thread without a graph": async (client) =>
        attempt(client.threads.updateState(await newThread(client), { values: message("a"), asNode: "plan" })),
    "update of a missing thread": ({ threads }) => attempt(threads.updateState(absent, { values: {} })),
    "update copies a checkpoint": async (client) => {
        const thread = await talked(client);
        await client.threads.updateState(thread, { values: null, asNode: "__copy__" });
        return outline(await client.threads.getHistory(thread));
    },
    "patchState": async (client) => {
        const thread = await talked(client);
        await attempt(client.threads.patchState(thread, { reviewed: true }));
        return { metadata: (await client.threads.get(thread)).metadata.reviewed ?? null };
    },
    "fork with an update": async (client) => {
        const thread = await talked(client);
        const history = await client.threads.getHistory(thread);
        const asking = history.find(({ next, values }) => next[0] === "talk" && values.log.length > 2);
        const last = asking.values.messages.at(-1);
        const { checkpoint } = await client.threads.updateState(thread, {
            values: { messages: [{ ...last, content: "edited" }] }, checkpoint: asking.checkpoint, asNode: "plan",
        });
        const values = await client.runs.wait(thread, "chat", { input: null, checkpoint });
        return { values, history: outline(await client.threads.getHistory(thread)), thread: await summary(client, thread) };
    },
    "fork with an input": async (client) => {
        const thread = await talked(client);
        const first = (await client.threads.getHistory(thread)).filter(isNew).find(({ next }) => next.length === 0);
        const earlier = (await client.threads.getHistory(thread)).filter(({ next }) => next.length === 0).at(-1);
        const values = await wait(client, thread, "chat", "three", { checkpointId: earlier.checkpoint.checkpoint_id });
        const history = await client.threads.getHistory(thread);
        const { parent_checkpoint: parent } = history.find(({ metadata }) => metadata.source === "input");
        return {
            values, fromEarlier: parent.checkpoint_id === earlier.checkpoint.checkpoint_id,
            kept: (await client.threads.getState(thread, first.checkpoint.checkpoint_id)).values.log,
            history: outline(history),
        };
    },
    "fork repeats a step": async (client) => {
        const thread = await talked(client);
        const { checkpoint } = (await client.threads.getHistory(thread)).find(({ next }) => next[0] === "talk");
        const values = await client.runs.wait(thread, "chat", { input: null, checkpoint });
        return { values, history: outline(await client.threads.getHistory(thread)) };
    },
    "fork asks again": async (client) => {
        const thread = await asked(client);
        await client.runs.wait(thread, "approval", { command: { resume: "yes" } });
        const { checkpoint } = (await client.threads.getHistory(thread)).find(({ next }) => next[0] === "ask");
        const values = await client.runs.wait(thread, "approval", { input: null, checkpoint });
        const state = await client.threads.getState(thread);
        return { asks: values.__interrupt__?.length, thread: await summary(client, thread), next: state.next };
    },
    "fork resumes and asks again": async (client) => {
        const thread = await asked(client, "twice");
        const [{ checkpoint }] = await client.threads.getHistory(thread);
        await wait(client, thread, "twice", "again");
        const values = await client.runs.wait(thread, "twice", { command: { resume: "forked" }, checkpoint });
        const then = await summary(client, thread);
        const resumed = await client.runs.wait(thread, "twice", { command: { resume: "done" }, checkpoint });
        const asks = values.__interrupt__?.map(({ value }) => value);
        return { asks, then, resumed: resumed.log, thread: await summary(client, thread) };
    },
    "fork from a checkpoint of another thread": async (client) => {
        const [{ checkpoint }] = await client.threads.getHistory(await talked(client));
        return attempt(wait(client, await talked(client), "chat", "x", { checkpointId: checkpoint.checkpoint_id }));
    },
};
