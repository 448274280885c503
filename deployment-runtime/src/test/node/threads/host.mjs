// Starts the worker of a graph, speaks protocol 2 as the runtime does, and keeps threads in memory.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Answers } from "./answers.mjs";
import { StorageError } from "./storage.mjs";

const SHIM = process.argv[2];

const hosts = new Map();

/** Returns the host of a graph of a module, by default graphs.mjs; starts it if it is not running. */
export async function host(graph, options = {}) {
    const key = JSON.stringify([graph, options]);
    if (!hosts.has(key)) {
        hosts.set(key, new Host(graph, options));
    }
    const found = await hosts.get(key).start();
    found.requests.length = 0;
    found.lines.length = 0;
    found.wires.length = 0;
    found.before = async () => {};
    return found;
}

/** Stops all hosts. */
export function stopHosts() {
    return Promise.all([...hosts.values()].map((one) => one.stop()));
}

/** A runtime with one worker. */
class Host {
    constructor(graph, options) {
        const supported = { versions: [1, 2], storage: true, batches: true, last: true, newest: true, same: true };
        this.options = { module: "./graphs.mjs", limits: {}, ...supported, ...options };
        const limits = { line_bytes: 4 << 20, part_bytes: 256 << 10, window_bytes: 8 << 20, state_bytes: 20 << 20 };
        this.limits = { ...limits, ...this.options.limits };
        this.graph = graph;
        this.answers = new Answers(this.limits);
        this.pending = new Map();
        this.runs = new Map();
        this.log = [];
        this.requests = [];
        this.lines = [];
        this.wires = [];
        this.lastId = 0;
        const module = fileURLToPath(new URL(this.options.module, import.meta.url));
        this.child = spawn("node", [SHIM, graph, module, graph], { stdio: ["pipe", "pipe", "pipe"] });
        this.exited = new Promise((resolve) => this.child.on("exit", resolve));
        createInterface({ input: this.child.stdout }).on("line", (line) => this.receive(line));
        createInterface({ input: this.child.stderr }).on("line", (line) => this.log.push(line));
    }

    async start() {
        const { versions, storage, batches, last, same } = this.options;
        const params = { protocol_version: 1, graphs: [this.graph], limits: this.limits };
        const features = { checkpoint_batch: batches, checkpoint_last: last, same_values: same };
        const extended = { ...params, versions, storage, ...features };
        this.description ??= await this.request("initialize", versions.includes(2) ? extended : params);
        return this;
    }

    async stop() {
        this.child.stdin.end();
        await this.exited;
    }

    send(message) {
        this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    }

    request(method, params) {
        const id = ++this.lastId;
        return new Promise((resolve, reject) => {
            this.pending.set(id, { resolve, reject, parts: [] });
            this.send({ id, method, params });
        });
    }

    receive(line) {
        if (Buffer.byteLength(line) > this.limits.line_bytes) {
            throw new Error(`a line has ${Buffer.byteLength(line)} bytes: ${line.slice(0, 200)}`);
        }
        const message = JSON.parse(line);
        if (message.method?.startsWith("checkpoint/")) {
            this.wires.push(line);
        }
        if (message.method === undefined) {
            this.settle(message);
        } else if (message.id === undefined) {
            this.notified(message);
        } else {
            this.serve(message, Buffer.byteLength(line));
        }
    }

    settle({ id, result, error }) {
        const { resolve, reject, parts } = this.pending.get(id);
        this.pending.delete(id);
        if (error) {
            reject(Object.assign(new Error(error.message), { code: error.code, data: error.data }));
        } else {
            resolve(withFinalValues(result?.parts === undefined ? result : JSON.parse(parts.join(""))));
        }
    }

    notified({ method, params }) {
        if (method === "run/event") {
            const run = this.runs.get(params.run);
            run.events.push({ ...params, stored: run.thread ? [...this.threadOf(run.thread).checkpoints.keys()] : [] });
            run.onEvent?.(params);
        } else if (method === "checkpoint/last") {
            this.lines.push(method);
            this.runs.get(params.run).last = params;
        }
    }

    /** Stores the last checkpoints of a run, which the runtime does in the transaction that ends it. */
    async storeLast({ last, ...run }) {
        for (const operation of last ? operationsOf("checkpoint/batch", last) : []) {
            this.requests.push(operation);
            await this.execute(operation, run);
        }
    }

