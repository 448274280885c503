// What a run does, step by step, for its trace: as callbacks of LangChain, or told by hand.
import { limits, plain, sendLine } from "./lines.mjs";

const LONGEST_ERROR = 2000;

/** The steps of a run, told while there is room for them; what of a step does not fit is left out. */
export class Steps {
    constructor(run, room) {
        this.run = run;
        this.room = room;
        // A step that is not told: what is below it belongs to this one.
        this.hidden = new Map();
        this.models = new Map();
        this.name = "waybill-steps";
        this.awaitHandlers = true;
    }

    tell(id, told, values = {}) {
        if (this.hidden.has(id)) {
            return;
        }
        let line = JSON.stringify({ jsonrpc: "2.0", method: "run/step", params: { run: this.run, id, ...told } }).slice(0, -2);
        for (const [member, value] of Object.entries(values)) {
            const text = this.room > 0 ? textOf(value) : undefined;
            if (text !== undefined) {
                const fits = text.length <= Math.min(this.room, limits.line / 16);
                line += `,"${member}":${fits ? text : `{"omitted_bytes":${text.length}}`}`;
            }
        }
        this.room -= sendLine(`${line}}}`);
    }

    begin(id, parent, name, runType, inputs, metadata, tags) {
        const above = this.hidden.has(parent) ? this.hidden.get(parent) : parent === this.run ? null : parent;
        // The run itself is no step of it; what LangGraph does for itself is nobody's concern.
        if (id === this.run || tags?.includes("langsmith:hidden") || this.room <= 0) {
            this.hidden.set(id, id === this.run ? null : (above ?? null));
            return;
        }
        this.tell(id, { parent_id: above ?? null, name, run_type: runType, start_time: now() }, { inputs, metadata });
    }

    end(id, values) {
        this.tell(id, { end_time: now() }, values);
    }

    fail(id, error) {
        this.tell(id, { end_time: now(), error: `${error?.name ?? "Error"}: ${error?.message ?? error}`.slice(0, LONGEST_ERROR) });
    }

    handleChainStart(chain, inputs, id, parent, tags, metadata, _runType, name) {
        this.begin(id, parent, name ?? chain?.id?.at(-1) ?? "chain", "chain", inputs, metadata, tags);
    }

    handleChatModelStart(model, messages, id, parent, _extra, tags, metadata, name) {
        this.model(model, { messages: messages.flat() }, id, parent, tags, metadata, name);
    }

    handleLLMStart(model, prompts, id, parent, _extra, tags, metadata, name) {
        this.model(model, { prompts }, id, parent, tags, metadata, name);
    }

    model(model, inputs, id, parent, tags, metadata, name) {
        this.begin(id, parent, name ?? model?.id?.at(-1) ?? "model", "llm", inputs, metadata, tags);
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
        this.tell(id, { end_time: now(), first_token_time: first },
            { outputs: { messages }, metadata: usage && { ...metadata, usage_metadata: usage } });
    }

    handleToolStart(tool, input, id, parent, tags, metadata, name) {
        this.begin(id, parent, name ?? tool?.id?.at(-1) ?? "tool", "tool", { input }, metadata, tags);
    }

    handleToolEnd(output, id) {
        this.end(id, { outputs: { output } });
    }

    handleRetrieverStart(retriever, query, id, parent, tags, metadata, name) {
        this.begin(id, parent, name ?? retriever?.id?.at(-1) ?? "retriever", "retriever", { query }, metadata, tags);
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

/** Its JSON; nothing when it is none. */
function textOf(value) {
    try {
        return JSON.stringify(value, plain);
    } catch {
        return undefined;
    }
}
