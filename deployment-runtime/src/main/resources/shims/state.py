"""State of threads: graphs with the runtime's checkpointer and store, and the runtime's requests for state."""

import copy
import functools
import importlib.metadata
import inspect
import json
import sys

from waybill_worker.graphs import GRAPH, resolve_graph, schemas_of
from waybill_worker.lines import limits, to_json
from waybill_worker.runs import config_of

# Older checkpointers keep pending sends in the writes of the parent.
MIN_CHECKPOINT_VERSION = 3
NULL_TASK = "00000000-0000-0000-0000-000000000000"
HISTORY_BATCH = 10
OPERATIONS = ("state", "history", "update", "describe")


@functools.lru_cache(maxsize=1)
def pregel():
    """Returns the class of LangGraph's graphs; None without LangGraph, or if its package of checkpoints is too old."""
    try:
        from langgraph.pregel import Pregel
        version = importlib.metadata.version("langgraph-checkpoint")
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return None
    if int(version.split(".")[0]) < MIN_CHECKPOINT_VERSION:
        print(f"langgraph-checkpoint {version} is too old for checkpoints; install {MIN_CHECKPOINT_VERSION}.0 or later.",
              file=sys.stderr)
        return None
    return Pregel


def memory_of(value):
    """Returns how the graph remembers: checkpoints of the runtime, its own, a JSON state, or not at all (state)."""
    if inspect.isasyncgenfunction(value):
        return "json"
    kind = pregel()
    if kind is None:
        return "state"
    if not hasattr(value, "astream"):
        return "checkpoints"
    if not isinstance(value, kind) or value.checkpointer is False:
        return "state"
    return "checkpoints" if value.checkpointer is None or value.checkpointer is True else "own"


def attach(graph, channel, thread, storage, **start):
    """Returns a copy of the graph with the runtime's checkpointer and store, unless it has its own, and the checkpointer.

    start: where the run of the checkpointer starts (continued, fork, newest)."""
    kind = pregel() if storage or thread else None
    if kind is None or not isinstance(graph, kind):
        return graph, None
    # Runs share the graph, so it is not changed.
    graph, saver = copy.copy(graph), None
    if storage and thread and (graph.checkpointer is None or graph.checkpointer is True):
        from waybill_worker.saver import RunSaver
        saver = graph.checkpointer = RunSaver(channel, thread, channel.loop, **start)
    if storage and graph.store is None:
        from waybill_worker.store import RunStore
        graph.store = RunStore(channel, channel.loop)
    return graph, saver


def command_of(members):
    """Returns LangGraph's command; its JSON has {"node", "input"} for a Send, and lists for pairs."""
    from langgraph.types import Command, Send
    goto = members.get("goto") or ()
    if isinstance(goto, (str, dict)):
        goto = [goto]
    update = members.get("update")
    if isinstance(update, list):
        update = [tuple(pair) for pair in update]
    sends = [Send(target["node"], target.get("input")) if isinstance(target, dict) else target for target in goto]
    return Command(update=update, resume=members.get("resume"), goto=sends)


async def state_at_end(graph, saver, thread, known):
    """Returns the state at which the run ended: values of the output channels whose version is not known, next tasks, interrupts."""
    checkpointer = saver or getattr(graph, "checkpointer", None)
    if not checkpointer or checkpointer is True:
        return None
    newest = saver.newest() if saver else None
    found = newest or await checkpointer.aget_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})
    if found is None:
        return {"values": {}, "versions": {}, "next": [], "tasks": [], "checkpoint": None}
    if saver:
        saver.prepared[:] = [found]
    snapshot = await graph.aget_state(found.config)
    place = place_of(found.config)
    tasks = [{"id": task.id, "name": task.name, "interrupts": interrupts_of(task),
              **({"error": error_of(task)} if task.error else {})} for task in snapshot.tasks]
    state = {"next": list(snapshot.next), "checkpoint": {"ns": place["ns"], "id": place["id"]}, "tasks": tasks}
    # Versions of other checkpointers are not unique.
    return {**values_at_end(graph, snapshot.values, found, known if saver else {}), **state}


def values_at_end(graph, values, found, known):
    """Returns the changed values and the versions of the output channels; a state that is one channel is named ""."""
    channels = graph.stream_channels_asis
    whole = isinstance(channels, str)
    # A channel with a default value that no task has written has no version.
    versions = {name: str(found.checkpoint["channel_versions"].get(name, "0")) for name in ([channels] if whole else channels)}
    # A command's update is applied without a version until the next step.
    pending = {name for task, name, _ in found.pending_writes or () if task == NULL_TASK}
    if whole:
        version = {"": versions[channels]}
        unchanged = channels not in pending and version[""] == known.get("")
        return {"values": {}, "versions": version} if unchanged else {"root": values, "versions": version}
    names = [name for name in channels if name in values]
    changed = {name: values[name] for name in names if name in pending or versions[name] != known.get(name)}
    return {"values": changed, "versions": {name: versions[name] for name in names}}


