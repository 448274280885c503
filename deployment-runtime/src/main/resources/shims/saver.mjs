// A checkpointer of LangGraph.js that stores the checkpoints of one run's thread in the runtime.
import { Batches } from "./batches.mjs";
import { Heads } from "./heads.mjs";
import { membersOf, toJson } from "./lines.mjs";
import { plainJson } from "./messages.mjs";
import { Serializer, SmallValues, promiseIfFailed, whenAllKnown, whenKnown } from "./values.mjs";

// Writes with these channels replace earlier ones of their task; all others are stored once.
const SPECIAL_WRITES = { __error__: -1, __scheduled__: -2, __interrupt__: -3, __resume__: -4 };
// Task of writes that belong to no task, such as the answer of a caller.
const NO_TASK = "00000000-0000-0000-0000-000000000000";
const COUNTER_DIGITS = 32;
const RANDOM_DIGITS = 16;
const PAGE = 100;
// Of a channel or a write in a message, besides its value.
const OVERHEAD_BYTES = 256;

/** Returns the class of savers for the application's installation of LangGraph. */
export function saverClass({ BaseCheckpointSaver }) {
    return class WaybillSaver extends BaseCheckpointSaver {
        constructor(thread, requests, options) {
            super();
            this.checkpoints = new Checkpoints(thread, requests, this.serde, options);
        }

        toJSON() {
            return "[WaybillSaver]";
        }

        getTuple(config) {
            return this.checkpoints.get(config);
        }

        list(config, options) {
            return this.checkpoints.list(config, options ?? {});
        }

        put(config, checkpoint, metadata, newVersions) {
            return this.checkpoints.put(config, checkpoint, metadata, newVersions);
        }

        putWrites(config, writes, taskId, taskPath) {
            return this.checkpoints.putWrites(config, writes, taskId, taskPath);
        }

        deleteThread(thread) {
            return this.checkpoints.delete(thread);
        }

        // LangGraph also calls this without an object.
        getNextVersion(current) {
            return nextVersion(current);
        }
    };
}

/** Returns a version that is greater than the given one and that no other branch of the thread has. */
export function nextVersion(current) {
    const counter = Number.parseInt(current ?? 0, 10) + 1;
    const random = () => String(Math.floor(Math.random() * 10 ** (RANDOM_DIGITS / 2))).padStart(RANDOM_DIGITS / 2, "0");
    return `${String(counter).padStart(COUNTER_DIGITS, "0")}.${random()}${random()}`;
}

/** The checkpoints of a thread, which a run stores and reads with requests to the runtime. */
class Checkpoints {
    constructor(thread, requests, serde, { continued = false, fork, newest, deferred = false } = {}) {
        this.thread = thread;
        this.requests = requests;
        this.serializer = new Serializer(serde);
        this.deferred = deferred;
        this.batches = new Batches(requests, deferred);
        this.smallValues = new SmallValues(this.serializer);
        this.continued = continued;
        this.heads = new Heads(thread, fork);
        // The newest checkpoint of the thread, null if there is none; undefined if it has to be read.
        this.newest = newest;
        this.ended = false;
        this.namespaces = new Set();
        // Checkpoints that are stored or will be, by namespace and id.
        this.stored = new Map();
    }

    async get(config) {
        if (config.configurable?.thread_id === undefined) {
            return undefined;
        }
        const { ns, id } = this.place(config);
        const head = this.ended ? this.heads.tuple(ns) : undefined;
        if (head && (!id || id === head.config.configurable.checkpoint_id)) {
            return head;
        }
        if (!id && this.heads.isNew(ns)) {
            return undefined;
        }
        const found = await this.find(ns, id);
        if (!found) {
            if (ns === "" && id && id === this.heads.fork) {
                // LangGraph would begin a new history.
                const error = new Error(`The thread no longer has the checkpoint ${id}.`);
                throw Object.assign(error, { name: "CheckpointNotFound" });
            }
            return undefined;
        }
        const tuple = await this.load(found, new Map());
        this.heads.read(ns, id, tuple);
        return tuple;
    }

    async find(ns, id) {
        const given = this.newest;
        this.newest = undefined;
        if (given !== undefined && ns === "" && !id) {
            return given;
        }
        await this.batches.flush();
        return this.requests.read("checkpoint/get", { ns, ...(id ? { id } : {}) });
    }

