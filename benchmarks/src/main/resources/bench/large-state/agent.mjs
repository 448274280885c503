// A graph that fills one channel once and then changes another one in each of its steps, each of which is a checkpoint.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ document: Annotation(), bytes: Annotation(), steps: Annotation(), step: Annotation() });

export const graph = new StateGraph(State)
    .addNode("read", ({ bytes }) => ({ document: "0123456789abcdef".repeat(bytes / 16), step: 0 }))
    .addNode("work", ({ step }) => ({ step: step + 1 }))
    .addEdge(START, "read")
    .addEdge("read", "work")
    .addConditionalEdges("work", ({ step, steps }) => (step < steps ? "work" : END))
    .compile();
