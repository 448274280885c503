// The worker's side of the pipe: one message of the protocol a line.

// What the agent prints is log; only the protocol goes to standard output.
const protocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
for (const level of ["log", "info", "debug"]) {
    console[level] = console.error;
}

export function send(message) {
    return sendLine(JSON.stringify({ jsonrpc: "2.0", ...message }, plain));
}

// Lines that are made in one turn of the event loop, such as the pieces of an answer that came in one packet, go out together.
const MOST_TOGETHER = 16 << 10;
const LONGEST_TOGETHER_MILLIS = 2;
let together = "";
let since = 0;

export function sendLine(line) {
    if (together === "") {
        since = performance.now();
        setImmediate(flush);
    }
    together += line + "\n";
    // A turn may be long.
    if (together.length >= MOST_TOGETHER || performance.now() - since >= LONGEST_TOGETHER_MILLIS) {
        flush();
    }
    return Buffer.byteLength(line);
}

function flush() {
    if (together !== "") {
        const lines = together;
        together = "";
        protocol(lines);
    }
}
process.on("exit", flush);

/** Messages of LangChain as flat objects, all else as it is. */
function flat(value) {
    if (value === null || typeof value !== "object" || typeof value.toDict !== "function") {
        return value;
    }
    const { type, data } = value.toDict();
    return { ...data, type };
}

/** The same for what is streamed: pieces keep a type of their own, which says that more may come. */
export function piece(value) {
    const message = flat(value);
    const name = message === value ? "" : (value.constructor?.name ?? "");
    return name.endsWith("MessageChunk") ? { ...message, type: name } : message;
}

/** For JSON.stringify, which has asked what it hands on for its own JSON by then. */
export function plain(key, value) {
    const raw = this[key];
    const made = flat(raw);
    return made !== raw ? made : typeof value === "bigint" ? String(value) : value;
}

/** What the runtime allows; it says so when it begins. */
export const limits = { line: 4 << 20 };
