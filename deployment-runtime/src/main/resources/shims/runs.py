"""Runs of graphs and of async generator functions."""

import asyncio
import collections
import contextlib
import traceback
import uuid

from waybill_worker.graphs import GRAPH, NAME, resolve_graph
from waybill_worker.lines import chunk_to_json, encode, send_line, to_json
from waybill_worker.named import NamedValues
from waybill_worker.requests import Channel
from waybill_worker.steps import Steps, callback_handler, now

CHECKPOINT_MEMBERS = ("checkpoint_id", "checkpoint_ns", "checkpoint_map")
SECONDS_AFTER_CANCELLATION = 10
MAX_QUEUED_EVENTS = 1000


class Run:
    """A run with its credit and its cancellation."""

    def __init__(self, params, requests=None, storage=False):
        self.params = params
        self.name = params["run"]
        self.modes = set(params.get("stream_modes") or ())
        self.credit = params.get("credit", 0)
        self.steps = Steps(self.name, params["steps"]) if params.get("steps") else None
        self.granted = asyncio.Event()
        self.task = None
        self.started = False
        self.cancelled = False
        self.stopped = asyncio.Event()
        self.thread = params.get("thread")
        self.channel = Channel(requests, self.name, self.abort) if requests else None
        self.storage = storage
        self.graph = None
        self.tool_calls = None
        self.named_values = NamedValues() if params.get("name_checkpoints") is True else None
        self.saver = None
        self.interrupt = None
        self.failure = None
        self.closing = False
        # Encoded events with the futures of the checkpoints that they name, and the task that sends them.
        self.queue = collections.deque()
        self.sender = None

    def cancel(self):
        """Cancels the run. A task that has not started is not cancelled here, as it would end without a response."""
        self.cancelled = True
        self.stopped.set()
        self.granted.set()
        if self.started and not self.closing:
            self.task.cancel()

    def abort(self, error):
        """Ends the run with the error."""
        self.failure = self.failure or error
        if self.started and not self.closing and not self.cancelled:
            self.task.cancel()

    def grant(self, size):
        """Adds credit."""
        self.credit += size
        self.granted.set()

    async def event(self, mode, data, namespace=(), checkpoint=None):
        """Sends the event; waits until the run has credit.

        checkpoint: the name of the checkpoint with these values; None for other events."""
        if mode not in self.modes:
            return
        params = {"run": self.name, "mode": mode}
        if namespace:
            params["namespace"] = list(namespace)
        if checkpoint:
            params["checkpoint"] = checkpoint
        params["data"] = data
        message = {"method": "run/event", "params": params}
        convert = chunk_to_json if mode == "messages" else to_json
        stored = self.saver and self.stored(mode, data)
        if stored or self.queue:
            await self.enqueue(encode(message, convert), stored)
            return
        await self.wait_for_credit()
        self.credit -= send_line(encode(message, convert))

    async def chunk(self, mode, data, namespace):
        """Sends what the graph streams, with the checkpoints of values if the runtime requests them."""
        events = self.named_values.add(namespace, mode, data) if self.named_values else [(mode, data, namespace)]
        for event in events:
            await self.event(*event)

    async def send_held(self):
        """Sends the values whose checkpoint LangGraph has not sent, because the run was interrupted or has failed."""
        for event in self.named_values.release() if self.named_values else ():
            await self.event(*event)

    async def wait_for_credit(self):
        """Waits until the run has credit, or was cancelled while it ends."""
        while self.credit <= 0 and not (self.closing and self.cancelled):
            self.granted.clear()
            await self.granted.wait()

    def stored(self, mode, data):
        """Returns a future for events that name a checkpoint, which is done when it is stored; otherwise None."""
        if mode == "debug" and isinstance(data, dict) and data.get("type") == "checkpoint":
            data = data["payload"]
        elif mode != "checkpoints":
            return None
        if self.params.get("durability") == "exit":
            return None
        place = data["config"]["configurable"]
        return self.saver.stored.future(place.get("checkpoint_ns", ""), place["checkpoint_id"])

    async def enqueue(self, line, stored):
        """Queues an event behind one that waits for its checkpoint. The graph continues, as it may have to store it first."""
        self.queue.append((line, stored))
        if self.sender is None or self.sender.done():
            self.sender = asyncio.get_running_loop().create_task(self.send_queue())
        if len(self.queue) > MAX_QUEUED_EVENTS:
            await asyncio.wait([self.sender])

    async def send_queue(self):
        """Sends the queued events, each when its checkpoint is stored."""
        while self.queue:
            line, stored = self.queue[0]
            if stored and not self.closing:
                await asyncio.wait([stored])
            await self.wait_for_credit()
            self.queue.popleft()
            if not self.cancelled:
                self.credit -= send_line(line)

    async def finish(self, successful=False):
        """Waits for the responses to the run's writes, sends queued events and returns the state of the thread.

        successful: whether the last writes may be stored with the end of the run."""
        self.closing = True
        if self.channel is None:
            return {}
        is_idle = (successful and self.channel.keep()) or await self.channel.wait_until_idle(
            self.stopped, SECONDS_AFTER_CANCELLATION)
        if self.sender:
            self.sender.cancel()
            await asyncio.wait([self.sender])
        await self.send_queue()
        # A state in memory could name a checkpoint that is not stored.
        if self.thread is None or self.graph is None or self.failure or not is_idle:
            return {}
        try:
            from waybill_worker.state import state_at_end
            state = await state_at_end(self.graph, self.saver, self.thread["id"], self.thread.get("versions") or {})
        except Exception:
            traceback.print_exc()
            state = None
        return {} if state is None else {"state": state}


