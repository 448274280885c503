// Assistants: stored ones with versions, those of graphs, and what they show of their graphs.
import { attempt, newThread, wait } from "./calls.mjs";

const tag = () => `tag-${Math.random()}`;
const absent = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60";
const settings = { config: { configurable: { user: "u" } }, context: { tone: "t" } };

/** Returns the id of a new assistant. */
const created = async ({ assistants }, more = {}) =>
    (await assistants.create({ graphId: "chat", name: "first", ...more })).assistant_id;

/** Returns the id of a new assistant with two versions. */
async function updated(client) {
    const id = await created(client, { metadata: { a: 1 }, config: settings.config });
    await client.assistants.update(id, { graphId: "chat", name: "second", metadata: { b: 2 } });
    return id;
}

const version = ({ version: number, name, metadata, config }) => ({ number, name, metadata, config });

/** Returns a graph without the names that LangGraph generates. */
const drawn = ({ nodes, edges }) => ({
    nodes: nodes.map(({ id, type }) => ({ id, type })), edges: edges.map(({ source, target }) => [source, target]),
});

export const assistantCases = {
    "assistants.create": ({ assistants }) => assistants.create({
        graphId: "chat", name: "test", description: "of a test", metadata: { purpose: "test" }, ...settings,
    }),
    "assistants.create without name": ({ assistants }) => assistants.create({ graphId: "chat" }),
    "assistants.create existing": async (client) => {
        const assistantId = await created(client, { metadata: { a: 1 } });
        const create = (more) => attempt(client.assistants.create({ graphId: "chat", assistantId, metadata: { b: 1 }, ...more }));
        return { again: await create({ ifExists: "do_nothing" }), raise: await create({ ifExists: "raise" }), unset: await create() };
    },
    "assistants.create unknown graph": ({ assistants }) => attempt(assistants.create({ graphId: "none" })),
    "assistants.create invalid": ({ assistants }) => attempt(assistants.create({ graphId: "chat", assistantId: "no-id" })),
    "assistants.get": async (client) => client.assistants.get(await created(client, settings)),
    "assistants.get of graph": async ({ assistants }) => {
        const [own] = await assistants.search({ graphId: "chat", metadata: { created_by: "system" } });
        const { graph_id: graph, name, version: number, metadata } = await assistants.get(own.assistant_id);
        return { graph, name, number, metadata };
    },
    "assistants.get missing": ({ assistants }) => attempt(assistants.get(absent)),
    "assistants.get invalid": ({ assistants }) => attempt(assistants.get("no-id")),
    "assistants.update": async (client) => {
        const id = await created(client, { metadata: { a: 1, b: { c: 1 } }, ...settings });
        const changed = await client.assistants.update(id, {
            graphId: "chat", name: "renamed", metadata: { b: { d: 2 } }, config: { configurable: { user: "v" } },
        });
        return { changed, read: await client.assistants.get(id) };
    },
    "assistants.update graph": async (client) => client.assistants.update(await created(client), { graphId: "approval" }),
    "assistants.update unknown graph": async (client) =>
        attempt(client.assistants.update(await created(client), { graphId: "none" })),
    "assistants.update missing": ({ assistants }) => attempt(assistants.update(absent, { graphId: "chat" })),
    "assistants.getVersions": async (client) => {
        const id = await updated(client);
        const { assistants } = client;
        return {
            all: await assistants.getVersions(id), page: (await assistants.getVersions(id, { limit: 1, offset: 1 })).map(version),
            selected: (await assistants.getVersions(id, { metadata: { b: 2 } })).map(version),
        };
    },
    "assistants.getVersions missing": ({ assistants }) => attempt(assistants.getVersions(absent)),
    "assistants.setLatest": async (client) => {
        const id = await updated(client);
        const first = await client.assistants.setLatest(id, 1);
        const next = await client.assistants.update(id, { graphId: "chat", name: "third" });
        return {
            first, next: version(next), read: version(await client.assistants.get(id)),
            all: (await client.assistants.getVersions(id)).map(version),
        };
    },
    "assistants.setLatest missing": async (client) => ({
        version: await attempt(client.assistants.setLatest(await created(client), 7)),
        assistant: await attempt(client.assistants.setLatest(absent, 1)),
    }),
    "assistants.search": async (client) => {
        const metadata = { tag: tag() };
        const ids = [];
        for (const [name, graphId] of [["one", "chat"], ["two", "approval"], ["three", "chat"]]) {
            ids.push(await created(client, { name, graphId, metadata: { ...metadata, name } }));
        }
        const found = async (query) =>
            (await client.assistants.search({ metadata, ...query })).map(({ assistant_id: id }) => ids.indexOf(id));
        const selected = { metadata, select: ["name", "graph_id"], sortBy: "created_at", sortOrder: "asc", limit: 1 };
        return {
            byCreation: await found({ sortBy: "created_at", sortOrder: "asc" }),
            byName: await found({ sortBy: "name", sortOrder: "asc" }),
            descending: await found({ sortBy: "created_at", sortOrder: "desc" }),
            unsorted: await found({}),
            page: await found({ sortBy: "created_at", sortOrder: "asc", limit: 1, offset: 1 }),
            graph: await found({ graphId: "chat", sortBy: "created_at", sortOrder: "asc" }),
            name: await found({ name: "TW", sortBy: "created_at", sortOrder: "asc" }),
            none: await client.assistants.search({ metadata: { tag: "none" } }),
            selected: await client.assistants.search(selected),
            count: await client.assistants.count({ metadata }),
            countOfGraph: await client.assistants.count({ metadata, graphId: "approval" }),
        };
    },
    "assistants.search page": async (client) => {
        const metadata = { tag: tag() };
        await created(client, { metadata });
        await created(client, { metadata });
        const { next, assistants } = await client.assistants.search({ metadata, limit: 1, includePagination: true });
        return { next, found: assistants.length };
    },
    "assistants.getGraph": async (client) => drawn(await client.assistants.getGraph(await created(client))),
    "assistants.getGraph xray": async (client) => {
        const id = await created(client, { graphId: "nested" });
        return { all: drawn(await client.assistants.getGraph(id, { xray: true })),
            one: drawn(await client.assistants.getGraph(id, { xray: 1 })) };
    },
    "assistants.getGraph missing": ({ assistants }) => attempt(assistants.getGraph(absent)),
    "assistants.getSubgraphs": async (client) => {
        const id = await created(client, { graphId: "nested" });
        const names = async (options) => {
            const found = await attempt(client.assistants.getSubgraphs(id, options));
            return found.failed ? found : Object.keys(found).sort();
        };
        return { all: await names({ recurse: true }), top: await names({}), inner: await names({ namespace: "inner" }) };
    },
    "assistants.getSchemas": async (client) => {
        const schemas = await attempt(client.assistants.getSchemas(await created(client)));
        return schemas.failed ? schemas : Object.fromEntries(Object.entries(schemas).map(([name, schema]) =>
            [name, schema?.properties ? Object.keys(schema.properties).sort() : typeof schema]));
    },
    "assistants.getSchemas missing": ({ assistants }) => attempt(assistants.getSchemas(absent)),
    "assistants.delete": async (client) => {
        const id = await created(client);
        return {
            deleted: await attempt(client.assistants.delete(id)), read: await attempt(client.assistants.get(id)),
            again: await attempt(client.assistants.delete(id)),
        };
    },
    "assistants.delete used": async (client) => {
        const id = await created(client);
        const thread = await newThread(client);
        await wait(client, thread, id, "one");
        await client.assistants.delete(id);
        return {
            thread: (await client.threads.get(thread)).values.log, run: await attempt(wait(client, thread, id, "two")),
        };
    },
    "run of an assistant": async (client) => {
        const id = await created(client, settings);
        const thread = await newThread(client);
        await wait(client, thread, id, "one");
        const { metadata } = await client.threads.get(thread);
        return { assistant: metadata.assistant_id === id, graph: metadata.graph_id };
    },
};
