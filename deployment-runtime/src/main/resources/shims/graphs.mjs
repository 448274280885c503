// Loads the application's graph, and copies it for runs on threads.
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { saverClass } from "./saver.mjs";
import { executeWithoutPolling, storeClass } from "./store.mjs";

const [, modulePath, exportName] = process.argv.slice(2);
// Older ones store pending sends in the checkpoint before.
const MIN_CHECKPOINT_FORMAT = 4;

/** Returns the module's export: a graph, a function that returns one, or an async generator function. */
export async function load() {
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

/** Returns whether the value is an async generator function. */
export const isGenerator = (value) => Object.prototype.toString.call(value) === "[object AsyncGeneratorFunction]";

/** Returns the graph of the module's export for a run with the configuration. */
export async function resolveGraph(value, config) {
    let graph = typeof value === "function" ? await value(config) : value;
    if (typeof graph?.stream !== "function" && typeof graph?.compile === "function") {
        graph = graph.compile();
    }
    if (typeof graph?.stream !== "function") {
        throw new Error(`"${exportName}" of ${modulePath} is not a graph: it has no method "stream"`);
    }
    return graph;
}

/** Returns the schemas of a graph; none for generators and for functions that return graphs, which are not called. */
export async function schemasOf(value) {
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
        const installed = applicationRequire().resolve("@langchain/langgraph/zod/schema");
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

const applicationRequire = () => createRequire(pathToFileURL(resolve(process.cwd(), modulePath)));

/** Returns LangGraph.js as the application uses it; the package has a copy for each of the two kinds of modules. */
export async function langGraph() {
    const require = applicationRequire();
    const path = require.resolve("@langchain/langgraph");
    return require.cache[path] ? require(path) : import(pathToFileURL(path.replace(/\.cjs$/, ".js")).href);
}

let classes;

/** Returns the classes of checkpointer and store; null if the application's LangGraph.js does not support them. */
export function memoryClasses() {
    classes ??= langGraph().then((library) => {
        if (library.emptyCheckpoint().v < MIN_CHECKPOINT_FORMAT) {
            console.error("The runtime stores no checkpoints of this version of @langchain/langgraph: install 1.0 or later.");
            return null;
        }
        executeWithoutPolling(library);
        return { Saver: saverClass(library), Store: storeClass(library) };
    }).catch((error) => {
        console.error("cannot load @langchain/langgraph, so graphs have no checkpoints:", error?.message ?? error);
        return null;
    });
    return classes;
}

/** Returns the graph itself, which an agent contains; undefined for other objects, such as a remote graph. */
const pregelOf = (graph) => [graph, graph?.graph].find((candidate) => candidate?.lg_is_pregel === true && candidate.channels);

/** Returns how the graph remembers: with the runtime's checkpoints, with its own, with a JSON state, or not. */
export async function memoryOf(value) {
    if (isGenerator(value)) {
        return "json";
    }
    if (!(await memoryClasses())) {
        return "state";
    }
    if (typeof value === "function") {
        return "checkpoints";
    }
    const graph = typeof value.stream === "function" ? pregelOf(value) : undefined;
    if (!graph && typeof value.compile !== "function") {
        return "state";
    }
    return memoryOfGraph(graph);
}

function memoryOfGraph(graph) {
    return graph?.checkpointer === false ? "state" : typeof graph?.checkpointer === "object" ? "own" : "checkpoints";
}

/**
 * Returns a copy of the graph with a checkpointer and a store of the run. The graph itself is not changed: two runs would
 * otherwise exchange their checkpointers.
 */
export async function withMemory(resolved, thread, requests, options) {
    const graph = pregelOf(resolved);
    const available = graph ? await memoryClasses() : null;
    const memory = available ? memoryOfGraph(graph) : "state";
    if (memory === "state") {
        return { graph: resolved, memory };
    }
    const saver = memory === "own" ? graph.checkpointer : new available.Saver(thread, requests, options);
    const copy = new graph.constructor({
        ...graph,
        checkpointer: saver,
        store: graph.store ?? new available.Store(requests),
        // Otherwise a graph that validates itself adds its nodes to the original's again.
        ...(graph.autoValidate ? { triggerToNodes: {} } : {}),
    });
    return { graph: copy, memory, ...(memory === "own" ? {} : { checkpoints: saver.checkpoints }) };
}
