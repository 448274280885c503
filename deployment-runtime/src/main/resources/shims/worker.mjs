// Loads a graph from a JavaScript module and implements the worker protocol for it (docs/worker-protocol.md):
//     node worker.mjs <graph> <module> <export>
// The export is a LangGraph.js graph (compiled or not), a function that returns one, or an async generator function.
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { limits, send, toChunk } from "./lines.mjs";
import { Steps, now } from "./steps.mjs";

const [graphId, modulePath, exportName] = process.argv.slice(2);
const CANCELLED = -32800;

// Otherwise LangChain reports chunks in the background, in one queue for all runs, and chunks of runs that end early are lost.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND ??= "false";
process.on("unhandledRejection", (reason) => console.error("unhandled rejection:", reason));

/** A run with its credit and its cancellation. */
class Run {
    constructor(id, params) {
        this.id = id;
        this.params = params;
        this.name = params.run;
        this.modes = new Set(params.stream_modes);
        this.credit = params.credit;
        this.steps = params.steps > 0 ? new Steps(params.run, params.steps) : null;
        this.abort = new AbortController();
        this.aborted = new Promise((_, reject) => {
            this.abort.signal.addEventListener("abort", () => reject(this.abort.signal.reason));
        });
        this.aborted.catch(() => {});
        this.continue = () => {};
    }

    grant(bytes) {
        this.credit += bytes;
        this.continue();
    }

    cancel() {
        this.abort.abort();
        this.continue();
    }

    /** Sends the event; waits until the run has credit. */
    async event(mode, data, namespace) {
        if (!this.modes.has(mode)) {
            return;
        }
        while (this.credit <= 0 && !this.abort.signal.aborted) {
            await new Promise((resume) => {
                this.continue = resume;
            });
        }
        this.abort.signal.throwIfAborted();
        // Sends chunks without a conversion by toJSON first: they are the most frequent events.
        const sent = mode === "messages" && Array.isArray(data) ? data.map(toChunk) : (data ?? null);
        const params = { run: this.name, mode, ...(namespace?.length ? { namespace } : {}), data: sent };
        this.credit -= send({ method: "run/event", params });
    }
}

async function load() {
    const path = isAbsolute(modulePath) ? modulePath : resolve(process.cwd(), modulePath);
    const module = await import(pathToFileURL(path).href);
    const value = module[exportName] ?? module.default?.[exportName];
    if (value === undefined || value === null) {
        const names = Object.keys(module).join(", ") || "nothing";
        throw exportNotFound(`${modulePath} exports ${names}, but not "${exportName}"`);
    }
    if (typeof value !== "function" && typeof value.stream !== "function" && typeof value.compile !== "function") {
        throw exportNotFound(`"${exportName}" of ${modulePath} is not a graph: it has no method "stream"`);
    }
    return value;
}

function exportNotFound(message) {
    return Object.assign(new Error(message), { name: "ExportNotFound" });
}

const isGenerator = (value) => Object.prototype.toString.call(value) === "[object AsyncGeneratorFunction]";

async function resolveGraph(value, config) {
    let graph = typeof value === "function" ? await value(config) : value;
    if (typeof graph?.stream !== "function" && typeof graph?.compile === "function") {
        graph = graph.compile();
    }
    if (typeof graph?.stream !== "function") {
        throw new Error(`"${exportName}" of ${modulePath} is not a graph: it has no method "stream"`);
    }
    return graph;
}

