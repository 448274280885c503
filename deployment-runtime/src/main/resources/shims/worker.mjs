// Loads a graph from a JavaScript module and implements the worker protocol for it (docs/worker-protocol.md):
//     node worker.mjs <graph> <module> <export>
// The export is a LangGraph.js graph (compiled or not), a function that returns one, or an async generator function.
import { createInterface } from "node:readline";
import { Run, afterCheckpoints, clientData, namedCheckpoint } from "./events.mjs";
import { isGenerator, load, memoryOf, resolveGraph, schemasOf, withMemory } from "./graphs.mjs";
import { features, fits, limits, lineOf, send, sendLine, setLimits } from "./lines.mjs";
import { TEXT_TYPES, receive } from "./requests.mjs";
import { OPERATIONS, commandOf, configurableOf, endState, finalValues } from "./state.mjs";
import { now } from "./steps.mjs";

const [graphId, , exportName] = process.argv.slice(2);
const CANCELLED = -32800;
const UNKNOWN_METHOD = -32601;

// Otherwise LangChain reports chunks in the background, in one queue for all runs, and chunks of runs that end early are lost.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND ??= "false";
process.on("unhandledRejection", (reason) => console.error("unhandled rejection:", reason));

/**
 * Yielded strings are chunks of the message, pairs are [mode, data], and ["interrupt", value] asks a person at the end of the
 * run; the returned value is the final state.
 */
async function runGenerator(generator, run) {
    const { input, config, context, metadata, state, interrupts, command, resume } = run.params;
    const options = { config, context, metadata, state, interrupts, command, resume, runId: run.name, signal: run.abort.signal };
    const steps = generator(input, options);
    const id = `message-${run.name}`;
    let content = "";
    let first;
    let yielded = false;
    run.steps?.start(id, null, exportName, "chain", input);
    await run.event("values", input);
    try {
        while (true) {
            const step = await Promise.race([steps.next(), run.aborted]);
            if (step.done) {
                const message = { id, type: "ai", role: "assistant", content };
                const answer = step.value ?? (yielded ? answered(run.params, message) : null);
                await run.event("updates", { [graphId]: step.value ?? (yielded ? { messages: [message] } : null) });
                await run.event("values", answer);
                run.steps?.report(id, { end_time: now(), first_token_time: first }, { outputs: answer });
                return answer;
            }
            if (Array.isArray(step.value) && step.value[0] === "interrupt") {
                run.interrupt = step.value[1];
            } else if (Array.isArray(step.value)) {
                await run.event(step.value[0], step.value[1]);
            } else {
                const text = String(step.value);
                content += text;
                first ??= now();
                yielded = true;
                await run.event("messages", [
                    { id, type: "AIMessageChunk", role: "assistant", content: text },
                    { langgraph_node: graphId, run_id: run.name },
                ]);
            }
        }
    } finally {
        // Not awaited: it only completes when the generator's pending operation does.
        steps.return(undefined).catch(() => {});
    }
}

/** Returns the state of the thread with the input's members, and with the messages of both and the answer. */
function answered({ state, input }, message) {
    return { ...state, ...input, messages: [...(state?.messages ?? []), ...(input?.messages ?? []), message] };
}

function configOf(run) {
    const { config, metadata, context, thread, durability, assistant_id: assistant } = run.params;
    const { recursion_limit: recursionLimit, configurable, ...rest } = config ?? {};
    const ids = { thread_id: thread?.id ?? run.name, run_id: run.name, graph_id: graphId };
    if (assistant) {
        ids.assistant_id = assistant;
    }
    return {
        ...rest,
        ...(recursionLimit ? { recursionLimit } : {}),
        // LangGraph recognizes a run that continues by the id in the metadata.
        metadata: { ...rest.metadata, ...metadata, ...(thread ? ids : {}) },
        configurable: thread
            ? { ...configurable, ...ids, ...(run.params.continue ? {} : configurableOf(thread.checkpoint)) }
            : { ...ids, ...configurable },
        ...(context && Object.keys(context).length ? { context } : {}),
        ...(thread && durability ? { durability } : {}),
        ...(thread && run.params.interrupt_before ? { interruptBefore: run.params.interrupt_before } : {}),
        ...(thread && run.params.interrupt_after ? { interruptAfter: run.params.interrupt_after } : {}),
        runId: run.name,
        signal: run.abort.signal,
        ...(run.steps || run.toolCalls ? { callbacks: [run.steps, run.toolCalls].filter(Boolean) } : {}),
    };
}