    async *list(config, { limit, before, filter }) {
        const { ns, id } = this.place(config);
        await this.batches.flush();
        let cursor = before?.configurable?.checkpoint_id;
        let remaining = limit ?? Infinity;
        while (remaining > 0) {
            const page = await this.requests.read("checkpoint/list", {
                ...(config.configurable.checkpoint_ns === undefined ? {} : { ns }),
                ...(id ? { id } : {}),
                ...(cursor ? { before: cursor } : {}),
                limit: Math.min(remaining, PAGE),
                ...(filter && Object.keys(filter).length ? { filter } : {}),
            });
            const blobs = blobsOf(page.blobs);
            for (const tuple of page.tuples) {
                yield await this.load(tuple, blobs);
            }
            remaining -= page.tuples.length;
            cursor = page.next;
            if (!cursor) {
                return;
            }
        }
    }

    async put(config, checkpoint, metadata, newVersions) {
        const { ns, id: parent } = this.place(config);
        const all = metadataOf(config, metadata);
        const serialized = promiseIfFailed(() =>
            this.serialize(ns, parent, checkpoint, all, newVersions ?? checkpoint.channel_versions));
        const written = this.add("checkpoint/put", serialized);
        if (written) {
            this.store(ns, checkpoint.id, written);
        }
        this.newest = undefined;
        this.heads.put(ns, parent, checkpoint, all);
        await (this.deferred ? serialized : written);
        return this.heads.configOf(ns, checkpoint.id);
    }

    serialize(ns, parent, checkpoint, metadata, newVersions) {
        return whenKnown(this.smallValues.split(ns, checkpoint, newVersions), (split) =>
            paramsOf(ns, parent, checkpoint, metadata, split));
    }

    async putWrites(config, writes, task, path = "") {
        const { ns, id } = this.place(config);
        if (!id) {
            throw new Error('A write needs "checkpoint_id" in "configurable".');
        }
        const indexed = writes.map(([channel, value], index) => [SPECIAL_WRITES[channel] ?? index, channel, value]);
        this.heads.putWrites(ns, id, task, path, indexed);
        const serialized = promiseIfFailed(() => this.serializeWrites({ ns, id, task, path }, indexed));
        const written = this.add("checkpoint/putWrites", serialized);
        await (this.deferred ? serialized : written);
    }

    serializeWrites(params, writes) {
        return whenAllKnown(writes.map(([, , value]) => this.serializer.dump(value)), (dumped) => ({
            bytes: dumped.reduce((sum, [, value]) => sum + value.length + OVERHEAD_BYTES, params.path.length),
            params: (values) => membersOf({
                ...params,
                writes: writes.map(([index, channel], i) => [index, channel, dumped[i][0], values.add(...dumped[i])]),
            }),
        }));
    }

    /** Adds a request to the next batch; returns a promise of its response if the graph waits for it. */
    add(method, serialized) {
        const written = this.batches.add(method, serialized);
        if (written) {
            this.requests.track(written).catch(() => {});
        }
        return written;
    }

    async delete(thread) {
        if (thread !== this.thread) {
            throw foreign(thread);
        }
        this.heads.clear();
        await this.batches.flush();
        await this.requests.write("checkpoint/delete", "");
    }

    /** Returns whether the run has called the checkpointer for the namespace. */
    knows(ns) {
        return this.namespaces.has(ns);
    }

    /** Returns a promise that the checkpoint is stored; LangGraph may pass it to the saver later than it names it. */
    acknowledged(ns, id) {
        return this.entry(ns, id).promise;
    }

    store(ns, id, written) {
        this.entry(ns, id).resolve(written);
    }

    entry(ns, id) {
        const key = `${ns}\0${id}`;
        if (!this.stored.has(key)) {
            let resolve;
            const promise = new Promise((fulfil) => {
                resolve = fulfil;
            });
            promise.catch(() => {});
            this.stored.set(key, { promise, resolve });
        }
        return this.stored.get(key);
    }

    /** Lets the state at the end of the run use the checkpoints in memory. */
    end() {
        this.ended = true;
    }

    /** Returns namespace and checkpoint of the configuration, which must name the thread of the run. */
    place(config) {
        const { thread_id: thread, checkpoint_ns: ns = "", checkpoint_id: id } = config.configurable ?? {};
        if (thread !== this.thread) {
            throw foreign(thread);
        }
        this.namespaces.add(ns);
        return { ns, id: id || undefined };
    }

