// A command that speaks the worker protocol without LangGraph and keeps a JSON state (docs/worker-protocol-threads.md).
import { createInterface } from "node:readline";

const PART = 100_000;
const responses = new Map();
const cancelled = new Map();
let requests = 0;
let limits;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function request(method, params) {
    send({ id: ++requests, method, params });
    return new Promise((done) => responses.set(requests, done));
}

/** Responds to a run; with a large result in parts. */
async function respond(id, run, result) {
    const text = JSON.stringify(result);
    if (text.length < limits.line_bytes / 2) {
        send({ id, result });
        return;
    }
    let part = 0;
    for (let from = 0; from < text.length; from += PART, part++) {
        const { error } = await request("result/part", { run, request: id, part, total: text.length, text: text.slice(from, from + PART) });
        if (error) {
            send({ id, error: { code: 1, message: error.message, data: { error: error.data.error } } });
            return;
        }
    }
    send({ id, result: { parts: part } });
}

async function execute(id, { run, state, input, resume, interrupts }) {
    const { do: what, value } = input ?? {};
    const step = (state?.step ?? 0) + 1;
    switch (resume === undefined ? what : "resume") {
        case "ask":
            return respond(id, run, { values: { asked: value }, state: { ...state, step }, interrupt: { question: value } });
        case "resume":
            return respond(id, run, { values: { answer: resume }, state: { ...state, step, answer: resume, interrupts } });
        case "fill":
            return respond(id, run, { values: {}, state: { ...state, step, [value.name]: "x".repeat(value.size) } });
        case "talk":
            return respond(id, run, { values: { messages: [...(state?.messages ?? []), ...input.messages] } });
        case "invalid":
            return respond(id, run, { values: {}, state: 5 });
        case "fail":
            return send({ id, error: { code: 1, message: "failed", data: { error: "Odd", state: value } } });
        case "die":
            return process.exit(1);
        case "wait":
            await new Promise((done) => {
                const timer = setTimeout(done, value);
                cancelled.set(run, () => done(clearTimeout(timer)));
            });
            return cancelled.get(run) === "cancelled"
                ? send({ id, error: { code: -32800, message: "cancelled" } })
                : respond(id, run, { values: {}, state: { ...state, step, waited: true } });
        default:
            return respond(id, run, { values: { step }, state: { ...state, step, ...(value ? { value } : {}) } });
    }
}

createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params, error } = JSON.parse(line);
    switch (method) {
        case undefined:
            responses.get(id)({ error });
            responses.delete(id);
            break;
        case "initialize":
            ({ limits } = params);
            send({ id, result: { protocol_version: params.versions?.includes(2) ? 2 : 1, graphs: { tickets: { memory: "json" } } } });
            break;
        case "ping":
            send({ id, result: {} });
            break;
        case "run/start":
            execute(id, params);
            break;
        case "run/cancel": {
            const stop = cancelled.get(params.run);
            cancelled.set(params.run, "cancelled");
            stop?.();
            break;
        }
        default:
            break;
    }
}).on("close", () => process.exit(0));