/** Returns the graph's input; none if an earlier attempt of the run has stored a checkpoint, where LangGraph continues. */
async function inputOf({ params }) {
    if (params.continue) {
        return null;
    }
    return params.command ? commandOf(params.command) : params.input;
}

/** Returns the stream modes for the graph; values, which the graph computes after each step, only if they are needed. */
function modesOf(run) {
    const needsValues = run.params.values !== false || run.modes.has("events");
    return [...new Set([...run.modes, ...(needsValues ? ["values"] : [])])].filter((mode) => mode !== "events");
}

/** Returns where the run starts: at its own last checkpoint, at that of its fork, or at the newest one of its thread. */
function startOf({ continue: continued, newest, thread: { checkpoint } }) {
    const fork = checkpoint?.ns ? checkpoint.map?.[""] : checkpoint?.id;
    return continued ? { continued } : { fork: fork ?? undefined, newest };
}

/** Returns whether checkpoints may be stored with later ones: neither the graph nor an event waits for them. */
function defersCheckpoints({ modes, params: { durability } }) {
    return durability === "exit" || (durability !== "sync" && !namesCheckpoints(modes));
}

const namesCheckpoints = (modes) => modes.has("checkpoints") || modes.has("debug");

/** Returns the name of a checkpoint, without the step: clients would take values of an earlier step as outdated after an edit. */
const nameOf = ({ id, parent_id, source }) => ({ id, parent_id, source });

/** Runs the graph; returns its final values if they are needed. */
async function runGraph(value, run) {
    const config = configOf(run);
    const { thread } = run.params;
    const resolved = await resolveGraph(value, config);
    run.memory = thread
        ? await withMemory(resolved, thread.id, run.requests, { ...startOf(run.params), deferred: defersCheckpoints(run) })
        : { graph: resolved };
    const options = {
        ...config, streamMode: modesOf(run), subgraphs: run.params.stream_subgraphs === true,
        // LangGraph.js names the checkpoint before its values if it recognizes a stream of events, by this option.
        ...(run.params.name_checkpoints ? { version: "v2" } : {}),
    };
    const withEvents = run.modes.has("events");
    const input = await inputOf(run);
    const stream = withEvents
        ? run.memory.graph.streamEvents(input, { ...options, version: "v2" })
        : await run.memory.graph.stream(input, options);
    const parse = (item) => {
        const isChunk = !withEvents || (item.event === "on_chain_stream" && item.run_id === run.name);
        const chunk = withEvents ? item.data?.chunk : item;
        return !isChunk ? undefined : options.subgraphs ? chunk : [[], ...chunk];
    };
    let last = null;
    let checkpoint;
    const interrupts = [];
    for await (const item of orderedByCheckpoints(run, stream, parse)) {
        const [namespace, mode, data] = parse(item) ?? [];
        if (mode === "values" && namespace.length === 0) {
            if (thread && Array.isArray(data?.__interrupt__)) {
                interrupts.push(data.__interrupt__);
            } else {
                last = data;
            }
        }
        if (mode !== undefined) {
            const sent = mode === "tools" ? run.toolCalls?.dataOf(data) : thread ? clientData(mode, data) : data;
            await run.event(mode, sent, namespace, checkpoint);
            checkpoint = mode === "checkpoints" && run.params.name_checkpoints ? nameOf(data) : undefined;
        }
        if (withEvents) {
            await run.event("events", item);
        }
    }
    return interrupts.length > 0 ? { ...last, __interrupt__: interrupts.flat() } : last;
}

/** Returns the stream; events that name a checkpoint wait until it is stored, unless it is stored at the end only. */
function orderedByCheckpoints(run, stream, parse) {
    const { checkpoints } = run.memory;
    if (!checkpoints || !namesCheckpoints(run.modes) || run.params.durability === "exit") {
        return stream;
    }
    return afterCheckpoints(stream, (item) => {
        const [, mode, data] = parse(item) ?? [];
        const named = namedCheckpoint(mode, data);
        if (!named || !checkpoints.knows(named.ns)) {
            return undefined;
        }
        return Promise.race([checkpoints.acknowledged(named.ns, named.id), run.aborted]);
    });
}

const runs = new Map();
let value;
let version = 1;

async function start(id, params) {
    const run = new Run(id, params);
    runs.set(run.name, run);
    try {
        const values = isGenerator(value) ? await runGenerator(value, run) : await runGraph(value, run);
        await run.requests.settled(run.abort.signal, true);
        run.abort.signal.throwIfAborted();
        const state = await stateAfter(run);
        await run.requests.complete(run.abort.signal);
        const interrupt = run.interrupt === undefined ? {} : { interrupt: run.interrupt };
        const result = { ...finalValues(values, state), ...(state ? { state } : {}), ...interrupt };
        await (version === 1 ? send({ id, result }) : run.requests.respond(id, result));
    } catch (error) {
        await run.requests.settled(run.abort.signal);
        await respondWithError(id, run, error);
    } finally {
        run.requests.close();
        runs.delete(run.name);
    }
}

