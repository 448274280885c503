// A LangGraph.js agent: a planner, which is a subgraph, and a streaming model. The model echoes its input, so that the sample needs
// no API key: replace it with a chat model of your provider.
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const TOKENS = /^tokens:(\d+)(?:\s+delay:(\d+))?$/;

class EchoModel extends SimpleChatModel {
    constructor() {
        super({});
    }

    _llmType() {
        return "echo";
    }

    async _call(messages) {
        return pieces(messages).texts.join("");
    }

    async *_streamResponseChunks(messages, options, manager) {
        const { texts, delay } = pieces(messages);
        for (const text of texts) {
            if (delay > 0) {
                await new Promise((wake) => setTimeout(wake, delay));
                options.signal?.throwIfAborted();
            }
            const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
            yield chunk;
            await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
        }
    }
}

function pieces(messages) {
    const text = String(messages.at(-1)?.content ?? "").trim();
    if (text === "fail") {
        throw Object.assign(new Error("The agent was asked to fail."), { name: "AskedToFail" });
    }
    const asked = TOKENS.exec(text);
    return asked
        ? { texts: Array.from({ length: Number(asked[1]) }, (_, i) => `token-${i} `), delay: Number(asked[2] ?? 0) }
        : { texts: text.split(/(?<=\s)/), delay: 0 };
}

const State = Annotation.Root({ ...MessagesAnnotation.spec, plan: Annotation() });
const model = new EchoModel();

const planner = new StateGraph(State)
    .addNode("outline", (state) => ({ plan: `answer ${state.messages.length} message(s)` }))
    .addEdge(START, "outline")
    .addEdge("outline", END)
    .compile();

async function answer(state, config) {
    config.writer?.({ plan: state.plan });
    return { messages: [await model.invoke(state.messages, config)] };
}

export const graph = new StateGraph(State)
    .addNode("planner", planner)
    .addNode("answer", answer)
    .addEdge(START, "planner")
    .addEdge("planner", "answer")
    .addEdge("answer", END)
    .compile();