/** Yielded strings are chunks of the message, pairs are [mode, data]; the returned value is the final state. */
async function runGenerator(generator, run) {
    const { input, config, context, metadata } = run.params;
    const steps = generator(input, { config, context, metadata, runId: run.name, signal: run.abort.signal });
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
                const answer = step.value ?? (yielded ? { ...input, messages: [...(input?.messages ?? []), message] } : null);
                await run.event("updates", { [graphId]: step.value ?? (yielded ? { messages: [message] } : null) });
                await run.event("values", answer);
                run.steps?.report(id, { end_time: now(), first_token_time: first }, { outputs: answer });
                return answer;
            }
            if (Array.isArray(step.value)) {
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

/** Returns the schemas of a graph; none for generators and for functions that return graphs, which are not called. */
async function schemasOf() {
    const graph = typeof value?.stream === "function" ? value : value?.compile?.();
    const builder = graph?.builder;
    if (!builder) {
        return {};
    }
    const typed = await typedSchemas(graph);
    return {
        input_schema: typed.input ?? schemaOfNames(builder._inputDefinition),
        output_schema: typed.output ?? schemaOfNames(builder._outputDefinition),
        state_schema: typed.state ?? schemaOfNames(builder._schemaDefinition),
        config_schema: typed.config,
    };
}

/** Returns the schemas of a graph with Zod types; LangGraph.js provides none for other types. */
async function typedSchemas(graph) {
    try {
        const installed = createRequire(pathToFileURL(resolve(process.cwd(), modulePath))).resolve("@langchain/langgraph/zod/schema");
        const zod = await import(pathToFileURL(installed.replace(/\.cjs$/, ".js")).href);
        return {
            input: zod.getInputTypeSchema(graph),
            output: zod.getOutputTypeSchema(graph),
            state: zod.getStateTypeSchema(graph),
            config: zod.getConfigTypeSchema(graph),
        };
    } catch (error) {
        console.error("cannot read the graph's schemas:", error?.message ?? error);
        return {};
    }
}

/** Returns a schema with property names only, for a state with TypeScript types. */
function schemaOfNames(definition) {
    return definition && typeof definition === "object"
        ? { type: "object", properties: Object.fromEntries(Object.keys(definition).map((name) => [name, {}])) }
        : undefined;
}

function configOf(run) {
    const { config, metadata, context } = run.params;
    const { recursion_limit: recursionLimit, configurable, ...rest } = config ?? {};
    return {
        ...rest,
        ...(recursionLimit ? { recursionLimit } : {}),
        metadata: { ...rest.metadata, ...metadata },
        configurable: { thread_id: run.name, run_id: run.name, graph_id: graphId, ...configurable },
        ...(context && Object.keys(context).length ? { context } : {}),
        runId: run.name,
        signal: run.abort.signal,
        ...(run.steps ? { callbacks: [run.steps] } : {}),
    };
}

async function inputOf(run) {
    if (!run.params.command) {
        return run.params.input;
    }
    const { Command } = createRequire(pathToFileURL(resolve(process.cwd(), modulePath)))("@langchain/langgraph");
    return new Command(run.params.command);
}

/** Returns the stream modes for the graph; values, which the graph computes after each step, only if they are needed. */
function modesOf(run) {
    const needsValues = run.params.values !== false || run.modes.has("events");
    return [...new Set([...run.modes, ...(needsValues ? ["values"] : [])])].filter((mode) => mode !== "events");
}

/** Runs the graph; returns its final values if they are needed. */
async function runGraph(value, run) {
    const config = configOf(run);
    const graph = await resolveGraph(value, config);
    const input = await inputOf(run);
    const subgraphs = run.params.stream_subgraphs === true;
    const streamMode = modesOf(run);
    let last = null;
    const handle = async (chunk) => {
        const [namespace, mode, data] = subgraphs ? chunk : [[], ...chunk];
        if (mode === "values" && namespace.length === 0) {
            last = data;
        }
        await run.event(mode, data, namespace);
    };
    if (run.modes.has("events")) {
        for await (const event of graph.streamEvents(input, { ...config, streamMode, subgraphs, version: "v2" })) {
            if (event.event === "on_chain_stream" && event.run_id === run.name) {
                await handle(event.data.chunk);
            }
            await run.event("events", event);
        }
    } else {
        for await (const chunk of await graph.stream(input, { ...config, streamMode, subgraphs })) {
            await handle(chunk);
        }
    }
    return last;
}

const runs = new Map();
let value;

async function start(id, params) {
    const run = new Run(id, params);
    runs.set(run.name, run);
    try {
        const values = isGenerator(value) ? await runGenerator(value, run) : await runGraph(value, run);
        run.abort.signal.throwIfAborted();
        send({ id, result: { values } });
    } catch (error) {
        if (run.abort.signal.aborted) {
            send({ id, error: { code: CANCELLED, message: "The run was cancelled." } });
        } else {
            console.error(error);
            const name = error?.name ?? error?.constructor?.name ?? "Error";
            send({ id, error: { code: 1, message: String(error?.message ?? error), data: { error: name } } });
        }
    } finally {
        runs.delete(run.name);
    }
}

async function initialize(id) {
    try {
        value = await load();
        send({ id, result: { protocol_version: 1, graphs: { [graphId]: { schemas: await schemasOf() } } } });
    } catch (error) {
        console.error(error);
        const name = error?.code ?? error?.name ?? "Error";
        send({ id, error: { code: 1, message: String(error?.message ?? error), data: { error: String(name) } } });
    }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    switch (method) {
        case "initialize":
            limits.line = params.limits?.line_bytes ?? limits.line;
            initialize(id);
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
            break;
    }
});
lines.on("close", () => process.exit(0));
