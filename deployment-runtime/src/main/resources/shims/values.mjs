// Values of channels: stored once per version; small ones are part of each checkpoint instead.

const MAX_VALUE_BYTES = 512;
const MAX_TOTAL_BYTES = 2048;
const SIMPLE_TYPES = new Set(["string", "number", "boolean"]);
// Members of a checkpoint that the serializer of LangGraph.js would not change.
const PLAIN_MEMBERS = new Set(["v", "id", "ts", "channel_versions", "versions_seen"]);

/** Serializes values and checkpoints as the serializer of LangGraph.js does, but plain ones without it. */
export class Serializer {
    constructor(serde) {
        this.serde = serde;
    }

    /** Returns type and bytes or text of a value. */
    async dump(value) {
        if (value === null || SIMPLE_TYPES.has(typeof value)) {
            return ["json", JSON.stringify(value)];
        }
        const [type, bytes] = await this.serde.dumpsTyped(value);
        return [type, type === "json" ? textOf(bytes) : bytes];
    }

    /** Returns type and text of a checkpoint without its values, to which the JSON of some values by channel is added. */
    async dumpCheckpoint(checkpoint, values) {
        const isPlain = Object.keys(checkpoint).every((name) => PLAIN_MEMBERS.has(name));
        const [type, text] = isPlain ? ["json", JSON.stringify(checkpoint)] : await this.dump(checkpoint);
        if (values.size === 0) {
            return [type, text];
        }
        const members = [...values].map(([channel, json]) => `${JSON.stringify(channel)}:${json}`);
        return [type, `${text.slice(0, -1)},"channel_values":{${members.join()}}}`];
    }

    /** Returns the value of type and bytes or text. */
    async load(type, data) {
        return this.serde.loadsTyped(type, data);
    }

    /** Returns a checkpoint with the values that are part of it. */
    async loadCheckpoint(type, data) {
        if (type !== "json") {
            return this.load(type, data);
        }
        const { channel_values: values, ...rest } = JSON.parse(data);
        const checkpoint = Object.keys(rest).every((name) => PLAIN_MEMBERS.has(name)) ? rest
            : await this.load(type, JSON.stringify(rest));
        return values === undefined ? checkpoint
            : { ...checkpoint, channel_values: await this.load(type, JSON.stringify(values)) };
    }
}

const textOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

/** Separates the values of the checkpoints of a run. */
export class SmallValues {
    constructor(serializer) {
        this.serializer = serializer;
        // Versions that are part of checkpoints, by namespace, channel and version.
        this.contained = new Set();
    }

    /** Records which values are part of a checkpoint. */
    read(ns, versions, values = {}) {
        for (const channel of Object.keys(values)) {
            this.contained.add(keyOf(ns, channel, versions[channel]));
        }
    }

    /** Returns type and text of the checkpoint with its small values, and other new ones: [channel, version, type, value]. */
    async split(ns, { channel_values: values = {}, ...rest }, newVersions) {
        const included = Object.entries({ ...rest.channel_versions, ...newVersions }).filter(([channel, version]) =>
            values[channel] !== undefined
            && (newVersions[channel] !== undefined || this.contained.has(keyOf(ns, channel, version))));
        const dumped = await Promise.all(included.map(async ([channel, version]) =>
            [channel, String(version), ...(await this.serializer.dump(values[channel]))]));
        const small = new Map();
        const blobs = [];
        let total = 0;
        for (const [channel, version, type, value] of dumped) {
            const size = Buffer.byteLength(value);
            if (type === "json" && size <= MAX_VALUE_BYTES && total + size <= MAX_TOTAL_BYTES) {
                total += size;
                small.set(channel, value);
                this.contained.add(keyOf(ns, channel, version));
            } else {
                this.contained.delete(keyOf(ns, channel, version));
                blobs.push([channel, version, type, value]);
            }
        }
        return { body: await this.serializer.dumpCheckpoint(rest, small), blobs };
    }
}

const keyOf = (ns, channel, version) => `${ns}\0${channel}\0${version}`;
