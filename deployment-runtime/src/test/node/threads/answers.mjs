// The runtime's answers to the requests of a worker, from threads in memory.
import { ItemStorage, StorageError, ThreadStorage, digest } from "./storage.mjs";

const TEXT_TYPES = ["json"];

/** Answers requests of version 2 of the protocol. */
export class Answers {
    constructor(limits) {
        this.limits = limits;
        this.threads = new Map();
        this.items = new ItemStorage();
        this.references = new Map();
    }

    answer(method, params, run) {
        const thread = run.thread && this.threadOf(run.thread);
        if (run.readOnly && ["checkpoint/put", "checkpoint/putWrites", "checkpoint/delete"].includes(method)) {
            throw new StorageError(-32001, "RunEnded");
        }
        const bytes = (value) => this.bytes(value, params, run);
        switch (method) {
            case "checkpoint/put":
                thread.put({
                    ...params,
                    checkpoint: [params.checkpoint[0], bytes(params.checkpoint[1])],
                    blobs: params.blobs.map(([channel, version, type, value]) => [channel, version, type, bytes(value)]),
                }, params.run);
                return {};
            case "checkpoint/putWrites":
                thread.putWrites({
                    ...params,
                    writes: params.writes.map(([index, channel, type, value]) => [index, channel, type, bytes(value)]),
                });
                return {};
            case "checkpoint/get": {
                const found = thread.get(params);
                return found ? this.tuple(thread, found) : null;
            }
            case "checkpoint/list":
                return this.page(thread, params);
            case "checkpoint/delete":
                this.threads.delete(run.thread);
                return {};
            case "blob/part":
                return this.part(params, run);
            case "blob/read":
                return this.blob(params);
            case "result/part":
                return {};
            case "store/batch":
                return this.items.batch(params.operations).map((result) => this.item(result));
            default:
                throw new StorageError(-32601, undefined, `unknown method ${method}`);
        }
    }

    part({ message, part, size, value }, run) {
        const key = `${message}/${part}`;
        const bytes = Buffer.concat([run.parts.get(key) ?? Buffer.alloc(0), Buffer.from(value.base64, "base64")]);
        if (bytes.length > size || value.base64.length > this.limits.part_bytes * 4 / 3 + 4) {
            throw new StorageError(-32602, undefined, `the part ${key} has ${bytes.length} instead of ${size} bytes`);
        }
        run.parts.set(key, bytes);
        return {};
    }

    bytes(value, { message }, run) {
        if (value === null) {
            return null;
        }
        if (typeof value === "string") {
            return Buffer.from(value);
        }
        if (value.part !== undefined) {
            const bytes = run.parts.get(`${message}/${value.part}`);
            if (bytes?.length !== value.size) {
                throw new StorageError(-32602, undefined, `the value has ${bytes?.length} instead of ${value.size} bytes`);
            }
            return bytes;
        }
        return Buffer.from(value.base64, "base64");
    }

    form(type, bytes) {
        if (bytes === null) {
            return null;
        }
        if (bytes.length > this.limits.part_bytes) {
            const ref = digest(bytes);
            this.references.set(ref, bytes);
            return { ref, size: bytes.length };
        }
        return TEXT_TYPES.includes(type) ? bytes.toString() : { base64: bytes.toString("base64") };
    }

    /** Returns the result of an operation on the store, with references instead of large values. */
    item(result) {
        if (Array.isArray(result)) {
            return result.map((one) => this.item(one));
        }
        const bytes = Buffer.from(JSON.stringify(result?.value ?? null));
        if (bytes.length <= this.limits.part_bytes) {
            return result;
        }
        const { value: _value, ...item } = result;
        return { ...item, value_ref: this.form("json", bytes) };
    }

    blob({ ref, offset }) {
        const bytes = this.references.get(ref).subarray(offset, offset + this.limits.part_bytes);
        return { value: { base64: bytes.toString("base64") } };
    }

    tuple(thread, found, blobs = thread.blobsOf(found)) {
        const { ns, id, parent, checkpoint: [type, body], metadata, versions } = found;
        return {
            ns, id, parent_id: parent ?? null,
            checkpoint: [type, this.form(type, body)],
            metadata, versions,
            blobs: blobs.map(({ channel, version, type: kind, bytes }) => [channel, version, kind, this.form(kind, bytes)]),
            writes: thread.writesOf(found).map(({ task, index, channel, type: kind, bytes }) =>
                [task, index, channel, kind, this.form(kind, bytes)]),
        };
    }

    page(thread, params) {
        const { page, next } = thread.list({ ...params, limit: Math.min(params.limit, 100) });
        const all = page.flatMap((found) => thread.blobsOf(found));
        const blobs = new Map(all.map((blob) => [`${blob.channel} ${blob.version}`, blob]));
        return {
            tuples: page.map((found) => this.tuple(thread, found, [])),
            blobs: [...blobs.values()].map(({ channel, version, type, bytes }) =>
                [channel, version, type, this.form(type, bytes)]),
            next,
        };
    }

    threadOf(id) {
        if (!this.threads.has(id)) {
            this.threads.set(id, new ThreadStorage());
        }
        return this.threads.get(id);
    }
}
