// A store of LangGraph.js whose items are in the runtime.
import { toJson } from "./lines.mjs";

let warned = false;
// Several requests are sent for more.
const MAX_OPERATIONS = 1000;

/** Returns the class of stores for the application's installation of LangGraph. */
export function storeClass({ BaseStore }) {
    return class WaybillStore extends BaseStore {
        constructor(requests) {
            super();
            this.requests = requests;
        }

        toJSON() {
            return "[WaybillStore]";
        }

        get isFull() {
            return this.requests.isFull();
        }

        room() {
            return this.requests.room();
        }

        async batch(operations) {
            const results = new Array(operations.length);
            for (const indexes of batchesOf(operations, this.requests.maxLength)) {
                const wire = indexes.map((index) => toWire(operations[index]));
                const answers = await this.requests.write("store/batch", `"operations":${JSON.stringify(wire, toJson)}`);
                for (const [i, index] of indexes.entries()) {
                    results[index] = await fromWire(operations[index], answers[i], this.requests);
                }
            }
            return results;
        }
    };
}

const isPut = (operation) => "value" in operation;

/** Returns the indexes of the operations for each request: reads first, since they see the store before the writes. */
function batchesOf(operations, maxLength) {
    const indexes = [...operations.keys()];
    const batches = [];
    let length = Infinity;
    indexes.sort((a, b) => isPut(operations[a]) - isPut(operations[b]) || a - b);
    for (const index of indexes) {
        const size = isPut(operations[index]) ? Buffer.byteLength(JSON.stringify(operations[index].value) ?? "") : 0;
        if (length + size > maxLength || batches.at(-1).length >= MAX_OPERATIONS) {
            batches.push([]);
            length = 0;
        }
        batches.at(-1).push(index);
        length += size;
    }
    return batches;
}

function toWire(operation) {
    if ("namespacePrefix" in operation) {
        const { namespacePrefix: prefix, filter, limit, offset, query } = operation;
        warnIf(query !== undefined);
        return { op: "search", prefix, ...(filter ? { filter } : {}), limit: limit ?? 10, offset: offset ?? 0 };
    }
    if (isPut(operation)) {
        const { namespace: ns, key, value, index } = operation;
        warnIf(index !== undefined && index !== false);
        return { op: "put", ns, key, value };
    }
    if ("key" in operation) {
        return { op: "get", ns: operation.namespace, key: operation.key };
    }
    const { matchConditions, maxDepth, limit = 100, offset = 0 } = operation;
    const match = (matchConditions ?? []).map(({ matchType: type, path }) => ({ type, path }));
    return { op: "namespaces", match, ...(maxDepth ? { max_depth: maxDepth } : {}), limit, offset };
}

function warnIf(unsupported) {
    if (unsupported && !warned) {
        warned = true;
        console.error('The store of the runtime has no semantic search: "query" and "index" are ignored.');
    }
}

async function fromWire(operation, result, requests) {
    if ("namespacePrefix" in operation) {
        return Promise.all(result.map((item) => itemOf(item, requests)));
    }
    if (isPut(operation)) {
        return undefined;
    }
    return "key" in operation ? result && itemOf(result, requests) : result;
}

async function itemOf({ ns, key, value, value_ref: ref, created_at: created, updated_at: updated }, requests) {
    return {
        namespace: ns,
        key,
        value: ref ? JSON.parse(String(await requests.fetchValue(ref))) : value,
        createdAt: new Date(created),
        updatedAt: new Date(updated),
    };
}

const isFunction = (value) => typeof value === "function";

/**
 * Lets LangGraph.js execute operations of a store when there are any. Otherwise each graph with a store, and each of its
 * subgraphs, wakes up every millisecond of its run to ask for them, also while it waits for a model. A graph starts its store
 * before each step if it is not running; it waits for nothing else between steps, so this is where it waits for the storage.
 */
export function executeWithoutPolling({ AsyncBatchedStore }) {
    const type = AsyncBatchedStore?.prototype;
    if (![type?.start, type?.stop, type?.enqueueOperation, type?.processBatchQueue].every(isFunction)) {
        return;
    }
    const queues = new WeakMap();
    const queueOf = (store) => {
        if (!queues.has(store)) {
            queues.set(store, new OperationQueue(store));
        }
        return queues.get(store);
    };
    Object.defineProperty(type, "isRunning", {
        get() {
            return this.running && !this.store.isFull;
        },
    });
    type.start = function () {
        this.running = true;
        return this.store.room?.();
    };
    type.stop = async function () {
        this.running = false;
        await queueOf(this).executing;
    };
    type.enqueueOperation = function (operation) {
        return queueOf(this).add(operation);
    };
}

/** The operations of one graph: those of an iteration of the event loop are one batch, and batches are in order. */
class OperationQueue {
    constructor(batched) {
        this.batched = batched;
        this.waiting = [];
        this.executing = undefined;
    }

    add(operation) {
        return new Promise((resolve, reject) => {
            this.waiting.push({ operation, resolve, reject });
            this.executing ??= this.execute();
        });
    }

    async execute() {
        while (this.waiting.length > 0) {
            await new Promise((resume) => setImmediate(resume));
            const batch = this.waiting;
            this.waiting = [];
            try {
                const results = await this.batched.store.batch(batch.map(({ operation }) => operation));
                batch.forEach(({ resolve }, index) => resolve(results[index]));
            } catch (error) {
                batch.forEach(({ reject }) => reject(error));
            }
        }
        this.executing = undefined;
    }
}
