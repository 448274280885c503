// Sends the checkpoints and writes of a run in batches (docs/worker-protocol-threads.md).
import { features, fits, limits } from "./lines.mjs";
import { Values } from "./requests.mjs";

// A checkpoint that nothing waits for is lost if the process is killed during this time.
const DELAY_MILLIS = 100;
const MAX_BYTES = 256 << 10;
// Of the last checkpoints of a run; the runtime accepts a line of twice this size.
const MAX_LAST_BYTES = 128 << 10;
// Requests without a response, besides the bytes of the runtime's window, beyond which the graph waits.
const MAX_UNSTORED = 1000;

const delayed = new Set();
let timer;

/** Sends the batches of all runs together, so that the runtime stores them together. */
function sendLater(batches) {
    delayed.add(batches);
    timer ??= setTimeout(() => {
        timer = undefined;
        const due = [...delayed];
        delayed.clear();
        due.forEach((one) => one.flush());
    }, DELAY_MILLIS);
}

/**
 * The requests of a run that write checkpoints, in their order. A batch is sent after the response to the one before: otherwise
 * a checkpoint could be stored although an earlier one, whose values it refers to, was not.
 */
export class Batches {
    /** @param deferred whether requests may wait for later ones, because nothing waits for their responses */
    constructor(requests, deferred) {
        this.requests = requests;
        this.deferred = deferred;
        this.waiting = [];
        this.bytes = 0;
        this.unstoredBytes = 0;
        this.sent = Promise.resolve();
        this.scheduled = undefined;
        requests.flush = () => this.flush();
        requests.hasWaiting = () => this.waiting.length > 0;
        requests.takeWaiting = () => this.takeWaiting();
        requests.isFull = () => this.waiting.length > MAX_UNSTORED || this.unstoredBytes > limits.window;
    }

    /**
     * Adds a request.
     * @param serialized the size of the params and a function that adds their values to a message and returns their members as
     *     JSON, or a promise of them
     * @returns a promise of the response; undefined if requests may wait for later ones
     */
    add(method, serialized) {
        const request = { method, serialized, bytes: 0 };
        this.waiting.push(request);
        if (this.deferred) {
            sendLater(this);
        }
        if (serialized instanceof Promise) {
            serialized.then(({ bytes }) => this.addBytes(request, bytes), () => {});
        } else {
            this.addBytes(request, serialized.bytes);
        }
        if (this.deferred) {
            return undefined;
        }
        this.scheduled ??= setImmediate(() => this.flush());
        return new Promise((resolve, reject) => Object.assign(request, { resolve, reject }));
    }

    addBytes(request, bytes) {
        request.bytes = bytes;
        this.unstoredBytes += bytes;
        this.bytes += bytes;
        if (this.deferred && this.bytes > MAX_BYTES) {
            this.flush();
        }
    }

    /** Sends the requests that wait; the promise ends after the responses. */
    flush() {
        delayed.delete(this);
        clearImmediate(this.scheduled);
        this.scheduled = undefined;
        this.bytes = 0;
        this.sent = this.sent.then(() => this.sendWaiting());
        return this.sent;
    }

    /** Sends the requests that wait now; they wait until they have a response. A failure ends the run. */
    async sendWaiting() {
        for (let remaining = this.waiting.length; remaining > 0;) {
            const batch = await this.next(remaining);
            remaining -= batch.length;
            try {
                const result = await this.send(batch);
                batch.forEach(({ resolve }) => resolve?.(result));
            } catch (error) {
                this.requests.abandon(error);
                batch.forEach(({ reject }) => reject?.(error));
            }
            this.waiting.splice(0, batch.length);
            this.unstoredBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
        }
    }

    /** Removes the requests that wait and returns them as params; undefined if they do not fit into a line. */
    async takeWaiting() {
        delayed.delete(this);
        await this.sent;
        if (!this.deferred || this.requests.failure) {
            return undefined;
        }
        const values = new Values();
        const params = await operationsOf(this.waiting, values).catch(() => undefined);
        if (params === undefined || values.parts.length > 0 || !fits(params, MAX_LAST_BYTES)) {
            return undefined;
        }
        const isEmpty = this.waiting.length === 0;
        this.waiting = [];
        this.unstoredBytes = 0;
        return isEmpty ? "" : params;
    }

    /** Returns requests that fit into a line, at least one; a request that cannot be serialized is alone. */
    async next(remaining) {
        const batch = [];
        const max = features.checkpointBatch ? Math.min(MAX_BYTES, limits.line / 8) : 0;
        let total = 0;
        for (const request of this.waiting.slice(0, remaining)) {
            const { serialized } = request;
            const failed = () => ({ bytes: Infinity });
            const { bytes } = serialized instanceof Promise ? await serialized.catch(failed) : serialized;
            total += bytes;
            if (batch.length > 0 && total > max) {
                break;
            }
            batch.push(request);
        }
        return batch;
    }

    async send(batch) {
        const values = new Values();
        if (batch.length > 1) {
            return this.requests.write("checkpoint/batch", await operationsOf(batch, values), values);
        }
        const [{ method, serialized }] = batch;
        return this.requests.write(method, (await serialized).params(values), values);
    }
}

/** Returns requests as members of the params of a batch. */
async function operationsOf(requests, values) {
    const operations = [];
    for (const { method, serialized } of requests) {
        const known = serialized instanceof Promise ? await serialized : serialized;
        operations.push(`{"method":"${method}",${known.params(values)}}`);
    }
    return `"operations":[${operations.join()}]`;
}