    async load({ ns, id, parent_id: parent, checkpoint, metadata, versions, writes, blobs }, page) {
        this.store(ns, id);
        const own = blobsOf(blobs);
        const found = Object.entries(versions)
            .map(([name, version]) => [name, own.get(`${name}\0${version}`) ?? page.get(`${name}\0${version}`)])
            .filter(([, blob]) => blob && blob[0] !== "empty");
        const [body, values, written] = await Promise.all([
            this.loadCheckpoint(checkpoint),
            Promise.all(found.map(([, blob]) => this.loadValue(blob))),
            Promise.all(writes.map(([, , , type, value]) => this.loadValue([type, value]))),
        ]);
        const pendingWrites = writes.map(([task, , name], index) => [task, name, written[index]]);
        this.smallValues.read(ns, versions, body.channel_values);
        return {
            config: this.heads.configOf(ns, id),
            checkpoint: { ...body, channel_values: { ...body.channel_values, ...Object.fromEntries(found.map(([name], i) => [name, values[i]])) } },
            metadata,
            pendingWrites: this.continued ? withoutUsedAnswer(pendingWrites) : pendingWrites,
            ...(parent ? { parentConfig: this.heads.configOf(ns, parent) } : {}),
        };
    }

    loadCheckpoint([type, value]) {
        return whenKnown(this.fetch(value), (data) => this.serializer.loadCheckpoint(type, data));
    }

    loadValue([type, value]) {
        return whenKnown(this.fetch(value), (data) => this.serializer.load(type, data));
    }

    fetch(value) {
        return typeof value === "string" ? value : this.requests.fetchValue(value);
    }
}

/** Returns the size of the params of a checkpoint, and a function that returns them with values added to a message. */
function paramsOf(ns, parent, checkpoint, metadata, { body: [type, body], blobs }) {
    const metadataText = plainJson(metadata) ?? JSON.stringify(metadata, toJson);
    const versions = Object.entries(checkpoint.channel_versions).map(([channel, version]) => [channel, String(version)]);
    return {
        bytes: blobs.reduce((sum, [, , , value]) => sum + value.length + OVERHEAD_BYTES,
            body.length + metadataText.length + versions.length * OVERHEAD_BYTES),
        params: (values) => membersOf({
            ns,
            id: checkpoint.id,
            parent_id: parent ?? null,
            checkpoint: [type, values.add(type, body)],
            versions: Object.fromEntries(versions),
            blobs: blobs.map(([channel, version, kind, value]) => [channel, version, kind, values.add(kind, value)]),
        }) + `,"metadata":${metadataText}`,
    };
}

/**
 * Returns the writes without an answer to an interrupt that a task has already received: a run that continues would give it to
 * the task's next interrupt.
 */
function withoutUsedAnswer(writes) {
    const received = writes.filter(([task, channel]) => task !== NO_TASK && channel === "__resume__");
    const used = new Set(received.map(([, , answers]) => JSON.stringify([answers].flat(1).at(-1))));
    return writes.filter(([task, channel, answer]) =>
        task !== NO_TASK || channel !== "__resume__" || !used.has(JSON.stringify(answer)));
}

function blobsOf(blobs = []) {
    return new Map(blobs.map(([channel, version, type, value]) => [`${channel}\0${version}`, [type, value]]));
}

const foreign = (thread) => new Error(thread === undefined
    ? 'A checkpoint needs "thread_id" in "configurable".'
    : `The run can only use checkpoints of its own thread, not of "${thread}".`);

/** Returns the metadata of a checkpoint: with the run's metadata and with members of configurable that are plain values. */
function metadataOf({ configurable, metadata: runMetadata }, metadata) {
    const all = { ...configurable, ...runMetadata };
    const plain = {};
    for (const name of Object.keys(all)) {
        if (!name.startsWith("__") && !name.startsWith("checkpoint_") && isPlain(all[name])) {
            plain[name] = all[name];
        }
    }
    return Object.assign(plain, metadata);
}

function isPlain(value) {
    if (value === null || typeof value !== "object") {
        return ["string", "number", "boolean"].includes(typeof value) || value === null;
    }
    const prototype = Object.getPrototypeOf(value);
    return Array.isArray(value) ? value.every(isPlain) : prototype === Object.prototype && Object.values(value).every(isPlain);
}
