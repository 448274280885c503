// Threads: creation, lookup, search, copies.
import { asked, attempt, newThread, talked, wait } from "./calls.mjs";

const tag = () => `tag-${Math.random()}`;
const absent = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60";

export const threadCases = {
    "threads.create": ({ threads }) => threads.create({ metadata: { purpose: "test" } }),
    "threads.create graphId": ({ threads }) => threads.create({ graphId: "chat" }),
    "threads.create existing": async (client) => {
        const threadId = await newThread(client, { metadata: { a: 1 } });
        return {
            again: await attempt(client.threads.create({ threadId, ifExists: "do_nothing", metadata: { b: 1 } })),
            raise: await attempt(client.threads.create({ threadId, ifExists: "raise" })),
            unset: await attempt(client.threads.create({ threadId })),
        };
    },
    "threads.get": async (client) => client.threads.get(await newThread(client)),
    "threads.get after run": async (client) => client.threads.get(await talked(client)),
    "threads.get interrupted": async (client) => client.threads.get(await asked(client)),
    "threads.get interrupted subgraph": async (client) => client.threads.get(await asked(client, "nested")),
    "threads.get failed": async (client) => {
        const thread = await newThread(client);
        await attempt(wait(client, thread, "chat", "fail"));
        return client.threads.get(thread);
    },
    "threads.get missing": ({ threads }) => attempt(threads.get(absent)),
    "threads.get invalid": ({ threads }) => attempt(threads.get("no-id")),
    "threads.update": async (client) => {
        const thread = await newThread(client, { metadata: { a: 1, b: { c: 1 } } });
        const updated = await client.threads.update(thread, { metadata: { b: { d: 2 }, e: null } });
        return { updated, read: await client.threads.get(thread) };
    },
    "threads.update missing": ({ threads }) => attempt(threads.update(absent, { metadata: {} })),
    "threads.search": async (client) => {
        const metadata = { tag: tag() };
        const ids = [];
        for (let i = 0; i < 4; i++) {
            ids.push(await newThread(client, { metadata: { ...metadata, i } }));
        }
        await wait(client, ids[1], "approval", "hello");
        await wait(client, ids[2], "chat", "hello");
        const found = async (query) =>
            (await client.threads.search({ metadata, ...query })).map(({ thread_id: id }) => ids.indexOf(id));
        const selected = { select: ["thread_id", "status", "values"], limit: 1, sortBy: "created_at", sortOrder: "asc" };
        return {
            byCreation: await found({ sortBy: "created_at", sortOrder: "asc" }),
            descending: await found({ sortBy: "created_at", sortOrder: "desc" }),
            page: await found({ sortBy: "created_at", sortOrder: "asc", limit: 2, offset: 1 }),
            unsorted: await found({}),
            interrupted: await found({ status: "interrupted" }),
            idle: await found({ status: "idle", sortBy: "created_at", sortOrder: "asc" }),
            busy: await found({ status: "busy" }),
            ids: await found({ ids: [ids[3], ids[0]], sortBy: "created_at", sortOrder: "asc" }),
            none: await client.threads.search({ metadata: { tag: "none" } }),
            selected: await client.threads.search({ metadata, ...selected }),
            count: await client.threads.count({ metadata }),
            countInterrupted: await client.threads.count({ metadata, status: "interrupted" }),
        };
    },
    "threads.copy": async (client) => {
        const thread = await talked(client);
        const copy = await client.threads.copy(thread);
        await wait(client, copy.thread_id, "chat", "three");
        const contents = async (id) => (await client.threads.getState(id)).values.messages.map(({ content }) => content);
        return {
            copy, other: copy.thread_id !== thread, original: await contents(thread), changed: await contents(copy.thread_id),
            history: (await client.threads.getHistory(copy.thread_id)).length,
        };
    },
    "threads.copy missing": ({ threads }) => attempt(threads.copy(absent)),
    "threads.delete": async (client) => {
        const thread = await talked(client);
        const deleted = await attempt(client.threads.delete(thread));
        return {
            deleted, read: await attempt(client.threads.get(thread)), again: await attempt(client.threads.delete(thread)),
            state: await attempt(client.threads.getState(thread)), history: await attempt(client.threads.getHistory(thread)),
            runs: await attempt(client.runs.list(thread)),
        };
    },
    "threads.prune": async (client) => {
        const thread = await talked(client);
        const kept = await attempt(client.threads.prune([thread], { strategy: "keep_latest" }));
        const history = (await client.threads.getHistory(thread)).length;
        const pruned = await attempt(client.threads.prune([thread, absent]));
        return { kept, history, pruned, read: await attempt(client.threads.get(thread)) };
    },
};
