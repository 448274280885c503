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

export function sendLine(line) {
    protocol(line + "\n");
    return Buffer.byteLength(line);
}

/** For JSON.stringify: messages of LangChain as flat objects; pieces keep a type of their own, which says that more may come. */
export function plain(key, value) {
    const raw = this[key];
    if (raw !== null && typeof raw === "object" && typeof raw.toDict === "function") {
        const { type, data } = raw.toDict();
        const name = raw.constructor?.name ?? "";
        return { ...data, type: name.endsWith("MessageChunk") ? name : type };
    }
    return typeof value === "bigint" ? String(value) : value;
}

/** What the runtime allows; it says so when it begins. */
export const limits = { line: 4 << 20 };
