// A run with its credit, its cancellation and its events.
import { sendCounted, toChunk, toJson } from "./lines.mjs";
import { chunksJson, plainJson } from "./messages.mjs";
import { Requests } from "./requests.mjs";
import { Steps } from "./steps.mjs";
import { checkpointOf } from "./state.mjs";
import { ToolCalls } from "./tools.mjs";

/** A run, or an operation on the state of a thread. */
export class Run {
    constructor(id, params) {
        this.id = id;
        this.params = params;
        this.name = params.run;
        this.modes = new Set(params.stream_modes);
        this.credit = params.credit;
        this.steps = params.steps > 0 ? new Steps(params.run, params.steps) : null;
        this.toolCalls = this.modes.has("tools") ? new ToolCalls() : null;
        this.abort = new AbortController();
        this.aborted = new Promise((_, reject) => {
            this.abort.signal.addEventListener("abort", () => reject(this.abort.signal.reason));
        });
        this.aborted.catch(() => {});
        this.continue = () => {};
        this.requests = new Requests(this.name, (error) => this.fail(error), this.aborted);
        this.failure = null;
        // The metadata of the last event of a message, which all of its pieces have, and its JSON.
        this.metadata = { value: undefined, json: undefined };
    }

    grant(bytes) {
        this.credit += bytes;
        this.continue();
    }

    cancel() {
        this.abort.abort();
        this.continue();
    }

    /** Ends the run with an error of the runtime. */
    fail(error) {
        if (!this.abort.signal.aborted) {
            this.failure = error;
            this.cancel();
        }
    }

    /**
     * Sends the event; waits until the run has credit.
     * @param checkpoint the name of the checkpoint with these values; undefined for other events
     */
    async event(mode, data, namespace, checkpoint) {
        if (!this.modes.has(mode)) {
            return;
        }
        while (this.credit <= 0 && !this.abort.signal.aborted) {
            await new Promise((resume) => {
                this.continue = resume;
            });
        }
        this.abort.signal.throwIfAborted();
        const place = namespace?.length ? `,"namespace":${JSON.stringify(namespace)}` : "";
        const named = checkpoint ? `,"checkpoint":${JSON.stringify(checkpoint)}` : "";
        const json = jsonOf(mode, data ?? null, this.metadata);
        const members = `"run":"${this.name}","mode":"${mode}"${place}${named},"data":${json}`;
        this.credit -= sendCounted(`{"jsonrpc":"2.0","method":"run/event","params":{${members}}}`);
    }
}

function jsonOf(mode, data, metadata) {
    const isMessage = mode === "messages" && Array.isArray(data);
    return (isMessage ? chunksJson(data, metadata) : plainJson(data))
        ?? JSON.stringify(isMessage ? data.map(toChunk) : data, toJson) ?? "null";
}

/**
 * Returns the items of the stream, of which those that name a checkpoint, and all later ones, wait until the checkpoint is
 * stored or the stream has ended. The stream is read ahead, so the graph does not wait.
 */
export async function* afterCheckpoints(stream, pendingOf) {
    const iterator = stream[Symbol.asyncIterator]();
    const items = [];
    let wake = () => {};
    const reading = (async () => {
        for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
            items.push(step.value);
            wake();
        }
    })();
    let ended = false;
    const end = reading.catch(() => {}).then(() => {
        ended = true;
        wake();
    });
    try {
        while (!ended || items.length > 0) {
            if (items.length === 0) {
                await new Promise((resume) => {
                    wake = resume;
                });
                continue;
            }
            const item = items.shift();
            const pending = ended ? undefined : pendingOf(item);
            if (pending) {
                await Promise.race([pending.catch(() => {}), end]);
            }
            yield item;
        }
        await reading;
    } finally {
        iterator.return?.()?.catch(() => {});
    }
}

/** Returns the payload of an event about a checkpoint; undefined for other events. */
function checkpointPayload(mode, data) {
    const payload = mode === "debug" && data?.type === "checkpoint" ? data.payload : mode === "checkpoints" ? data : undefined;
    return payload?.config?.configurable ? payload : undefined;
}

/** Returns namespace and id of the checkpoint that the event names, if it names one. */
export function namedCheckpoint(mode, data) {
    const { checkpoint_ns: ns = "", checkpoint_id: id } = checkpointPayload(mode, data)?.config.configurable ?? {};
    return id ? { ns, id } : undefined;
}

/** Returns the data of an event; an event about a checkpoint names it in the form of the clients. */
export function clientData(mode, data) {
    const payload = checkpointPayload(mode, data);
    if (!payload) {
        return data;
    }
    const { config, parentConfig, tasks = [], ...rest } = payload;
    const sent = {
        ...rest,
        config: plainConfig(config),
        parent_config: parentConfig && plainConfig(parentConfig),
        checkpoint: checkpointOf(config),
        parent_checkpoint: checkpointOf(parentConfig),
        tasks: tasks.map(({ state, ...task }) => (state?.configurable ? { ...task, checkpoint: checkpointOf(state) } : task)),
    };
    return mode === "debug" ? { ...data, payload: sent } : sent;
}

/** Returns the configuration without members that are internal to LangGraph. */
function plainConfig({ callbacks: _callbacks, configurable, ...rest }) {
    const plain = Object.entries(configurable ?? {}).filter(([name]) => !name.startsWith("__"));
    return { ...rest, configurable: Object.fromEntries(plain) };
}
