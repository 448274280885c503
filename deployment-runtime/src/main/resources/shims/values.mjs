// Values of channels: stored once per version; small ones are part of each checkpoint instead.
import { ValueReader, isPlainJson, serializedJson } from "./messages.mjs";

const MAX_VALUE_BYTES = 512;
const MAX_TOTAL_BYTES = 2048;
// Members of a checkpoint that the serializer of LangGraph.js would not change.
const PLAIN_MEMBERS = new Set(["v", "id", "ts", "channel_versions", "versions_seen"]);

/** Returns the result for the value, or a promise of it if the value is one. */
export const whenKnown = (value, use) => (value instanceof Promise ? value.then(use) : use(value));

/** Returns the result for all values, or a promise of it if one of them is a promise. */
export function whenAllKnown(values, use) {
    return values.some((value) => value instanceof Promise) ? Promise.all(values).then(use) : use(values);
}

/** Returns the result of the call, or a rejected promise of it. */
export function promiseIfFailed(call) {
    try {
        return call();
    } catch (error) {
        return Promise.reject(error);
    }
}

/** Serializes values and checkpoints as the serializer of LangGraph.js does, but most of them without it. */
export class Serializer {
    constructor(serde) {
        this.serde = serde;
        this.reader = new ValueReader((text) => serde.loadsTyped("json", text));
    }

    /** Returns type and bytes or text of a value, or a promise of them. */
    dump(value) {
        const text = serializedJson(value);
        return text === undefined ? this.dumpSlowly(value) : ["json", text];
    }

    async dumpSlowly(value) {
        const [type, bytes] = await this.serde.dumpsTyped(value);
        return [type, type === "json" ? textOf(bytes) : bytes];
    }

    /** Returns type and text of a checkpoint without its values, to which the JSON of some values by channel is added. */
    dumpCheckpoint(checkpoint, values) {
        const isPlain = Object.keys(checkpoint).every((name) => PLAIN_MEMBERS.has(name));
        return whenKnown(isPlain ? ["json", JSON.stringify(checkpoint)] : this.dump(checkpoint), ([type, text]) => {
            if (values.size === 0) {
                return [type, text];
            }
            const members = [...values].map(([channel, json]) => `${JSON.stringify(channel)}:${json}`);
            return [type, `${text.slice(0, -1)},"channel_values":{${members.join()}}}`];
        });
    }

    /** Returns the value of type and bytes or text, or a promise of it. */
    load(type, data) {
        return type === "json" && typeof data === "string" ? this.reader.read(data) : this.serde.loadsTyped(type, data);
    }

    /** Returns a checkpoint with the values that are part of it, or a promise of it. */
    loadCheckpoint(type, data) {
        if (type !== "json") {
            return this.load(type, data);
        }
        if (isPlainJson(data)) {
            return JSON.parse(data);
        }
        const { channel_values: values, ...rest } = JSON.parse(data);
        const isPlain = Object.keys(rest).every((name) => PLAIN_MEMBERS.has(name));
        const checkpoint = isPlain ? rest : this.load(type, JSON.stringify(rest));
        return values === undefined ? checkpoint
            : whenAllKnown([checkpoint, this.load(type, JSON.stringify(values))],
                ([body, loaded]) => ({ ...body, channel_values: loaded }));
    }
}

const textOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

/** Separates the values of the checkpoints of a run. */
export class SmallValues {
    constructor(serializer) {
        this.serializer = serializer;
        // Versions that are part of checkpoints, by namespace, channel and version: their JSON or the value that was read.
        this.contained = new Map();
        // The key of the newest of them that was written, by namespace and channel.
        this.newest = new Map();
    }

    /** Records which values are part of a checkpoint. */
    read(ns, versions, values = {}) {
        for (const [channel, value] of Object.entries(values)) {
            this.contained.set(keyOf(ns, channel, versions[channel]), { value });
        }
    }

    /**
     * Returns type and text of the checkpoint with its small values, and other new ones: [channel, version, type, value]; or a
     * promise of them. A value of a channel that the graph does not have remains part of the checkpoint: the graph may have the
     * channel in another revision of the application.
     */
    split(ns, { channel_values: values = {}, ...rest }, newVersions) {
        const included = [];
        const dumped = [];
        for (const [channel, version] of Object.entries({ ...rest.channel_versions, ...newVersions })) {
            const earlier = this.contained.get(keyOf(ns, channel, version));
            const value = values[channel] === undefined ? earlier?.value : values[channel];
            if (earlier?.text !== undefined) {
                included.push([channel, version]);
                dumped.push(["json", earlier.text]);
            } else if (value !== undefined && (earlier || newVersions[channel] !== undefined)) {
                included.push([channel, version]);
                dumped.push(this.serializer.dump(value));
            }
        }
        return whenAllKnown(dumped, (all) => this.separate(ns, rest, included, all));
    }

    separate(ns, rest, included, dumped) {
        const small = new Map();
        const blobs = [];
        let total = 0;
        for (const [i, [channel, number]] of included.entries()) {
            const version = String(number);
            const [type, value] = dumped[i];
            const size = type === "json" && value.length <= MAX_VALUE_BYTES ? Buffer.byteLength(value) : Infinity;
            if (size <= MAX_VALUE_BYTES && total + size <= MAX_TOTAL_BYTES) {
                total += size;
                small.set(channel, value);
                this.retain(`${ns}\0${channel}`, keyOf(ns, channel, version), value);
            } else {
                this.contained.delete(keyOf(ns, channel, version));
                blobs.push([channel, version, type, value]);
            }
        }
        return whenKnown(this.serializer.dumpCheckpoint(rest, small), (body) => ({ body, blobs }));
    }

    /** Retains the JSON of the newest version of a channel: that of all versions of a long run would use much memory. */
    retain(channel, key, text) {
        const older = this.newest.get(channel);
        if (older !== undefined && older !== key) {
            this.contained.set(older, {});
        }
        this.newest.set(channel, key);
        this.contained.set(key, { text });
    }
}

const keyOf = (ns, channel, version) => `${ns}\0${channel}\0${version}`;
