// Savers of the Node worker for many threads: their lines are answered in the same process.
import * as library from "@langchain/langgraph-checkpoint";
import { Answers } from "./answers.mjs";

const shims = new URL(process.env.SHIMS);
const limits = { line_bytes: 4 << 20, part_bytes: 64, window_bytes: 1000 };
const answers = new Answers(limits);
const runs = new Map();

// The worker's modules write their lines to the standard output that they find.
const write = process.stdout.write;
process.stdout.write = (text) => {
    for (const line of text.split("\n").filter((one) => one !== "")) {
        setImmediate(() => answer(JSON.parse(line)));
    }
    return true;
};
const { setLimits } = await import(new URL("lines.mjs", shims));
process.stdout.write = write;
const { Requests, receive } = await import(new URL("requests.mjs", shims));
const { saverClass } = await import(new URL("saver.mjs", shims));
setLimits(limits);

function answer({ id, method, params }) {
    try {
        receive({ id, result: answers.answer(method, params, runs.get(params.run)) });
    } catch (error) {
        receive({ id, error: { code: error.code ?? -32603, message: error.message } });
    }
}

const Saver = saverClass(library);

/** Selects the saver of a thread, as each run has its own; removes the metadata of the run, which the suite does not expect. */
class ThreadsSaver extends library.BaseCheckpointSaver {
    constructor() {
        super();
        this.savers = new Map();
        this.metadata = new Map();
    }

    of(thread = "none") {
        if (!this.savers.has(thread)) {
            runs.set(thread, { thread, parts: new Map() });
            this.savers.set(thread, new Saver(thread, new Requests(thread, () => {})));
        }
        return this.savers.get(thread);
    }

    plain(tuple) {
        return tuple && { ...tuple, metadata: this.metadata.get(tuple.checkpoint.id) };
    }

    async getTuple(config) {
        return this.plain(await this.of(config.configurable?.thread_id).getTuple(config));
    }

    async *list({ configurable }, { limit = Infinity, ...options } = {}) {
        const threads = configurable.thread_id === undefined ? [...this.savers.keys()] : [configurable.thread_id];
        let remaining = limit;
        for (const thread of threads) {
            const own = { configurable: { ...configurable, thread_id: thread } };
            for await (const tuple of this.of(thread).list(own, { ...options, limit: remaining })) {
                remaining--;
                yield this.plain(tuple);
            }
        }
    }

    async put(config, checkpoint, metadata, versions) {
        this.metadata.set(checkpoint.id, metadata);
        return this.of(config.configurable?.thread_id).put(config, checkpoint, metadata, versions);
    }

    async putWrites(config, writes, task, path) {
        return this.of(config.configurable?.thread_id).putWrites(config, writes, task, path);
    }

    async deleteThread(thread) {
        await this.of(thread).deleteThread(thread);
    }
}

/** Creates savers for the suite. */
export const initializer = {
    checkpointerName: "waybill",
    createCheckpointer: () => {
        answers.threads.clear();
        return new ThreadsSaver();
    },
};