    /** Returns the newest checkpoint of a thread for the start of a run; undefined if the worker has to read it. */
    newestOf(thread, { attempt = 1 }) {
        const found = this.threadOf(thread).get({ ns: "" });
        const isKnown = this.options.newest && this.description.newest_checkpoint && attempt === 1;
        return !isKnown ? undefined : found ? this.answers.tuple(this.threadOf(thread), found) : null;
    }

    async serve({ id, method, params }, bytes) {
        const run = this.runs.get(params.run);
        this.lines.push(method);
        try {
            if (run) {
                run.unacknowledged += bytes;
                run.maxUnacknowledged = Math.max(run.maxUnacknowledged, run.unacknowledged);
            }
            let result;
            for (const operation of operationsOf(method, params)) {
                this.requests.push({ ...operation, bytes });
                result = await this.execute(operation, run);
            }
            this.send({ id, result });
        } catch (error) {
            const { code = -32603, error: name } = error;
            const data = name ? { data: { error: name, retry_after_ms: 1 } } : {};
            this.send({ id, error: { code, message: error.message, ...data } });
        }
        if (run) {
            run.unacknowledged -= bytes;
        }
    }

    async execute({ method, params }, run) {
        if (!run) {
            throw new StorageError(-32001, "RunEnded");
        }
        await this.before({ method, params, run });
        if (method === "result/part") {
            this.pending.get(params.request).parts[params.part] = params.text;
        }
        return this.answers.answer(method, params, run);
    }

    /** Starts a run; its promise has the response, and the run its events. */
    run(thread, params = {}) {
        const name = params.run ?? randomUUID();
        const run = { ...newRun(thread), name, onEvent: params.onEvent };
        this.runs.set(name, run);
        const { onEvent: _onEvent, ...sent } = params;
        const members = thread
            ? { newest: this.newestOf(thread, params), thread: { id: thread, checkpoint: null, versions: {}, ...params.thread } }
            : {};
        const all = { graph: this.graph, credit: 1 << 30, input: null, config: {}, metadata: {}, stream_modes: ["values"] };
        const result = this.request("run/start", { run: name, ...all, ...sent, ...members });
        const stored = result.then((response) => this.storeLast(run).then(() => response));
        run.result = stored.finally(() => this.runs.delete(name));
        return run;
    }

    /** Runs to the end and returns the response. */
    wait(thread, params) {
        return this.run(thread, params).result;
    }

    cancel(run) {
        this.send({ method: "run/cancel", params: { run: run.name } });
    }

    /** Executes an operation on the state of a thread. */
    async operation(method, thread, params = {}) {
        const name = randomUUID();
        const readOnly = method !== "thread/update";
        this.runs.set(name, { ...newRun(thread), readOnly });
        try {
            return await this.request(method, { run: name, graph: this.graph, thread, config: {}, ...params });
        } finally {
            this.runs.delete(name);
        }
    }

    threadOf(id) {
        return this.answers.threadOf(id);
    }

    state(thread, params) {
        return this.operation("thread/state", thread, params);
    }

    history(thread, params) {
        return this.operation("thread/history", thread, { limit: 100, ...params });
    }

    update(thread, params) {
        return this.operation("thread/update", thread, params);
    }
}

/** Returns the result with the final values that its state contains, too. */
function withFinalValues({ value_names: names, ...result }) {
    const all = (name) => [name, Object.hasOwn(result.values, name) ? result.values[name] : result.state.values[name]];
    return names === undefined ? result : { ...result, values: Object.fromEntries(names.map(all)) };
}

/** Returns the requests of a line, with the values to which others refer. */
function operationsOf(line, { operations, ...params }) {
    const requests = line === "checkpoint/batch"
        ? operations.map(({ method, ...own }) => ({ method, params: { ...params, ...own } }))
        : [{ method: line, params: operations ? { ...params, operations } : params }];
    const values = [];
    return requests.map(({ method, params: own }) => ({ method, params: method.startsWith("checkpoint/put") ? withValues(own, values) : own }));
}

function withValues({ checkpoint, blobs, writes, ...params }, values) {
    const resolve = (value) => {
        if (value?.same !== undefined) {
            return values[value.same];
        }
        values.push(value);
        return value;
    };
    const resolved = (given) => given.with(-1, resolve(given.at(-1)));
    return {
        ...params,
        ...(checkpoint ? { checkpoint: resolved(checkpoint), blobs: blobs.map(resolved) } : {}),
        ...(writes ? { writes: writes.map(resolved) } : {}),
    };
}

const newRun = (thread) => ({ thread, events: [], parts: new Map(), unacknowledged: 0, maxUnacknowledged: 0 });