def place_of(config):
    """Returns the protocol's checkpoint of a config."""
    place = config["configurable"]
    return {"ns": place.get("checkpoint_ns", ""), "id": place.get("checkpoint_id"), "map": place.get("checkpoint_map")}


def checkpoint_of(config):
    """Returns the checkpoint of a config as clients know it; None without one."""
    if not config:
        return None
    place = config["configurable"]
    return {"thread_id": place["thread_id"], "checkpoint_ns": place.get("checkpoint_ns", ""),
            "checkpoint_id": place.get("checkpoint_id"), "checkpoint_map": place.get("checkpoint_map")}


def interrupts_of(task):
    """Returns the interrupts of a task or a state."""
    return [{"id": interrupt.id, "value": interrupt.value} for interrupt in task.interrupts]


def error_of(task):
    """Returns the error of a task as text."""
    return task.error if task.error is None or isinstance(task.error, str) else repr(task.error)


def state_of(snapshot):
    """Returns a snapshot of LangGraph as clients know it."""
    return {"values": snapshot.values, "next": list(snapshot.next), "tasks": [task_of(task) for task in snapshot.tasks],
            "metadata": dict(snapshot.metadata or {}), "created_at": snapshot.created_at,
            "checkpoint": checkpoint_of(snapshot.config) if snapshot.created_at else None,
            "parent_checkpoint": checkpoint_of(snapshot.parent_config), "interrupts": interrupts_of(snapshot)}


def task_of(task):
    """Returns a task as clients know it; its state is that of its subgraph, or else the place of it."""
    snapshot = None if task.state is None or isinstance(task.state, dict) else task.state
    return {"id": task.id, "name": task.name, "path": task.path, "error": error_of(task), "interrupts": interrupts_of(task),
            "checkpoint": checkpoint_of(snapshot.config if snapshot else task.state),
            "state": state_of(snapshot) if snapshot else None, "result": task.result}


async def operate(value, run, method):
    """Executes a request for a graph or the state of a thread; returns its result."""
    params, thread = run.params, run.params.get("thread")
    run.thread = {"id": thread or run.name, "checkpoint": params.get("checkpoint")}
    config = config_of(run)
    del config["run_id"], config["configurable"]["run_id"]
    graph, run.saver = attach(await resolve_graph(value, config), run.channel, thread, run.storage)
    if method == "graph/describe":
        return await describe(graph, config, params)
    if not getattr(graph, "checkpointer", None):
        raise ValueError(f'The graph "{GRAPH}" has no checkpoints.')
    if method == "thread/state":
        return state_of(await graph.aget_state(config, subgraphs=params.get("subgraphs") is True))
    if method == "thread/history":
        return await history(graph, config, params)
    return await update(graph, run.saver, config, params)


async def describe(graph, config, params):
    """Returns the nodes and edges of a graph, or the schemas of its subgraphs."""
    if params.get("kind") == "graph":
        return (await graph.aget_graph(config, xray=params.get("xray") or False)).to_json()
    found = graph.aget_subgraphs(namespace=params.get("namespace"), recurse=params.get("recurse") is True)
    return {name: schemas_of(subgraph) async for name, subgraph in found}


async def history(graph, config, params):
    """Returns a page of the thread's states, newest first; it ends at half a line."""
    remaining, before = params.get("limit") or HISTORY_BATCH, params.get("before")
    states, size = [], 0
    while remaining > 0:
        batch = min(remaining, HISTORY_BATCH)
        count = 0
        options = {"filter": params.get("filter") or None, "limit": batch}
        if before:
            options["before"] = {"configurable": {**config["configurable"], "checkpoint_id": before}}
        async for snapshot in graph.aget_state_history(config, **options):
            state = state_of(snapshot)
            size += len(json.dumps(state, default=to_json, ensure_ascii=False))
            if states and size > limits.line // 2:
                return {"states": states, "next": before}
            states.append(state)
            before, count, remaining = state["checkpoint"]["checkpoint_id"], count + 1, remaining - 1
        if count < batch:
            break
    return {"states": states, "next": None}


async def update(graph, saver, config, params):
    """Applies the updates of a thread's state; returns the new checkpoint and the state of the thread."""
    from langgraph.types import StateUpdate
    supersteps = params.get("supersteps") or [[{"command": params.get("command") or {}}]]
    updates = [[StateUpdate(command_of(one["command"]) if one.get("command") else one.get("values"), one.get("as_node"))
                for one in superstep] for superstep in supersteps]
    updated = await graph.abulk_update_state(config, updates)
    return {"checkpoint": place_of(updated), "state": await state_at_end(graph, saver, params["thread"], {})}

