// Loads a graph from a JavaScript module and speaks the worker protocol for it (docs/worker-protocol.md):
//     node worker.mjs <graph> <module> <export>
// The export is a LangGraph.js graph (compiled or not), a function that makes one, or an async generator function.
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { limits, piece, send } from "./lines.mjs";
import { Steps, now } from "./steps.mjs";

const [graphId, modulePath, exportName] = process.argv.slice(2);
const CANCELLED = -32800;

// Else LangChain tells the pieces of messages in the background, one after the other for all runs, and a run that ends first loses its.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND ??= "false";
process.on("unhandledRejection", (reason) => console.error("unhandled rejection:", reason));

/** A run: its credit, and whether it was cancelled. */
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

    /** Sends the event when there is credit for it. */
    async event(mode, data, namespace) {
        if (!this.modes.has(mode)) {
            return;
        }
        while (this.credit <= 0 && !this.abort.signal.aborted) {
            await new Promise((wake) => {
                this.continue = wake;
            });
        }
        this.abort.signal.throwIfAborted();
        // Nearly all events are pieces of messages, which are costly to turn into JSON twice.
        const sent = mode === "messages" && Array.isArray(data) ? data.map(piece) : (data ?? null);
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
        throw exportNotFound(`"${exportName}" of ${modulePath} is no graph: it has no method "stream"`);
    }
    return value;
}

function exportNotFound(message) {
    return Object.assign(new Error(message), { name: "ExportNotFound" });
}

const isGenerator = (value) => Object.prototype.toString.call(value) === "[object AsyncGeneratorFunction]";

async function graphOf(value, config) {
    let graph = typeof value === "function" ? await value(config) : value;
    if (typeof graph?.stream !== "function" && typeof graph?.compile === "function") {
        graph = graph.compile();
    }
    if (typeof graph?.stream !== "function") {
        throw new Error(`"${exportName}" of ${modulePath} is no graph: it has no method "stream"`);
    }
    return graph;
}

/** Strings that it yields are pieces of its answer, pairs are [mode, data]; what it returns are its last values. */
async function runGenerator(generator, run) {
    const { input, config, context, metadata } = run.params;
    const steps = generator(input, { config, context, metadata, runId: run.name, signal: run.abort.signal });
    const id = `message-${run.name}`;
    let said = "";
    let first;
    let spoke = false;
    run.steps?.begin(id, null, exportName, "chain", input);
    await run.event("values", input);
    try {
        while (true) {
            const step = await Promise.race([steps.next(), run.aborted]);
            if (step.done) {
                const message = { id, type: "ai", role: "assistant", content: said };
                const answer = step.value ?? (spoke ? { ...input, messages: [...(input?.messages ?? []), message] } : null);
                await run.event("updates", { [graphId]: step.value ?? (spoke ? { messages: [message] } : null) });
                await run.event("values", answer);
                run.steps?.tell(id, { end_time: now(), first_token_time: first }, { outputs: answer });
                return answer;
            }
            if (Array.isArray(step.value)) {
                await run.event(step.value[0], step.value[1]);
            } else {
                const text = String(step.value);
                said += text;
                first ??= now();
                spoke = true;
                await run.event("messages", [
                    { id, type: "AIMessageChunk", role: "assistant", content: text },
                    { langgraph_node: graphId, run_id: run.name },
                ]);
            }
        }
    } finally {
        // Not waited for: it only ends when what the generator waits for does.
        steps.return(undefined).catch(() => {});
    }
}

/** What a graph says of itself; a function that makes graphs is not called for it, and generators say nothing. */
async function schemasOf() {
    const graph = typeof value?.stream === "function" ? value : value?.compile?.();
    const builder = graph?.builder;
    if (!builder) {
        return {};
    }
    const typed = await typedSchemas(graph);
    return {
        input_schema: typed.input ?? named(builder._inputDefinition),
        output_schema: typed.output ?? named(builder._outputDefinition),
        state_schema: typed.state ?? named(builder._schemaDefinition),
        config_schema: typed.config,
    };
}

/** Of graphs whose state is described by Zod; LangGraph.js says nothing of others. */
async function typedSchemas(graph) {
    try {
        const installed = createRequire(pathToFileURL(resolve(process.cwd(), modulePath))).resolve("@langchain/langgraph/zod/schema");
        const tell = await import(pathToFileURL(installed.replace(/\.cjs$/, ".js")).href);
        return {
            input: tell.getInputTypeSchema(graph),
            output: tell.getOutputTypeSchema(graph),
            state: tell.getStateTypeSchema(graph),
            config: tell.getConfigTypeSchema(graph),
        };
    } catch (error) {
        console.error("the graph's schemas are not known:", error?.message ?? error);
        return {};
    }
}

/** Names are all that can be told of a state whose types are TypeScript's. */
function named(definition) {
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

/** What the graph is asked for: a graph has to make the values anew after each of its steps, for nobody if they are not asked for. */
function modesOf(run) {
    const needsValues = run.params.values !== false || run.modes.has("events");
    return [...new Set([...run.modes, ...(needsValues ? ["values"] : [])])].filter((mode) => mode !== "events");
}

/** The last of a graph's values are the answer. */
async function runGraph(value, run) {
    const config = configOf(run);
    const graph = await graphOf(value, config);
    const input = await inputOf(run);
    const subgraphs = run.params.stream_subgraphs === true;
    const streamMode = modesOf(run);
    let last = null;
    const take = async (chunk) => {
        const [namespace, mode, data] = subgraphs ? chunk : [[], ...chunk];
        if (mode === "values" && namespace.length === 0) {
            last = data;
        }
        await run.event(mode, data, namespace);
    };
    if (run.modes.has("events")) {
        for await (const event of graph.streamEvents(input, { ...config, streamMode, subgraphs, version: "v2" })) {
            if (event.event === "on_chain_stream" && event.run_id === run.name) {
                await take(event.data.chunk);
            }
            await run.event("events", event);
        }
    } else {
        for await (const chunk of await graph.stream(input, { ...config, streamMode, subgraphs })) {
            await take(chunk);
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
