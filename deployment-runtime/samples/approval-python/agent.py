"""An agent that remembers and asks before it acts: it drafts a message, waits for a person's decision on the thread, and then
sends the draft or not. It needs storage of threads (README of deployment-runtime), and no API key: replace draft_message with a
chat model."""

import operator
from typing import Annotated, Optional

from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt


class State(MessagesState):
    draft: Optional[str]
    sent: Annotated[list, operator.add]


def draft_message(state):
    request = state["messages"][-1].content
    return {"draft": f"Draft {len(state['sent']) + 1}: {request}"}


def review(state):
    """The run ends here with status interrupted. A run with {"command": {"resume": DECISION}} calls this function again, and
    interrupt() then returns DECISION: "approve", "reject", or another text, which replaces the draft."""
    decision = interrupt({"question": "Send this message?", "draft": state["draft"], "decisions": ["approve", "reject"]})
    if decision == "reject":
        return {"draft": None}
    return {"draft": state["draft"] if decision == "approve" else str(decision)}


def send(state):
    return {"sent": [state["draft"]], "messages": [{"role": "assistant", "content": f"Sent: {state['draft']}"}]}


def discard(state):
    return {"messages": [{"role": "assistant", "content": "Nothing was sent."}]}


graph = (
    StateGraph(State)
    .add_node("draft_message", draft_message)
    .add_node("review", review)
    .add_node("send", send)
    .add_node("discard", discard)
    .add_edge(START, "draft_message")
    .add_edge("draft_message", "review")
    .add_conditional_edges("review", lambda state: "discard" if state["draft"] is None else "send", ["send", "discard"])
    .add_edge("send", END)
    .add_edge("discard", END)
    .compile()
)
