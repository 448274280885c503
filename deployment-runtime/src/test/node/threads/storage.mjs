// The storage of threads in memory, as the protocol describes it. It rejects what the runtime would reject.
import { createHash } from "node:crypto";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An error of the runtime. */
export class StorageError extends Error {
    constructor(code, error, message = error) {
        super(message);
        this.code = code;
        this.error = error;
    }
}

/** Checkpoints of one thread. */
export class ThreadStorage {
    constructor() {
        this.checkpoints = new Map();
        this.blobs = new Map();
        this.writes = new Map();
    }

    put({ ns, id, parent_id: parent, checkpoint, metadata, versions, blobs }, run) {
        if (!UUID.test(id) || (parent && !UUID.test(parent))) {
            throw new StorageError(-32602, undefined, `"${id}" or its parent "${parent}" is no UUID`);
        }
        for (const [channel, version, type, bytes] of blobs) {
            const key = JSON.stringify([ns, channel, version]);
            if (!this.blobs.has(key)) {
                this.blobs.set(key, { type, bytes });
            }
        }
        this.checkpoints.set(JSON.stringify([ns, id]), { ns, id, parent, checkpoint, metadata, versions, run });
    }

    putWrites({ ns, id, task, path, writes }) {
        const key = JSON.stringify([ns, id]);
        const all = this.writes.get(key) ?? new Map();
        this.writes.set(key, all);
        for (const [index, channel, type, bytes] of writes) {
            const name = JSON.stringify([task, index]);
            if (index < 0 || !all.has(name)) {
                all.set(name, { path, task, index, channel, type, bytes });
            }
        }
    }

    get({ ns, id }) {
        const key = id ?? this.ids((one) => one.ns === ns).at(0)?.id;
        return key === undefined ? undefined : this.checkpoints.get(JSON.stringify([ns, key]));
    }

    ids(condition) {
        return [...this.checkpoints.values()].filter(condition).sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
    }

    list({ ns, id, before, limit, filter = {} }) {
        const matches = this.ids((one) => (ns === undefined || one.ns === ns)
            && (!id || one.id === id) && (!before || one.id < before)
            && Object.entries(filter).every(([name, value]) => JSON.stringify(one.metadata[name]) === JSON.stringify(value)));
        const page = matches.slice(0, limit);
        return { page, next: page.length < matches.length ? page.at(-1).id : null };
    }

    blobsOf({ ns, versions }) {
        return Object.entries(versions).flatMap(([channel, version]) => {
            const blob = this.blobs.get(JSON.stringify([ns, channel, version]));
            return blob ? [{ channel, version, ...blob }] : [];
        });
    }

    writesOf({ ns, id }) {
        const all = [...(this.writes.get(JSON.stringify([ns, id]))?.values() ?? [])];
        const order = ({ path, task, index }) => [path, task, String(index + 10).padStart(8, "0")].join("\0");
        return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    }

    /** Deletes what one run has stored. */
    rollback(run) {
        for (const [key, checkpoint] of this.checkpoints) {
            if (checkpoint.run === run) {
                this.checkpoints.delete(key);
            }
        }
    }
}

/** Items of the store. */
export class ItemStorage {
    constructor() {
        this.items = new Map();
    }

    batch(operations) {
        const results = operations.map((operation) => (operation.op === "put" ? null : this.read(operation)));
        operations.filter(({ op }) => op === "put").forEach((operation) => this.put(operation));
        return results;
    }

    put({ ns, key, value }) {
        const name = JSON.stringify([ns, key]);
        const now = new Date().toISOString();
        if (value === null) {
            this.items.delete(name);
        } else {
            this.items.set(name, { ns, key, value, created_at: this.items.get(name)?.created_at ?? now, updated_at: now });
        }
    }

    read({ op, ns, key, prefix, filter = {}, limit, offset, match, max_depth: depth }) {
        if (op === "get") {
            return this.items.get(JSON.stringify([ns, key])) ?? null;
        }
        const begins = (labels, path) => path.every((label, i) => label === "*" || label === labels[i]);
        if (op === "search") {
            return [...this.items.values()].filter((item) => begins(item.ns, prefix)
                && Object.entries(filter).every(([name, value]) => item.value[name] === value)).slice(offset, offset + limit);
        }
        const conditions = ({ ns: labels }) => match.every(({ type, path }) =>
            (type === "prefix" ? begins(labels, path) : begins(labels.slice(-path.length), path)));
        const names = [...this.items.values()].filter(conditions).map((item) => JSON.stringify(item.ns.slice(0, depth)));
        return [...new Set(names)].sort().map((name) => JSON.parse(name)).slice(offset, offset + limit);
    }
}

/** Returns a short name of the bytes. */
export const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
