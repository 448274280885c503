// The state of a thread: at the end of a run, and for the runtime's requests (thread/*, graph/describe).
import { langGraph, schemasOf } from "./graphs.mjs";
import { limits, toJson } from "./lines.mjs";

// The channel of tasks that are sent to nodes.
const TASKS = "__pregel_tasks";

/** Returns the checkpoint that a configuration names, as clients know it. */
export function checkpointOf(config) {
    const { thread_id: thread, checkpoint_ns: ns = "", checkpoint_id: id, checkpoint_map: map } = config?.configurable ?? {};
    return thread === undefined ? null
        : { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id ?? null, checkpoint_map: map ?? null };
}

/** Returns the members of configurable that select a checkpoint. */
export function configurableOf(checkpoint) {
    const { ns, id, map } = checkpoint ?? {};
    return {
        ...(ns ? { checkpoint_ns: ns } : {}),
        ...(id ? { checkpoint_id: id } : {}),
        ...(map ? { checkpoint_map: map } : {}),
    };
}

/** Returns the command of a caller as LangGraph's. */
export async function commandOf({ goto, ...command }) {
    const { Command, Send } = await langGraph();
    const target = (to) => (Array.isArray(to) ? to.map(target) : typeof to === "object" ? new Send(to.node, to.input) : to);
    return new Command({ ...command, ...(goto === undefined || goto === null ? {} : { goto: target(goto) }) });
}

/** Returns the state after a run: values whose version the runtime does not have, versions, next tasks and interrupts. */
export async function endState({ graph, checkpoints }, thread, known = {}) {
    checkpoints?.end();
    const configurable = { thread_id: thread, checkpoint_ns: "" };
    const saved = await graph.checkpointer.getTuple({ configurable });
    if (!saved) {
        return { values: {}, versions: {}, next: [], tasks: [], checkpoint: null };
    }
    // With the id, LangGraph does not add writes of finished tasks, which have no version yet.
    const { checkpoint_id: id } = saved.config.configurable;
    const { values, next, tasks } = (checkpoints && finishedState(graph, saved))
        ?? await graph.getState({ configurable: { ...configurable, checkpoint_id: id } });
    return {
        ...changedValues(graph.streamChannelsAsIs, values, saved.checkpoint.channel_versions, checkpoints ? known : {}),
        next,
        checkpoint: { ns: "", id },
        tasks: tasks.map(({ id: task, name, interrupts }) => ({ id: task, name, interrupts })),
    };
}

/** Returns the state of a graph that has finished, without preparing its next tasks; undefined if it may have some. */
function finishedState({ nodes, channels, streamChannelsAsIs: names }, { checkpoint, pendingWrites = [] }) {
    const { channel_values: values, channel_versions: versions, versions_seen: seen } = checkpoint;
    const available = (name) => {
        const channel = channels[name]?.fromCheckpoint(values[name]);
        return channel?.isAvailable() ? channel : undefined;
    };
    const isTriggered = ([node, { triggers }]) => triggers.some((name) =>
        versions[name] !== undefined && versions[name] !== seen[node]?.[name] && available(name));
    if (pendingWrites.length > 0 || !Array.isArray(names) || Object.values(channels).some(isUnusual)
        || available(TASKS) || Object.entries(nodes).some(isTriggered)) {
        return undefined;
    }
    const found = names.map((name) => [name, available(name)]).filter(([, channel]) => channel);
    return { values: Object.fromEntries(found.map(([name, channel]) => [name, channel.get()])), next: [], tasks: [] };
}

// A channel of which a checkpoint has no value, or one of an older LangGraph.js.
const isUnusual = (channel) => channel.lc_graph_name === "DeltaChannel" || typeof channel.isAvailable !== "function";

function changedValues(channels, values, allVersions, known) {
    if (typeof channels === "string") {
        const version = allVersions[channels];
        return {
            versions: version === undefined ? {} : { "": String(version) },
            ...(String(version) === known[""] ? { values: {} } : { root: values ?? null }),
        };
    }
    const versions = {};
    const changed = {};
    for (const [channel, value] of Object.entries(values ?? {})) {
        // A channel with a default value that no task has written has no version.
        versions[channel] = String(allVersions[channel] ?? "0");
        if (versions[channel] !== known[channel]) {
            changed[channel] = value;
        }
    }
    return { values: changed, versions };
}

