// An agent that remembers and asks before it acts: it drafts a message, waits for a person's decision on the thread, and then sends
// the draft or not. It needs storage of threads (README of deployment-runtime), and no API key: replace draft() with a chat model.
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    draft: Annotation(),
    sent: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
});

function draft(state) {
    const request = String(state.messages.at(-1).content);
    return { draft: `Draft ${state.sent.length + 1}: ${request}` };
}

// The run ends here with status interrupted. A run with {"command": {"resume": DECISION}} calls this function again, and
// interrupt() then returns DECISION: "approve", "reject", or another text, which replaces the draft.
function review(state) {
    const decision = interrupt({ question: "Send this message?", draft: state.draft, decisions: ["approve", "reject"] });
    if (decision === "reject") {
        return { draft: null };
    }
    return { draft: decision === "approve" ? state.draft : String(decision) };
}

function send(state) {
    return { sent: [state.draft], messages: [new AIMessage(`Sent: ${state.draft}`)] };
}

function discard() {
    return { messages: [new AIMessage("Nothing was sent.")] };
}

export const graph = new StateGraph(State)
    .addNode("draft_message", draft)
    .addNode("review", review)
    .addNode("send", send)
    .addNode("discard", discard)
    .addEdge(START, "draft_message")
    .addEdge("draft_message", "review")
    .addConditionalEdges("review", (state) => (state.draft === null ? "discard" : "send"), ["send", "discard"])
    .addEdge("send", END)
    .addEdge("discard", END)
    .compile();