def final_values(values, state):
    """Returns the members of a result that are its final values; those that the state contains, too, are only named."""
    known = (state or {}).get("values")
    if not known or type(values) is not dict:
        return {"values": values}
    own = {name: value for name, value in values.items() if name not in known or known[name] is not value}
    return {"values": values} if len(own) == len(values) else {"values": own, "value_names": list(values)}


async def run_generator(generator, run):
    """Runs a generator: yielded strings are chunks of the message, pairs are (mode, data), a dict is the final state.

    ("interrupt", value) asks a person at the end of the run.
    """
    params = run.params
    input_value = params.get("input")
    message = {"id": "message-" + run.name, "type": "ai", "role": "assistant"}
    parts, yielded, values, first = [], False, None, None
    if run.steps:
        run.steps.start(message["id"], None, NAME, "chain", input_value)
    await run.event("values", input_value)
    options = {k: params.get(k) for k in ("config", "context", "metadata", "run")}
    options |= {k: params[k] for k in ("state", "interrupts", "command", "resume") if k in params}
    async for step in generator(input_value, options):
        if isinstance(step, tuple) and step[0] == "interrupt":
            run.interrupt = step[1]
        elif isinstance(step, tuple):
            await run.event(step[0], step[1])
        elif isinstance(step, dict):
            values = step
        else:
            first = first or now()
            parts.append(str(step))
            yielded = True
            part = {**message, "type": "AIMessageChunk", "content": str(step)}
            await run.event("messages", [part, {"langgraph_node": GRAPH, "run_id": run.name}])
    update = values
    if values is None and yielded:
        answer = {**message, "content": "".join(parts)}
        update = {"messages": [answer]}
        known = params.get("state") or {}
        given = input_value if isinstance(input_value, dict) else {}
        values = {**known, **given, "messages": [*known.get("messages", []), *given.get("messages", []), answer]}
    await run.event("updates", {GRAPH: update})
    await run.event("values", values)
    if run.steps:
        run.steps.report(message["id"], {"end_time": now(), "first_token_time": first}, {"outputs": values})
    return values


def config_of(run):
    """Returns the config of a run for LangChain and LangGraph."""
    config = dict(run.params.get("config") or {})
    config["metadata"] = {**config.get("metadata", {}), **(run.params.get("metadata") or {})}
    own = {"thread_id": run.name, "run_id": run.name, "graph_id": GRAPH}
    given = config.get("configurable", {})
    config["configurable"] = configurable_of(run, given) if run.thread else {**own, **given}
    config["run_id"] = uuid.UUID(run.name)
    callbacks = []
    with contextlib.suppress(ImportError):
        if run.steps:
            callbacks.append(callback_handler(run.steps))
        if "tools" in run.modes:
            from waybill_worker.tools import ToolCalls
            run.tool_calls = ToolCalls()
            callbacks.append(run.tool_calls)
    if callbacks:
        config["callbacks"] = callbacks
    return config


