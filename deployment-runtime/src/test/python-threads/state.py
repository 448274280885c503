"""States of the graphs. The worker has a module of the same name, which must not be imported instead of this one."""

import operator
from typing import Annotated, Any

from langgraph.graph.message import add_messages
from typing_extensions import TypedDict


class Chat(TypedDict, total=False):
    messages: Annotated[list, add_messages]
    topic: str


class Steps(TypedDict, total=False):
    done: Annotated[list, operator.add]
    value: Any