/** Returns the members of a result that are its final values; those that the state contains, too, are only named. */
export function finalValues(values, { values: known } = {}) {
    if (!known || !values || Object.getPrototypeOf(values) !== Object.prototype) {
        return { values };
    }
    const names = Object.keys(values);
    const own = names.filter((name) => !Object.hasOwn(known, name) || known[name] !== values[name]);
    return own.length === names.length ? { values }
        : { values: Object.fromEntries(own.map((name) => [name, values[name]])), value_names: names };
}

/** Returns a state of LangGraph as clients know it. */
function stateOf({ values, next, tasks, metadata, config, createdAt, parentConfig }) {
    const sent = tasks.map((task) => taskOf(task));
    return {
        values: values ?? {},
        next,
        tasks: sent,
        metadata: metadata ?? {},
        created_at: createdAt ?? null,
        checkpoint: metadata === undefined ? null : checkpointOf(config),
        parent_checkpoint: checkpointOf(parentConfig),
        interrupts: sent.flatMap(({ interrupts }) => interrupts),
    };
}

function taskOf({ id, name, path, error, interrupts, state, result }) {
    const snapshot = state && "values" in state ? state : undefined;
    return {
        id,
        name,
        path: path ?? [],
        error: error === undefined ? null : errorText(error),
        interrupts: interrupts ?? [],
        checkpoint: checkpointOf(snapshot?.config ?? state),
        state: snapshot ? stateOf(snapshot) : null,
        result: result ?? null,
    };
}

function errorText(error) {
    return typeof error === "object" && error?.message !== undefined ? `${error.name ?? "Error"}: ${error.message}` : error;
}

/** Returns the state of a thread at a checkpoint. */
async function threadState({ graph }, config, { subgraphs }) {
    return stateOf(await graph.getState(config, { subgraphs: subgraphs === true }));
}

/** Returns a page of the states of a thread, newest first: at most half a line. */
async function threadHistory({ graph }, config, { before, limit, filter }) {
    const states = [];
    let length = 0;
    const options = {
        ...(limit ? { limit } : {}),
        ...(filter ? { filter } : {}),
        ...(before ? { before: { configurable: { thread_id: config.configurable.thread_id, checkpoint_id: before } } } : {}),
    };
    for await (const snapshot of graph.getStateHistory(config, options)) {
        const state = JSON.parse(JSON.stringify(stateOf(snapshot), toJson));
        length += Buffer.byteLength(JSON.stringify(state));
        if (states.length > 0 && length > limits.line / 2) {
            return { states, next: states.at(-1).checkpoint.checkpoint_id };
        }
        states.push(state);
    }
    return { states, next: null };
}

/** Applies updates of the state as tasks of the graph would. */
async function threadUpdate(memory, config, { thread, supersteps, command }) {
    const update = async ({ values, as_node: asNode, command: own }) => ({
        values: own ? await commandOf(own) : values,
        ...(asNode ? { asNode } : {}),
    });
    const step = async (updates) => ({ updates: await Promise.all(updates.map(update)) });
    const updated = await memory.graph.bulkUpdateState(config, await Promise.all((supersteps ?? [[{ command }]]).map(step)));
    const { checkpoint_ns: ns = "", checkpoint_id: id, checkpoint_map: map } = updated.configurable;
    return { checkpoint: { ns, id, map: map ?? null }, state: await endState(memory, thread) };
}

/** Returns the drawing of a graph, or the schemas of its subgraphs. */
async function describe({ graph }, config, { kind, xray, namespace, recurse }) {
    if (kind === "graph") {
        const drawing = await graph.getGraphAsync({ ...config, ...(xray === undefined ? {} : { xray }) });
        return drawing.toJSON();
    }
    const schemas = {};
    for await (const [name, subgraph] of graph.getSubgraphsAsync(namespace ?? undefined, recurse === true)) {
        schemas[name] = await schemasOf(subgraph);
    }
    return schemas;
}

/** Operations on threads by the method of their request. */
export const OPERATIONS = new Map([
    ["thread/state", threadState],
    ["thread/history", threadHistory],
    ["thread/update", threadUpdate],
    ["graph/describe", describe],
]);