def configurable_of(run, given):
    """Returns the members of configurable of a run on a thread; its thread and run cannot be replaced."""
    resumed = run.params.get("continue") is True
    members = {key: value for key, value in given.items()
               if not key.startswith("__") and not (resumed and key in CHECKPOINT_MEMBERS)}
    members |= {"thread_id": run.thread["id"], "run_id": run.name, "graph_id": GRAPH}
    if run.params.get("assistant_id"):
        members["assistant_id"] = run.params["assistant_id"]
    if not resumed:
        members |= place_of(run.thread.get("checkpoint"))
    return members


def place_of(checkpoint):
    """Returns the members of configurable that select a checkpoint of the protocol."""
    names = {"checkpoint_ns": "ns", "checkpoint_id": "id", "checkpoint_map": "map"}
    return {name: checkpoint[member] for name, member in names.items() if checkpoint and checkpoint.get(member) is not None}


def start_of(run):
    """Returns where the run starts: at its own last checkpoint, at that of its fork, or at the newest one of its thread."""
    if run.params.get("continue") is True:
        return {"continued": True}
    checkpoint = (run.thread or {}).get("checkpoint") or {}
    return {"fork": (checkpoint.get("map") or {}).get("") if checkpoint.get("ns") else checkpoint.get("id"),
            "newest": [run.params["newest"]] if "newest" in run.params else []}


def defers_checkpoints(run):
    """Returns whether checkpoints may be stored with later ones: neither the graph nor an event waits for them."""
    durability = run.params.get("durability")
    return durability == "exit" or (durability != "sync" and not run.modes & {"checkpoints", "debug"})


def input_of(run):
    """Returns the input of a run: its command, if it has one; nothing for an attempt that continues an earlier one."""
    if run.params.get("continue") is True:
        return None
    command = run.params.get("command")
    if not command:
        return run.params.get("input")
    if run.thread:
        from waybill_worker.state import command_of
        return command_of(command)
    from langgraph.types import Command
    return Command(**command)


def options_of(run, subgraphs):
    """Returns the options of the graph's stream."""
    # A graph computes its values after each step, so they are only requested if they are needed.
    needs_values = run.params.get("values") is not False or "events" in run.modes
    modes = run.modes | ({"values"} if needs_values else set()) | ({"checkpoints"} if run.named_values else set())
    options = {"stream_mode": sorted(modes - {"events"}), "subgraphs": subgraphs}
    if run.params.get("context"):
        options["context"] = run.params["context"]
    if run.thread:
        remembers = run.saver or getattr(run.graph, "checkpointer", None)
        names = ("interrupt_before", "interrupt_after", *(("durability",) if remembers else ()))
        options |= {name: run.params[name] for name in names if run.params.get(name)}
        if run.saver and run.saver.batches.deferred and options.get("durability") != "exit":
            # The graph waits for the saver after each step; the saver waits while too many checkpoints are not stored.
            options["durability"] = "sync"
    return options


async def run_graph(value, run):
    """Runs a graph; returns its final values if they are needed."""
    config = config_of(run)
    graph = await resolve_graph(value, config)
    if run.channel:
        from waybill_worker.state import attach
        graph, run.saver = attach(graph, run.channel, run.thread and run.thread["id"], run.storage, **start_of(run),
                                  deferred=defers_checkpoints(run))
        run.graph = graph
    input_value = input_of(run)
    subgraphs = run.params.get("stream_subgraphs") is True
    options = options_of(run, subgraphs)
    last = None

    async def handle(chunk):
        nonlocal last
        namespace, mode, data = chunk if subgraphs else ((), *chunk)
        if mode == "values" and not namespace:
            last = data
        if mode == "tools" and run.tool_calls:
            data = run.tool_calls.data_of(data)
        await run.chunk(mode, list(data) if mode == "messages" else data, namespace)

    try:
        if "events" in run.modes:
            async with closing(run, graph.astream_events(input_value, config, version="v2", **options)) as events:
                async for event in events:
                    if event["event"] == "on_chain_stream" and event["run_id"] == run.name:
                        await handle(event["data"]["chunk"])
                    await run.event("events", event)
        else:
            async with closing(run, graph.astream(input_value, config, **options)) as chunks:
                async for chunk in chunks:
                    await handle(chunk)
    except Exception:
        await run.send_held()
        raise
    await run.send_held()
    return last


@contextlib.asynccontextmanager
async def closing(run, stream):
    """Ends the stream of a run on a thread before the run's response, because ending it can store a checkpoint."""
    try:
        yield stream
    finally:
        if run.thread:
            await stream.aclose()
