"""Graphs of LangGraph for the tests of threads."""

import asyncio
from typing import Annotated

from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_store
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.store.base import PutOp
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from state import Chat, Steps

executed = []


def builder_of(state, *nodes, start=None):
    builder = StateGraph(state)
    for node in nodes:
        builder.add_node(node.__name__, node)
    names = [node.__name__ for node in nodes]
    for before, after in zip([START, *names], [*names, END]):
        builder.add_edge(before, after)
    return builder


async def answer(given):
    humans = [message for message in given["messages"] if message.type == "human"]
    return {"messages": [AIMessage(f"{len(humans)}: {humans[-1].content}")], "topic": humans[0].content}


chat_builder = builder_of(Chat, answer)
chat = chat_builder.compile()
own = chat_builder.compile(checkpointer=InMemorySaver())
forgetful = chat_builder.compile(checkpointer=False)


@tool
async def lookup(topic: str) -> str:
    """Looks a topic up."""
    if topic == "nothing":
        raise ValueError("Nothing is known.")
    return f"notes on {topic}"


async def model(given):
    call = {"id": "call-1", "name": "lookup", "args": {"topic": given["messages"][-1].content}}
    return {"messages": [AIMessage("", tool_calls=[call])]}


calling_builder = StateGraph(Chat).add_node("model", model).add_node("tools", ToolNode([lookup], handle_tool_errors=True))
calling = calling_builder.add_edge(START, "model").add_edge("model", "tools").add_edge("tools", END).compile()


async def asking(given, options):
    """Asks a person and remembers the answer."""
    state = options["state"] or {}
    if given:
        yield ("interrupt", given)
        yield {**state, **given}
    else:
        yield {**state, "answer": options["resume"], "asked": options["interrupts"][0]["value"]}


async def made(config):
    return chat_builder if config["configurable"]["thread_id"] else None


def prepare(given):
    executed.append("prepare")
    return {"done": ["prepare"]}


def approve(given):
    first = interrupt({"question": "first?"})
    second = interrupt("second?")
    return {"done": [f"approve {first} {second}"]}


def end(given):
    return {"done": ["end"]}


preparing = builder_of(Steps, prepare).compile()
approval = builder_of(Steps, prepare, approve, end).compile()


def ask(given):
    return {"done": [f"asked {interrupt('inner?')}"]}


def count(given):
    return {"value": (given.get("value") or 0) + 1}


inner = builder_of(Steps, prepare, ask).compile()
nested_builder = StateGraph(Steps)
nested_builder.add_node("inner", inner)
nested_builder.add_node("end", end)
nested_builder.add_edge(START, "inner")
nested_builder.add_edge("inner", "end")
nested = nested_builder.compile()

counter = builder_of(Steps, count).compile(checkpointer=True)


async def call_counter(given):
    return {"done": [(await counter.ainvoke({}))["value"]]}


persistent = builder_of(Steps, call_counter).compile()


def call_synchronously(given):
    return {"done": [counter.invoke({})["value"]]}


synchronous = builder_of(Steps, call_synchronously).compile()


def leave(given):
    return Command(goto="end", update={"done": ["left"]}, graph=Command.PARENT)


leaving = builder_of(Steps, leave).compile()
parent_builder = StateGraph(Steps)
parent_builder.add_node("inner", leaving)
parent_builder.add_node("end", end)
parent_builder.add_edge(START, "inner")
parent = parent_builder.compile()


def fan(given):
    return [Send("work", {"value": number}) for number in range(3)]


def work(given):
    return {"done": [f"{given['value']} {interrupt(given['value'])}"]}


fan_builder = StateGraph(Steps)
fan_builder.add_node("work", work)
fan_builder.add_conditional_edges(START, fan, ["work"])
fanned = fan_builder.compile()


@task
async def double(number):
    executed.append("double")
    return number * 2


@entrypoint()
async def total(number, *, previous=None):
    doubled = await double(number)
    confirmed = interrupt(f"add {doubled}?") if number > 9 else True
    result = (previous or 0) + doubled
    return entrypoint.final(value={"total": result, "executed": len(executed)}, save=result) if confirmed else None


async def remember(given, *, store):
    await store.aput(("notes", "a"), "asynchronous", {"text": "one", "size": 1})
    return {"done": [item.key for item in await store.asearch(("notes",), filter={"size": {"$gte": 1}})]}


def recall(given):
    store = get_store()
    store.put(("notes", "b"), "synchronous", {"text": "two", "size": 2}, ttl=5)
    found = store.get(("notes", "a"), "asynchronous")
    store.delete(("notes", "a"), "missing")
    namespaces = store.list_namespaces(prefix=("notes",), max_depth=2)
    return {"done": [found.value["text"], sorted(namespaces), found.created_at.year > 2000]}


noted = builder_of(Steps, remember, recall).compile()


async def fail_once(given):
    executed.append("fail_once")
    if executed.count("fail_once") == 1:
        raise ValueError("the first time")
    return {"done": ["worked"]}


failing = builder_of(Steps, prepare, fail_once).compile()


async def enlarge(given):
    return {"value": "x" * 300_000}


large = builder_of(Steps, enlarge, end).compile()


async def divide(given):
    return {"value": float("inf")}


infinite = builder_of(Steps, divide).compile()


async def store_many(given, *, store):
    await store.abatch([PutOp(("many",), str(number), {"text": "x" * 40_000}) for number in range(20)])
    return {"done": [len(await store.asearch(("many",), limit=100))]}


stored = builder_of(Steps, store_many).compile()


def repeat(given):
    return {"value": f"{len(given['done'])} " + "x" * 1000, "done": ["repeat"]}


looping_builder = StateGraph(Steps)
looping_builder.add_node("repeat", repeat)
looping_builder.add_edge(START, "repeat")
looping_builder.add_conditional_edges("repeat", lambda given: "repeat" if len(given["done"]) < 100 else END)
looping = looping_builder.compile()


def append(known, writes):
    return [*(known or []), *(one for write in writes for one in write)]


class Deltas(TypedDict, total=False):
    done: Annotated[list, DeltaChannel(append, snapshot_frequency=4)]


def add(given):
    return {"done": [len(given["done"])]}


deltas = builder_of(Deltas, add).compile()


async def enlarge_one(given):
    return {"done": [str(given["value"]) * 100_000]}


enlarging_builder = StateGraph(Steps)
enlarging_builder.add_node("work", enlarge_one)
enlarging_builder.add_conditional_edges(START, fan, ["work"])
enlarging = enlarging_builder.compile()


async def read_other(given, config):
    saver = config["configurable"]["__pregel_checkpointer"]
    own = [found.metadata["step"] async for found in saver.alist(
        {"configurable": {"thread_id": config["configurable"]["thread_id"]}}, limit=1)]
    try:
        await saver.aget_tuple({"configurable": {"thread_id": "other"}})
    except ValueError as error:
        return {"done": [str(error), own]}


curious = builder_of(Steps, read_other).compile()


async def wait(given):
    await asyncio.sleep(3600)


waiting = builder_of(Steps, prepare, wait).compile()


async def block_loop(given):
    try:
        get_store().get(("a",), "b")
    except asyncio.InvalidStateError as error:
        return {"done": [str(error)]}


blocking = builder_of(Steps, block_loop).compile()
