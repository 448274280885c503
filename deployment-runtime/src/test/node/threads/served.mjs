// The graph of the tests of runs on threads: the last message says what it does.
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph, interrupt } from "@langchain/langgraph";

const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});

const answer = (text) => ({ messages: [new AIMessage(text)] });

function wait(millis, signal) {
    return new Promise((wake, fail) => {
        const timer = setTimeout(wake, millis);
        signal.addEventListener("abort", () => {
            clearTimeout(timer);
            fail(signal.reason);
        });
    });
}

async function talk({ messages }, { signal, configurable, context }) {
    const [command, ...words] = String(messages.at(-1).content).split(" ");
    switch (command) {
        case "ask": {
            const answered = interrupt({ question: "sure?" });
            await wait(Number(words[0] ?? 0), signal);
            return answer(`answered ${answered}`);
        }
        case "fail":
            throw Object.assign(new Error("The agent was asked to fail."), { name: "AskedToFail" });
        case "wait":
            await wait(Number(words[0]), signal);
            return answer("waited");
        case "settings": {
            const { user, model } = configurable;
            return answer(JSON.stringify({ user, model, tone: context?.tone, name: context?.name }));
        }
        case "fill":
            return answer("x".repeat(Number(words[0])));
        default:
            return answer(`${messages.length}: ${command}`);
    }
}

const builder = new StateGraph(State)
    .addNode("begin", ({ messages }) => ({ log: [messages.at(-1).content.slice(0, 20)] }))
    .addNode("talk", talk)
    .addEdge(START, "begin").addEdge("begin", "talk").addEdge("talk", END);

export const graph = builder.compile();

/** Stores its checkpoints itself. */
export const own = builder.compile({ checkpointer: new MemorySaver() });
