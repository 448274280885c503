// The worker's standard input and output: one protocol message per line.
import { chunkType } from "./messages.mjs";

// Output of the agent goes to standard error, which is logged; standard output is reserved for the protocol.
const protocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
for (const level of ["log", "info", "debug"]) {
    console[level] = console.error;
}

export function send(message) {
    sendLine(lineOf(message));
}

/** Returns the line of the message. */
export function lineOf(message) {
    return JSON.stringify({ jsonrpc: "2.0", ...message }, toJson);
}

/** Returns the members of an object as JSON, without its braces. */
export const membersOf = (object, replacer) => JSON.stringify(object, replacer).slice(1, -1);

// Lines of one iteration of the event loop, such as chunks of a message that arrived in one packet, are written together.
const MAX_BUFFER_LENGTH = 16 << 10;
const MAX_BUFFER_MILLIS = 2;
// Of a UTF-16 unit in UTF-8.
const MAX_UNIT_BYTES = 3;
let buffer = "";
let bufferedSince = 0;

export function sendLine(line) {
    if (buffer === "") {
        bufferedSince = performance.now();
        setImmediate(flush);
    }
    buffer += line + "\n";
    // An iteration can be long.
    if (buffer.length >= MAX_BUFFER_LENGTH || performance.now() - bufferedSince >= MAX_BUFFER_MILLIS) {
        flush();
    }
}

/** Sends the line and returns its bytes. */
export function sendCounted(line) {
    sendLine(line);
    return Buffer.byteLength(line);
}

/** Returns whether the text has at most this number of bytes; does not count them if it is short. */
export const fits = (text, maxBytes) => text.length * MAX_UNIT_BYTES <= maxBytes || Buffer.byteLength(text) <= maxBytes;

function flush() {
    if (buffer !== "") {
        const lines = buffer;
        buffer = "";
        protocol(lines);
    }
}
process.on("exit", flush);

/** Converts messages of LangChain to plain objects; returns other values unchanged. */
function toPlainMessage(value) {
    if (value === null || typeof value !== "object" || typeof value.toDict !== "function") {
        return value;
    }
    const { type, data } = value.toDict();
    return { ...data, type };
}

/** Converts a streamed message; chunks retain the type of a chunk. */
export function toChunk(value) {
    const message = toPlainMessage(value);
    const type = message === value ? undefined : chunkType(value);
    return type ? { ...message, type } : message;
}

/** Replacer for JSON.stringify; uses the raw value, to which toJSON was already applied. */
export function toJson(key, value) {
    const raw = this[key];
    const message = toPlainMessage(raw);
    return message !== raw ? message : typeof value === "bigint" ? String(value) : value;
}

/** Limits from the runtime's initialize message, in bytes. */
export const limits = { line: 4 << 20, part: 256 << 10, window: 8 << 20 };

/** What the runtime accepts besides the requests of version 2. */
export const features = { checkpointBatch: false, checkpointLast: false, sameValues: false };

/** Takes the limits of the runtime. */
export function setLimits({ line_bytes: line, part_bytes: part, window_bytes: window } = {}) {
    limits.line = line ?? limits.line;
    limits.part = part ?? limits.part;
    limits.window = window ?? limits.window;
}
