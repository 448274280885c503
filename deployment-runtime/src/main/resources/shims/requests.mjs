// Requests of the worker to the runtime (docs/worker-protocol.md, version 2), and responses that may be larger than a line.
import { features, fits, limits, membersOf, send, sendCounted, sendLine, toJson } from "./lines.mjs";
import { plainJson } from "./messages.mjs";

const STORAGE_UNAVAILABLE = -32004;
// The run has ended, belongs to another replica, or its thread was deleted.
const LOST = new Set([-32001, -32002, -32005]);
const MAX_RETRIES = 5;
const INITIAL_BACKOFF_MILLIS = 100;
const MAX_BACKOFF_MILLIS = 5000;
const CANCELLATION_MILLIS = 10_000;
/** Serialized types that the runtime sends as text. */
export const TEXT_TYPES = ["json"];

const pending = new Map();
let lastId = 0;

/** An error that the runtime responded with. */
export class RuntimeError extends Error {
    constructor({ code, message, data }) {
        super(message);
        this.code = code;
        this.name = data?.error ?? "RuntimeError";
        this.retryAfter = data?.retry_after_ms;
    }
}

/** Passes a response of the runtime to the request that waits for it. */
export function receive({ id, result, error }) {
    const request = pending.get(id);
    pending.delete(id);
    if (error) {
        request?.reject(new RuntimeError(error));
    } else {
        request?.resolve(result);
    }
}

