// Graphs of the comparison with the public development server.
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph, interrupt } from "@langchain/langgraph";

const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    topic: Annotation(),
});

function wait(millis, signal) {
    return new Promise((wake, fail) => {
        const timer = setTimeout(wake, millis);
        signal.addEventListener("abort", () => {
            clearTimeout(timer);
            fail(signal.reason);
        });
    });
}

/** Answers the last message, which says what it does. */
async function talk({ messages, log }, { signal }) {
    const [command, millis] = String(messages.at(-1).content).split(" ");
    if (command === "fail") {
        throw Object.assign(new Error("The agent was asked to fail."), { name: "AskedToFail" });
    }
    if (command === "wait") {
        await wait(Number(millis), signal);
    }
    return { messages: [new AIMessage(`${messages.length}: ${command}`)], log: [`talk ${log.length}`] };
}

export const chat = new StateGraph(State)
    .addNode("plan", ({ messages, topic }) => ({ log: [`plan ${messages.at(-1)?.content} ${topic ?? "-"}`] }))
    .addNode("talk", talk)
    .addEdge(START, "plan").addEdge("plan", "talk").addEdge("talk", END)
    .compile();

const decide = (name) => () => ({ log: [`${name} ${JSON.stringify(interrupt({ question: `${name}?` }))}`] });

/** Asks first in its first node. */
export const approval = new StateGraph(State)
    .addNode("ask", decide("ask"))
    .addNode("send", ({ log }) => ({ log: ["sent"], messages: [new AIMessage(`sent after ${log.length}`)] }))
    .addEdge(START, "ask").addEdge("ask", "send").addEdge("send", END)
    .compile();

const inner = new StateGraph(State)
    .addNode("confirm", decide("confirm"))
    .addNode("finish", () => ({ log: ["finished"] }))
    .addEdge(START, "confirm").addEdge("confirm", "finish").addEdge("finish", END);

/** Asks in a subgraph. */
export const nested = new StateGraph(State)
    .addNode("before", () => ({ log: ["before"] }))
    .addNode("inner", inner.compile())
    .addEdge(START, "before").addEdge("before", "inner").addEdge("inner", END)
    .compile();

/** Asks twice in its first node. */
export const twice = new StateGraph(State)
    .addNode("ask", () => ({ log: [JSON.stringify([interrupt("one"), interrupt("two")])] }))
    .addNode("send", ({ log }) => ({ log: ["sent"], messages: [new AIMessage(`sent after ${log.length}`)] }))
    .addEdge(START, "ask").addEdge("ask", "send").addEdge("send", END)
    .compile();
