// Graphs of the comparison with the public development server.
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, MessagesAnnotation, START, StateGraph, interrupt } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";

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

/** Reports its progress, and writes with a model that streams. */
export const writer = new StateGraph(State)
    .addNode("report", (_, { writer: report }) => {
        report({ done: 1 });
        report({ name: "progress", payload: { done: 2 } });
        return { log: ["reported"] };
    })
    .addNode("write", async ({ messages }) => ({
        messages: [await new FakeListChatModel({ responses: ["one two"] }).invoke(messages)],
    }))
    .addEdge(START, "report").addEdge("report", "write").addEdge("write", END)
    .compile();

/** Uses a model itself. */
const lookup = tool(async ({ topic }) => {
    if (topic === "fail") {
        throw new Error("Nothing is known.");
    }
    const { text } = await new FakeListChatModel({ responses: ["notes"] }).invoke(topic);
    return `${text} on ${topic}`;
}, {
    name: "lookup", description: "Looks a topic up.",
    schema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
});

/** Calls a tool. */
export const agent = new StateGraph(State)
    .addNode("model", ({ messages }) => {
        const { content, type } = messages.at(-1);
        const calls = type === "tool" ? [] : [{ id: `call-${messages.length}`, name: "lookup", args: { topic: content } }];
        return { messages: [new AIMessage({ content: type === "tool" ? `I read ${content}.` : "", tool_calls: calls })] };
    })
    .addNode("tools", new ToolNode([lookup]))
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END))
    .addEdge("tools", "model")
    .compile();