/** Creates a request with the members of its params as JSON; its send method returns the length of the line and a promise of the response. */
function requestOf(method, params) {
    const id = ++lastId;
    const line = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}}}`;
    return {
        send() {
            const response = new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
            return { response, bytes: sendCounted(line) };
        },
    };
}

// Equal values are found among this number of the last values of a message, and from this length.
const MAX_COMPARED = 16;
const MIN_SAME_LENGTH = 256;
// The runtime accepts 1 MiB; of UTF-16 units, of which each may have three bytes.
const MAX_REPEATED_LENGTH = (1 << 20) / 3;

/** Collects the values of one message: large ones are sent in parts before it, equal ones once. */
export class Values {
    constructor() {
        this.parts = [];
        this.total = 0;
        this.inline = 0;
        this.count = 0;
        this.compared = [];
        this.repeated = 0;
    }

    /** Returns the form of a serialized value, bytes or text, in the message. Values are added in the order of the message. */
    add(type, value) {
        const isComparable = features.sameValues && typeof value === "string" && value.length >= MIN_SAME_LENGTH;
        const same = isComparable ? this.compared.find((earlier) => earlier.value === value) : undefined;
        if (same && this.repeated + value.length <= MAX_REPEATED_LENGTH) {
            this.repeated += value.length;
            return { same: same.number };
        }
        if (isComparable) {
            this.compared.push({ number: this.count, value });
            this.compared.splice(0, this.compared.length - MAX_COMPARED);
        }
        this.count++;
        return this.form(type, value);
    }

    form(type, value) {
        const size = Buffer.byteLength(value);
        // Many small values may also exceed a line.
        if (size > limits.part || this.inline + size > limits.line / 4) {
            this.total += size;
            return { part: this.parts.push(typeof value === "string" ? Buffer.from(value) : value) - 1, size };
        }
        this.inline += size;
        if (typeof value === "string") {
            return value;
        }
        const buffer = Buffer.from(value.buffer, value.byteOffset, size);
        return TEXT_TYPES.includes(type) ? buffer.toString() : { base64: buffer.toString("base64") };
    }
}

/** The requests of a run, or of an operation on a thread's state. */
export class Requests {
    /**
     * @param run the name of the run
     * @param fail called with an error that ends the run
     * @param aborted a promise that is rejected when the run is cancelled or fails
     */
    constructor(run, fail, aborted = new Promise(() => {})) {
        this.run = run;
        this.fail = fail;
        this.aborted = aborted;
        this.outstanding = new Set();
        this.unacknowledged = 0;
        this.waiting = [];
        this.parts = Promise.resolve();
        this.lastMessage = 0;
        this.closed = false;
        this.failure = undefined;
        /** Sends the writes that wait for others; the promise ends after the responses. */
        this.flush = () => {};
        /** Returns whether writes wait for others. */
        this.hasWaiting = () => false;
        /** Removes the writes that wait, and returns them as params; undefined if they have to be sent with a response. */
        this.takeWaiting = async () => undefined;
        /** Returns whether too many checkpoints are not stored yet. */
        this.isFull = () => false;
        /** Maximum size of the values of a line. */
        this.maxLength = limits.line / 2;
    }

    /** Sends a request that reads; retries while the storage is unavailable. */
    read(method, params) {
        return this.track(this.retry(() => requestOf(method, membersOf({ run: this.run, ...params }, toJson)).send().response));
    }

    /**
     * Sends a request that writes, as soon as the window has room for it; retries while the storage is unavailable.
     * @param params members of the params as JSON
     */
    async write(method, params, values = new Values()) {
        if (this.failure) {
            throw this.failure;
        }
        const send = values.parts.length > 0 ? this.writeParts : this.writeLine;
        return this.track(this.retry(() => send.call(this, method, params, values)));
    }

    /** Ends the run because a checkpoint is not stored: later writes would refer to what is missing. */
    abandon(error) {
        this.failure ??= error;
        this.fail(error);
    }

    async retry(request) {
        for (let attempt = 0; ; attempt++) {
            if (this.closed) {
                throw new RuntimeError({ code: -32001, message: "The run has ended.", data: { error: "RunEnded" } });
            }
            try {
                return await request();
            } catch (error) {
                if (LOST.has(error.code)) {
                    this.fail(error);
                }
                if (error.code !== STORAGE_UNAVAILABLE || attempt >= MAX_RETRIES) {
                    throw error;
                }
                const backoff = Math.min(INITIAL_BACKOFF_MILLIS * 2 ** attempt, MAX_BACKOFF_MILLIS);
                await new Promise((wake) => setTimeout(wake, error.retryAfter ?? backoff));
            }
        }
    }

    track(request) {
        const settled = request.then(() => {}, () => {}).finally(() => this.outstanding.delete(settled));
        this.outstanding.add(settled);
        return request;
    }

    writeLine(method, params) {
        return new Promise((resolve, reject) => {
            const request = requestOf(method, `"run":"${this.run}"${params && `,${params}`}`);
            this.waiting.push(() => {
                const { response, bytes } = request.send();
                this.unacknowledged += bytes;
                response.then(resolve, reject).then(() => {
                    this.unacknowledged -= bytes;
                    this.sendWaiting();
                });
            });
            this.sendWaiting();
        });
    }

    sendWaiting() {
        while (this.waiting.length > 0 && this.unacknowledged < limits.window) {
            this.waiting.shift()();
        }
    }

    /** Sends the parts of the message, then the message; one such message of the run at a time. */
    writeParts(method, params, values) {
        const written = this.parts.then(async () => {
            const message = ++this.lastMessage;
            for (const [part, bytes] of values.parts.entries()) {
                const params = { message, total: values.total, part, size: bytes.length };
                for (let offset = 0; offset < bytes.length; offset += limits.part) {
                    const piece = Buffer.from(bytes.subarray(offset, offset + limits.part)).toString("base64");
                    await this.part("blob/part", { ...params, value: { base64: piece } });
                }
            }
            return this.writeLine(method, `"message":${message},${params}`);
        });
        this.parts = written.then(() => {}, () => {});
        return written;
    }

    part(method, params) {
        return requestOf(method, membersOf({ run: this.run, ...params })).send().response;
    }

    /** Returns a value of the runtime: text, or bytes. */
    async fetchValue(value) {
        if (typeof value === "string") {
            return value;
        }
        if (value.base64 !== undefined) {
            return Buffer.from(value.base64, "base64");
        }
        const pieces = [];
        for (let offset = 0; offset < value.size; offset += pieces.at(-1).length) {
            const piece = await this.read("blob/read", { ref: value.ref, offset });
            pieces.push(Buffer.from(piece.value.base64, "base64"));
            if (pieces.at(-1).length === 0) {
                throw new Error(`the runtime returned ${offset} instead of ${value.size} bytes of the value ${value.ref}`);
            }
        }
        return Buffer.concat(pieces);
    }

    /** Responds to a request of the runtime; a result above half a line is sent in parts before. */
    async respond(id, result) {
        const text = plainJson(result) ?? JSON.stringify(result, toJson);
        if (fits(text, limits.line / 2)) {
            sendLine(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
            return;
        }
        const pieces = piecesOf(text);
        const total = Buffer.byteLength(text);
        await this.parts;
        for (const [part, piece] of pieces.entries()) {
            await this.part("result/part", { request: id, part, total, text: piece });
        }
        send({ id, result: { parts: pieces.length } });
    }

    /** Completes the writes of a successful run: those that wait are stored with its end if they are few, otherwise now. */
    async complete(signal) {
        const last = features.checkpointLast && this.outstanding.size === 0 ? await this.takeWaiting() : undefined;
        if (last === undefined) {
            await this.settled(signal);
            signal.throwIfAborted();
        } else if (last !== "") {
            sendLine(`{"jsonrpc":"2.0","method":"checkpoint/last","params":{"run":"${this.run}",${last}}}`);
        }
    }

    /**
     * Waits for the responses to all requests of the run, but not longer than some time after its cancellation.
     * @param keepsWaiting whether writes that wait for others are not sent
     */
    async settled(signal, keepsWaiting = false) {
        if (this.isSettled(keepsWaiting)) {
            return;
        }
        let expired = false;
        let timer;
        const timeout = new Promise((resolve) => {
            const begin = () => {
                timer = setTimeout(() => resolve(expired = true), CANCELLATION_MILLIS);
            };
            if (signal.aborted) {
                begin();
            } else {
                signal.addEventListener("abort", begin, { once: true });
            }
        });
        // A response may cause another request.
        while (!this.isSettled(keepsWaiting) && !expired) {
            await Promise.race([Promise.all([...this.outstanding, keepsWaiting ? undefined : this.flush()]), timeout]);
        }
        clearTimeout(timer);
    }

    /** Returns whether all requests have responses. */
    isSettled(keepsWaiting = false) {
        return this.outstanding.size === 0 && (keepsWaiting || !this.hasWaiting());
    }

    /** Waits while the runtime stores checkpoints more slowly than the graph makes them. */
    async room() {
        if (this.isFull()) {
            await Promise.race([this.flush(), this.aborted.catch(() => {})]);
        }
    }

    /** Ends retries; later requests fail. */
    close() {
        this.closed = true;
    }
}

/** Splits the text into pieces of at most the size of a part, without splitting a character. */
function piecesOf(text) {
    const pieces = [];
    for (let start = 0; start < text.length; start += pieces.at(-1).length) {
        // A unit of UTF-16 has at most three bytes.
        const end = start + Math.max(2, Math.floor(limits.part / 3));
        const splitsPair = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) < 0xdc00;
        pieces.push(text.slice(start, splitsPair ? end - 1 : end));
    }
    return pieces;
}
