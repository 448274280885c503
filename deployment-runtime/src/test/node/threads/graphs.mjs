// Graphs of LangGraph.js for the tests of threads.
import {
    Annotation, Command, END, MemorySaver, MessagesAnnotation, START, Send, StateGraph, entrypoint, getPreviousState, interrupt,
    task,
} from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { AIMessage } from "@langchain/core/messages";

const list = () => Annotation({ reducer: (a, b) => a.concat(b), default: () => [] });

const echo = (state) => ({ messages: [new AIMessage(`${state.messages.length}: ${state.messages.at(-1).content}`)] });
const chatBuilder = new StateGraph(MessagesAnnotation).addNode("echo", echo).addEdge(START, "echo").addEdge("echo", END);

/** Remembers messages. */
export const chat = chatBuilder.compile();

/** A function that returns a graph. */
export const factory = (config) => new StateGraph(Annotation.Root({ names: list() }))
    .addNode("name", () => ({ names: [config.configurable.thread_id] })).addEdge(START, "name").addEdge("name", END);

/** Has its own checkpointer. */
export const own = chatBuilder.compile({ checkpointer: new MemorySaver() });

/** Has no checkpoints. */
export const without = chatBuilder.compile({ checkpointer: false });

const Order = Annotation.Root({ amount: Annotation(), log: list() });
const ask = () => [interrupt({ question: "sure?" }), interrupt({ question: "really?" })];
const approve = () => ({ log: [`approved ${JSON.stringify(ask())}`] });

/** Asks twice before it pays. */
export const approval = new StateGraph(Order)
    .addNode("check", (state) => ({ log: [`checked ${state.amount}`] }))
    .addNode("approve", approve)
    .addNode("pay", (state) => {
        if (state.amount < 0) {
            throw new RangeError("The amount is negative.");
        }
        return { log: [`paid ${state.amount}`] };
    })
    .addEdge(START, "check").addEdge("check", "approve").addEdge("approve", "pay").addEdge("pay", END)
    .compile();

const inner = new StateGraph(Order)
    .addNode("ask", () => ({ log: [`inner ${interrupt("inner?")}`] }))
    .addNode("after", () => ({ log: ["after"] }))
    .addEdge(START, "ask").addEdge("ask", "after").addEdge("after", END);

/** Interrupts in a subgraph. */
export const nested = new StateGraph(Order)
    .addNode("first", () => ({ log: ["first"] }))
    .addNode("inner", inner.compile())
    .addEdge(START, "first").addEdge("first", "inner").addEdge("inner", END)
    .compile();

const counting = new StateGraph(Order)
    .addNode("count", (state) => ({ log: [`call ${state.log.length}`] }))
    .addEdge(START, "count").addEdge("count", END)
    .compile({ checkpointer: true });

/** Has a subgraph with a state of its own across runs. */
export const stateful = new StateGraph(Annotation.Root({ seen: Annotation(), amount: Annotation() }))
    .addNode("call", async (state) => ({ seen: (await counting.invoke({ amount: state.amount })).log }))
    .addEdge(START, "call").addEdge("call", END)
    .compile();

/** Sends one task for each part, of which each asks. */
export const parallel = new StateGraph(Annotation.Root({ parts: Annotation(), log: list() }))
    .addNode("part", ({ part }) => ({ log: [part === "quiet" ? "quiet" : `${part}=${interrupt(part)}`] }))
    .addConditionalEdges(START, (state) => state.parts.map((part) => new Send("part", { part })))
    .addEdge("part", END)
    .compile();

/** Routes with commands, also out of a subgraph. */
export const routing = new StateGraph(Order)
    .addNode("route", new StateGraph(Order)
        .addNode("leave", () => new Command({ graph: Command.PARENT, goto: "target", update: { log: ["left"] } }))
        .addEdge(START, "leave").compile(), { ends: ["target"] })
    .addNode("target", () => ({ log: ["target"] }))
    .addEdge(START, "route").addEdge("target", END)
    .compile();

const step = task("step", async (value) => value * 2);

/** A workflow of functions that remembers its last result. */
export const workflow = entrypoint("workflow", async (input) => (await step(input)) + (getPreviousState() ?? 0));

/** Stores items. */
export const items = new StateGraph(Annotation.Root({ found: Annotation(), put: Annotation() }))
    .addNode("use", async (state, { store }) => {
        if (state.put) {
            await store.put(["notes", "user"], state.put.key, { text: state.put.text, kind: "note" });
        }
        const listed = await store.search(["notes"], { filter: { kind: "note" } });
        // LangGraph's wrapper of stores does not list namespaces.
        const names = await store.store.listNamespaces({ prefix: ["notes"] });
        const absent = await store.get(["notes", "user"], "absent");
        const dates = listed.every((item) => item.createdAt instanceof Date);
        return { found: { texts: listed.map((item) => item.value.text), names, absent, dates } };
    })
    .addEdge(START, "use").addEdge("use", END)
    .compile();

/** Repeats a step, which stores a value each time. */
export const looping = new StateGraph(Annotation.Root({ steps: Annotation(), text: Annotation() }))
    .addNode("step", ({ steps }) => ({ steps: steps - 1, text: `${steps} ${"x".repeat(1000)}` }))
    .addEdge(START, "step").addConditionalEdges("step", ({ steps }) => (steps > 0 ? "step" : END))
    .compile();

const model = new FakeListChatModel({ responses: ["first answer", "second answer"] });
model.bindTools = () => model;

/** An agent. */
export const agent = createReactAgent({ llm: model, tools: [] });

/** Large values, bytes, sets, and a node that waits. */
export const large = new StateGraph(Annotation.Root({
    size: Annotation(), text: Annotation(), bytes: Annotation(), set: Annotation(), same: Annotation(), delay: Annotation(),
}))
    .addNode("make", async (state, { signal }) => {
        if (state.delay) {
            await new Promise((wake, fail) => {
                const timer = setTimeout(wake, state.delay);
                signal.addEventListener("abort", () => {
                    clearTimeout(timer);
                    fail(signal.reason);
                });
            });
        }
        const bytes = new Uint8Array(state.size).fill(7);
        return { text: "ä😀".repeat(state.size / 6), bytes, set: new Set([1, 2]), same: "same" };
    })
    .addNode("check", ({ bytes, set, text }) => ({ size: bytes.length > 0 && set instanceof Set ? text.length : -1 }))
    .addEdge(START, "make").addEdge("make", "check").addEdge("check", END)
    .compile();

/** Asks a person and remembers the answer: an async generator. */
export async function* asking(input, { state, resume, interrupts }) {
    if (input) {
        yield ["interrupt", input];
        return { ...state, ...input };
    }
    return { ...state, answers: [...(state.answers ?? []), resume], asked: interrupts[0].value };
}

/** Has no checkpoints: an async generator. */
export async function* generator(input, { state }) {
    yield `state ${JSON.stringify(state ?? null)}`;
}
