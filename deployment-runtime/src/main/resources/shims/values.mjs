// Values of channels: stored once per version; small ones may be part of each checkpoint instead.

const MAX_VALUE_BYTES = 512;
const MAX_TOTAL_BYTES = 2048;

/** Separates the values of the checkpoints of a run. */
export class SmallValues {
    /** The release before reads no values of checkpoints, so they are only written (contain) from the next release on. */
    constructor(serde, contain = false) {
        this.serde = serde;
        this.contain = contain;
        // Versions that are part of checkpoints, by namespace, channel and version.
        this.contained = new Set();
    }

    /** Records which values are part of a checkpoint. */
    read(ns, versions, values = {}) {
        for (const channel of Object.keys(values)) {
            this.contained.add(keyOf(ns, channel, versions[channel]));
        }
    }

    /** Returns the checkpoint with its small values, and the other new ones: [channel, version, type, bytes]. */
    async split(ns, { channel_values: values = {}, ...rest }, newVersions) {
        const included = Object.entries({ ...rest.channel_versions, ...newVersions }).filter(([channel, version]) =>
            values[channel] !== undefined
            && (newVersions[channel] !== undefined || this.contained.has(keyOf(ns, channel, version))));
        const dumped = await Promise.all(included.map(async ([channel, version]) =>
            [channel, String(version), ...(await this.serde.dumpsTyped(values[channel]))]));
        const small = {};
        const blobs = [];
        let total = 0;
        for (const [channel, version, type, bytes] of dumped) {
            if (this.contain && type === "json" && bytes.length <= MAX_VALUE_BYTES && total + bytes.length <= MAX_TOTAL_BYTES) {
                total += bytes.length;
                small[channel] = values[channel];
                this.contained.add(keyOf(ns, channel, version));
            } else {
                this.contained.delete(keyOf(ns, channel, version));
                blobs.push([channel, version, type, bytes]);
            }
        }
        return { body: total > 0 ? { ...rest, channel_values: small } : rest, blobs };
    }
}

const keyOf = (ns, channel, version) => `${ns}\0${channel}\0${version}`;
