// Reports the steps of a run for its trace: as callbacks of LangChain, or called directly.
import { limits, sendCounted, toJson } from "./lines.mjs";

const MAX_ERROR_LENGTH = 2000;

/** Reports the steps of a run up to their maximum total size; values that do not fit are omitted. */
export class Steps {
    constructor(run, remaining) {
        this.run = run;
        this.remaining = remaining;
        // Maps skipped steps to the reported ancestor that their descendants are attached to.
        this.skipped = new Map();
        this.models = new Map();
        this.name = "waybill-steps";
        this.awaitHandlers = true;
    }

    report(id, params, values = {}) {
        if (this.skipped.has(id)) {
            return;
        }
        let line = JSON.stringify({ jsonrpc: "2.0", method: "run/step", params: { run: this.run, id, ...params } }).slice(0, -2);
        for (const [member, value] of Object.entries(values)) {
            const text = this.remaining > 0 ? jsonOf(value) : undefined;
            if (text !== undefined) {
                const fits = text.length <= Math.min(this.remaining, limits.line / 16);
                line += `,"${member}":${fits ? text : `{"omitted_bytes":${text.length}}`}`;
            }
        }
        this.remaining -= sendCounted(`${line}}}`);
    }

    start(id, parent, name, runType, inputs, metadata, tags) {
        const parentStep = this.skipped.has(parent) ? this.skipped.get(parent) : parent === this.run ? null : parent;
        // Skips the run itself and internal steps of LangGraph.
        if (id === this.run || tags?.includes("langsmith:hidden") || this.remaining <= 0) {
            this.skipped.set(id, id === this.run ? null : (parentStep ?? null));
            return;
        }
        this.report(id, { parent_id: parentStep ?? null, name, run_type: runType, start_time: now() }, { inputs, metadata });
    }

    end(id, values) {
        this.report(id, { end_time: now() }, values);
    }

    fail(id, error) {
        this.report(id, { end_time: now(), error: `${error?.name ?? "Error"}: ${error?.message ?? error}`.slice(0, MAX_ERROR_LENGTH) });
    }

    handleChainStart(chain, inputs, id, parent, tags, metadata, _runType, name) {
        this.start(id, parent, name ?? chain?.id?.at(-1) ?? "chain", "chain", inputs, metadata, tags);
    }

    handleChatModelStart(model, messages, id, parent, _extra, tags, metadata, name) {
        this.model(model, { messages: messages.flat() }, id, parent, tags, metadata, name);
    }

    handleLLMStart(model, prompts, id, parent, _extra, tags, metadata, name) {
        this.model(model, { prompts }, id, parent, tags, metadata, name);
    }

    model(model, inputs, id, parent, tags, metadata, name) {
        this.start(id, parent, name ?? model?.id?.at(-1) ?? "model", "llm", inputs, metadata, tags);
        this.models.set(id, { metadata });
    }

    handleLLMNewToken(_token, _index, id) {
        const model = this.models.get(id);
        if (model && !model.first) {
            model.first = now();
        }
    }

    handleLLMEnd(output, id) {
        const { metadata, first } = this.models.get(id) ?? {};
        this.models.delete(id);
        const messages = (output.generations ?? []).flat().map((generation) => generation.message ?? generation.text);
        const usage = messages.map((message) => message?.usage_metadata).find((found) => found);
        this.report(id, { end_time: now(), first_token_time: first },
            { outputs: { messages }, metadata: usage && { ...metadata, usage_metadata: usage } });
    }

    handleToolStart(tool, input, id, parent, tags, metadata, name) {
        this.start(id, parent, name ?? tool?.id?.at(-1) ?? "tool", "tool", { input }, metadata, tags);
    }

    handleToolEnd(output, id) {
        this.end(id, { outputs: { output } });
    }

    handleRetrieverStart(retriever, query, id, parent, tags, metadata, name) {
        this.start(id, parent, name ?? retriever?.id?.at(-1) ?? "retriever", "retriever", { query }, metadata, tags);
    }

    handleRetrieverEnd(documents, id) {
        this.end(id, { outputs: { documents } });
    }

    handleChainEnd(outputs, id) {
        this.end(id, { outputs });
    }
}

for (const kind of ["Chain", "LLM", "Tool", "Retriever"]) {
    Steps.prototype[`handle${kind}Error`] = function (error, id) {
        this.fail(id, error);
    };
}

export const now = () => performance.timeOrigin + performance.now();

/** Returns the JSON of the value; undefined if it cannot be serialized. */
function jsonOf(value) {
    try {
        return JSON.stringify(value, toJson);
    } catch {
        return undefined;
    }
}
