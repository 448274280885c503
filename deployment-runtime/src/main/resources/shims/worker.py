"""Loads a graph from a Python module and speaks the worker protocol for it (docs/worker-protocol.md):

    python3 worker.py <graph> <module> <name>

The name is a LangGraph graph (compiled or not), a function that makes one, or an async generator function. Standard library only.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import sys
import threading
import traceback

GRAPH, MODULE, NAME = sys.argv[1:4]
CANCELLED = -32800

# What the agent prints is log; only the protocol goes to standard output.
protocol = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
sys.stdout = sys.stderr


def plain(value):
    """What JSON does not know: messages and models as flat objects, anything else as its text."""
    if hasattr(value, "model_dump"):
        dumped = value.model_dump()
        kind = getattr(value, "type", None)
        return {**dumped, "type": kind} if kind else dumped
    if hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


def send(message):
    line = json.dumps({"jsonrpc": "2.0", **message}, default=plain, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    rest = memoryview(line + b"\n")
    while rest:
        rest = rest[protocol.write(rest):]
    return len(line)


class Run:
    """A run and its credit."""

    def __init__(self, params):
        self.params = params
        self.name = params["run"]
        self.modes = set(params["stream_modes"])
        self.credit = params["credit"]
        self.granted = asyncio.Event()
        self.task = None
        self.begun = False
        self.cancelled = False

    def cancel(self):
        """Ends it where it is; a task that has not begun would vanish without an answer."""
        self.cancelled = True
        if self.begun:
            self.task.cancel()

    def grant(self, size):
        self.credit += size
        self.granted.set()

    async def event(self, mode, data, namespace=()):
        """Sends the event when there is credit for it."""
        if mode not in self.modes:
            return
        while self.credit <= 0:
            self.granted.clear()
            await self.granted.wait()
        params = {"run": self.name, "mode": mode}
        if namespace:
            params["namespace"] = list(namespace)
        params["data"] = data
        self.credit -= send({"method": "run/event", "params": params})


def load():
    path = os.path.abspath(MODULE)
    sys.path[:0] = [os.getcwd(), os.path.dirname(path)]
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, NAME):
        raise AttributeError(f'{MODULE} has no "{NAME}"')
    return getattr(module, NAME)


async def run_generator(generator, run):
    """Strings that it yields are pieces of its answer, pairs are (mode, data), a dict is its last values."""
    params = run.params
    given = params.get("input")
    message = {"id": "message-" + run.name, "type": "ai", "role": "assistant"}
    said, spoke, values = [], False, None
    await run.event("values", given)
    async for step in generator(given, {k: params.get(k) for k in ("config", "context", "metadata", "run")}):
        if isinstance(step, tuple):
            await run.event(step[0], step[1])
        elif isinstance(step, dict):
            values = step
        else:
            said.append(str(step))
            spoke = True
            piece = {**message, "type": "AIMessageChunk", "content": str(step)}
            await run.event("messages", [piece, {"langgraph_node": GRAPH}])
    update = values
    if values is None and spoke:
        answer = {**message, "content": "".join(said)}
        update = {"messages": [answer]}
        known = given if isinstance(given, dict) else {}
        values = {**known, "messages": [*known.get("messages", []), answer]}
    await run.event("updates", {GRAPH: update})
    await run.event("values", values)
    return values


def config_of(run):
    config = dict(run.params.get("config") or {})
    config["metadata"] = {**config.get("metadata", {}), **(run.params.get("metadata") or {})}
    config["configurable"] = {"thread_id": run.name, "run_id": run.name, "graph_id": GRAPH, **config.get("configurable", {})}
    config["run_id"] = run.name
    return config


async def graph_of(value, config):
    if callable(value) and not hasattr(value, "astream"):
        value = value(config) if inspect.signature(value).parameters else value()
        if inspect.isawaitable(value):
            value = await value
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    if not hasattr(value, "astream"):
        raise TypeError(f'"{NAME}" of {MODULE} is no graph: it has no method "astream"')
    return value


async def run_graph(value, run):
    """The graph's own stream modes; "values" always, because the last of them is the answer."""
    config = config_of(run)
    graph = await graph_of(value, config)
    given = run.params.get("input")
    if run.params.get("command"):
        from langgraph.types import Command
        given = Command(**run.params["command"])
    subgraphs = run.params.get("stream_subgraphs") is True
    options = {"stream_mode": sorted((run.modes | {"values"}) - {"events"}), "subgraphs": subgraphs}
    if run.params.get("context"):
        options["context"] = run.params["context"]
    last = None

    async def take(chunk):
        nonlocal last
        namespace, mode, data = chunk if subgraphs else ((), *chunk)
        if mode == "values" and not namespace:
            last = data
        await run.event(mode, list(data) if mode == "messages" else data, namespace)

    if "events" in run.modes:
        async for event in graph.astream_events(given, config, version="v2", **options):
            if event["event"] == "on_chain_stream" and event["run_id"] == run.name:
                await take(event["data"]["chunk"])
            await run.event("events", event)
    else:
        async for chunk in graph.astream(given, config, **options):
            await take(chunk)
    return last


class Worker:
    """Serves runs until standard input ends."""

    def __init__(self):
        self.value = None
        self.runs = {}

    async def start(self, number, run):
        try:
            run.begun = True
            if run.cancelled:
                raise asyncio.CancelledError
            serve = run_generator if inspect.isasyncgenfunction(self.value) else run_graph
            send({"id": number, "result": {"values": await serve(self.value, run)}})
        except asyncio.CancelledError:
            send({"id": number, "error": {"code": CANCELLED, "message": "The run was cancelled."}})
        except Exception as error:
            traceback.print_exc()
            send({"id": number, "error": {"code": 1, "message": str(error), "data": {"error": type(error).__name__}}})
        finally:
            self.runs.pop(run.name, None)

    def initialize(self, number):
        try:
            self.value = load()
            send({"id": number, "result": {"protocol_version": 1, "graphs": {GRAPH: {}}}})
        except Exception as error:
            traceback.print_exc()
            send({"id": number, "error": {"code": 1, "message": f"{type(error).__name__}: {error}"}})

    def take(self, line):
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            self.initialize(number)
        elif method == "ping":
            send({"id": number, "result": {}})
        elif method == "run/start":
            run = self.runs[params["run"]] = Run(params)
            run.task = asyncio.get_running_loop().create_task(self.start(number, run))
        elif method == "run/credit" and params["run"] in self.runs:
            self.runs[params["run"]].grant(params["bytes"])
        elif method == "run/cancel" and params["run"] in self.runs:
            self.runs[params["run"]].cancel()
        elif method == "shutdown":
            os._exit(0)


async def main():
    worker = Worker()
    loop = asyncio.get_running_loop()

    def read():
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(worker.take, line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    await loop.create_future()


asyncio.run(main())