async function respondWithError(id, run, cause) {
    const cancelled = run.abort.signal.aborted && !run.failure;
    const error = run.failure ?? cause;
    // A state in memory could name a checkpoint that is not stored.
    const state = run.requests.failure || !run.requests.isSettled() ? undefined : await stateAfter(run);
    const name = error?.name ?? error?.constructor?.name ?? "Error";
    if (!cancelled) {
        console.error(error);
    }
    const [code, message] = cancelled ? [CANCELLED, "The run was cancelled."] : [1, String(error?.message ?? error)];
    const line = (data) => lineOf({ id, error: { code, message, ...(Object.keys(data).length > 0 ? { data } : {}) } });
    const type = cancelled ? {} : { error: name };
    const complete = line({ ...type, ...(state && { state }) });
    // The runtime requests a state that is too large for a line.
    sendLine(fits(complete, limits.line / 2) ? complete : line(type));
}

/** Returns the state of the run's thread; undefined without checkpoints, or if the runtime has to request it. */
async function stateAfter(run) {
    const { thread } = run.params;
    if (!thread || run.failure || !run.memory?.graph || run.memory.memory === "state") {
        return undefined;
    }
    try {
        return await endState(run.memory, thread.id, thread.versions);
    } catch (error) {
        console.error("cannot read the state at the end of the run:", error);
        return undefined;
    }
}

/** Executes an operation on the state of a thread. */
async function operate(id, method, params) {
    const run = new Run(id, params);
    runs.set(run.name, run);
    try {
        const { configurable, ...config } = params.config ?? {};
        const ids = { thread_id: params.thread, graph_id: graphId };
        const all = { ...config, configurable: { ...configurable, ...ids, ...configurableOf(params.checkpoint) } };
        const memory = await withMemory(await resolveGraph(value, all), params.thread, run.requests);
        if (memory.memory === "state" && method !== "graph/describe") {
            throw Object.assign(new Error(`The graph "${graphId}" has no checkpoints.`), { name: "NoCheckpoints" });
        }
        const result = await Promise.race([OPERATIONS.get(method)(memory, all, params), run.aborted]);
        await run.requests.settled(run.abort.signal);
        await run.requests.respond(id, result);
    } catch (error) {
        await respondWithError(id, run, error);
    } finally {
        run.requests.close();
        runs.delete(run.name);
    }
}

async function initialize(id, { versions, limits: received, checkpoint_batch: batch, checkpoint_last: last, same_values: same }) {
    setLimits(received);
    features.checkpointBatch = batch === true;
    features.checkpointLast = last === true;
    features.sameValues = same === true;
    version = versions?.includes(2) ? 2 : 1;
    try {
        value = await load();
        const description = { schemas: await schemasOf(value) };
        send({ id, result: version === 1
            ? { protocol_version: 1, graphs: { [graphId]: description } }
            : {
                protocol_version: 2,
                text_types: TEXT_TYPES,
                newest_checkpoint: true,
                operations: [...new Set([...OPERATIONS.keys()].map((method) => method.split("/")[1]))],
                graphs: { [graphId]: { ...description, memory: await memoryOf(value), store: !isGenerator(value) } },
            } });
    } catch (error) {
        console.error(error);
        const name = error?.code ?? error?.name ?? "Error";
        send({ id, error: { code: 1, message: String(error?.message ?? error), data: { error: String(name) } } });
    }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
    const message = JSON.parse(line);
    const { id, method, params } = message;
    switch (method) {
        case undefined:
            receive(message);
            break;
        case "initialize":
            initialize(id, params);
            break;
        case "ping":
            send({ id, result: {} });
            break;
        case "run/start":
            start(id, params);
            break;
        case "run/credit":
            runs.get(params.run)?.grant(params.bytes);
            break;
        case "run/cancel":
            runs.get(params.run)?.cancel();
            break;
        case "shutdown":
            process.exit(0);
            break;
        default:
            if (OPERATIONS.has(method)) {
                operate(id, method, params);
            } else if (version > 1 && id !== undefined) {
                send({ id, error: { code: UNKNOWN_METHOD, message: `The worker does not know the method "${method}".` } });
            }
            break;
    }
});
lines.on("close", () => process.exit(0));
