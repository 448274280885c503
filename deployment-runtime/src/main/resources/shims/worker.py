"""Loads a graph from a Python module and implements the worker protocol for it (docs/worker-protocol.md):

    python3 worker.py <graph> <module> <name>

The name is a LangGraph graph (compiled or not), a function that returns one, or an async generator function. Standard library only.
"""

import asyncio
import contextlib
import dataclasses
import importlib.util
import inspect
import json
import os
import sys
import threading
import time
import traceback
import uuid

GRAPH, MODULE, NAME = sys.argv[1:4]
CANCELLED = -32800
MAX_ERROR_LENGTH = 2000
MAX_LINE_SIZE = [4 << 20]

# Output of the agent goes to standard error, which is logged; standard output is reserved for the protocol.
protocol = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
sys.stdout = sys.stderr
output_lock = threading.Lock()


# Types of message chunks, and the types of their messages.
MESSAGE_TYPES = {f"{name}MessageChunk": kind for name, kind in {
    "AI": "ai", "Human": "human", "System": "system", "Tool": "tool", "Function": "function", "Chat": "chat"}.items()}


def chunk_to_json(value):
    """Converts a streamed message like to_json; chunks retain the type of a chunk."""
    kind = getattr(value, "type", None)
    return {**value.model_dump(), "type": kind} if kind in MESSAGE_TYPES and hasattr(value, "model_dump") else to_json(value)


def to_json(value):
    """Converts values unknown to JSON: messages and models to plain objects, all others to text."""
    if hasattr(value, "model_dump"):
        dumped = value.model_dump()
        kind = getattr(value, "type", None)
        return {**dumped, "type": MESSAGE_TYPES.get(kind, kind)} if isinstance(kind, str) and kind else dumped
    if hasattr(value, "_asdict"):
        return value._asdict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


def send(message, default=to_json):
    line = json.dumps({"jsonrpc": "2.0", **message}, default=default, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    rest = memoryview(line + b"\n")
    # LangChain calls handlers in its own threads.
    with output_lock:
        while rest:
            rest = rest[protocol.write(rest):]
    return len(line)


class Steps:
    """Reports the steps of a run up to their maximum total size; values that do not fit are omitted."""

    def __init__(self, run, remaining):
        self.run = run
        self.remaining = remaining
        # Maps skipped steps to the reported ancestor that their descendants are attached to.
        self.skipped = {}
        self.models = {}

    def report(self, key, members, values=None):
        key = str(key)
        if key in self.skipped:
            return
        params = {"run": self.run, "id": key, **members}
        for member, value in (values or {}).items():
            if value is None or self.remaining <= 0:
                continue
            size = json_size(value)
            fits = size <= min(self.remaining, MAX_LINE_SIZE[0] // 4)
            params[member] = value if fits else {"omitted_bytes": size}
        self.remaining -= send({"method": "run/step", "params": params})

    def start(self, key, parent, name, kind, inputs, metadata=None, tags=None):
        parent = None if parent is None else str(parent)
        parent_step = self.skipped.get(parent, parent) if parent != self.run else None
        # Skips the run itself and internal steps of LangGraph.
        if str(key) == self.run or "langsmith:hidden" in (tags or ()) or self.remaining <= 0:
            self.skipped[str(key)] = parent_step
            return
        members = {"parent_id": parent_step, "name": name, "run_type": kind, "start_time": now()}
        self.report(key, members, {"inputs": inputs, "metadata": metadata or None})

    def end(self, key, outputs):
        self.report(key, {"end_time": now()}, {"outputs": outputs})

    def fail(self, key, error):
        self.report(key, {"end_time": now(), "error": f"{type(error).__name__}: {error}"[:MAX_ERROR_LENGTH]})


def callback_handler(steps):
    """Returns a callback handler of LangChain that reports the steps."""
    from langchain_core.callbacks import BaseCallbackHandler

    def name_of(serialized, kind, options):
        return options.get("name") or (serialized or {}).get("name") or ((serialized or {}).get("id") or [kind])[-1]

    class Handler(BaseCallbackHandler):
        run_inline = True

        def on_chain_start(self, serialized, inputs, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.start(run_id, parent_run_id, name_of(serialized, "chain", options), "chain", inputs, metadata, tags)

        def on_chain_end(self, outputs, *, run_id, **_):
            steps.end(run_id, outputs)

        def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            inputs = {"messages": [message for some in messages for message in some]}
            self.model(serialized, inputs, run_id, parent_run_id, tags, metadata, options)

        def on_llm_start(self, serialized, prompts, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            self.model(serialized, {"prompts": prompts}, run_id, parent_run_id, tags, metadata, options)

        def model(self, serialized, inputs, run_id, parent, tags, metadata, options):
            steps.start(run_id, parent, name_of(serialized, "model", options), "llm", inputs, metadata, tags)
            steps.models[run_id] = {"metadata": metadata or {}}

        def on_llm_new_token(self, token, *, run_id, **_):
            if run_id in steps.models:
                steps.models[run_id].setdefault("first", now())

        def on_llm_end(self, response, *, run_id, **_):
            model = steps.models.pop(run_id, {})
            messages = [getattr(one, "message", one.text) for some in response.generations for one in some]
            usage = next((found for found in (getattr(one, "usage_metadata", None) for one in messages) if found), None)
            metadata = {**model.get("metadata", {}), "usage_metadata": usage} if usage else None
            members = {"end_time": now(), "first_token_time": model.get("first")}
            steps.report(run_id, members, {"outputs": {"messages": messages}, "metadata": metadata})

        def on_tool_start(self, serialized, input_str, *, run_id, parent_run_id=None, tags=None, metadata=None, inputs=None,
                          **options):
            input_value = inputs if inputs is not None else {"input": input_str}
            steps.start(run_id, parent_run_id, name_of(serialized, "tool", options), "tool", input_value, metadata, tags)

        def on_tool_end(self, output, *, run_id, **_):
            steps.end(run_id, {"output": output})

        def on_retriever_start(self, serialized, query, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.start(run_id, parent_run_id, name_of(serialized, "retriever", options), "retriever", {"query": query},
                        metadata, tags)

        def on_retriever_end(self, documents, *, run_id, **_):
            steps.end(run_id, {"documents": documents})

        def failed(self, error, *, run_id, **_):
            steps.fail(run_id, error)

        on_chain_error = on_llm_error = on_tool_error = on_retriever_error = failed

    return Handler()


def now():
    return time.time() * 1000


def json_size(value):
    try:
        return len(json.dumps(value, default=to_json, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return MAX_LINE_SIZE[0]


class Run:
    """A run with its credit and its cancellation."""

    def __init__(self, params):
        self.params = params
        self.name = params["run"]
        self.modes = set(params["stream_modes"])
        self.credit = params["credit"]
        self.steps = Steps(self.name, params["steps"]) if params.get("steps") else None
        self.granted = asyncio.Event()
        self.task = None
        self.started = False
        self.cancelled = False

    def cancel(self):
        """Cancels the run. A task that has not started is not cancelled here, as it would end without a response."""
        self.cancelled = True
        if self.started:
            self.task.cancel()

    def grant(self, size):
        self.credit += size
        self.granted.set()

    async def event(self, mode, data, namespace=()):
        """Sends the event; waits until the run has credit."""
        if mode not in self.modes:
            return
        while self.credit <= 0:
            self.granted.clear()
            await self.granted.wait()
        params = {"run": self.name, "mode": mode}
        if namespace:
            params["namespace"] = list(namespace)
        params["data"] = data
        self.credit -= send({"method": "run/event", "params": params}, chunk_to_json if mode == "messages" else to_json)


def load():
    path = os.path.abspath(MODULE)
    sys.path[:0] = [os.getcwd(), os.path.dirname(path)]
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    value = getattr(module, NAME, None)
    if value is None:
        raise ExportNotFound(f'{MODULE} has no "{NAME}"')
    if not callable(value) and not hasattr(value, "astream") and not hasattr(value, "compile"):
        raise ExportNotFound(f'"{NAME}" of {MODULE} is not a graph: it has no method "astream"')
    return value


class ExportNotFound(Exception):
    """The module does not export the graph."""


async def run_generator(generator, run):
    """Runs a generator: yielded strings are chunks of the message, pairs are (mode, data), a dict is the final state."""
    params = run.params
    input_value = params.get("input")
    message = {"id": "message-" + run.name, "type": "ai", "role": "assistant"}
    parts, yielded, values, first = [], False, None, None
    if run.steps:
        run.steps.start(message["id"], None, NAME, "chain", input_value)
    await run.event("values", input_value)
    async for step in generator(input_value, {k: params.get(k) for k in ("config", "context", "metadata", "run")}):
        if isinstance(step, tuple):
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
        known = input_value if isinstance(input_value, dict) else {}
        values = {**known, "messages": [*known.get("messages", []), answer]}
    await run.event("updates", {GRAPH: update})
    await run.event("values", values)
    if run.steps:
        run.steps.report(message["id"], {"end_time": now(), "first_token_time": first}, {"outputs": values})
    return values


def config_of(run):
    config = dict(run.params.get("config") or {})
    config["metadata"] = {**config.get("metadata", {}), **(run.params.get("metadata") or {})}
    config["configurable"] = {"thread_id": run.name, "run_id": run.name, "graph_id": GRAPH, **config.get("configurable", {})}
    config["run_id"] = uuid.UUID(run.name)
    if run.steps:
        with contextlib.suppress(ImportError):
            config["callbacks"] = [callback_handler(run.steps)]
    return config


def schemas_of(value):
    """Returns the schemas of the graph; none for functions that return graphs, which are not called."""
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    schemas = {}
    for name in ("input", "output", "config", "context"):
        describe = getattr(value, f"get_{name}_jsonschema", None)
        try:
            schema = describe() if describe else None
        except Exception:
            traceback.print_exc()
            schema = None
        if schema is not None:
            schemas[name + "_schema"] = schema
    return schemas


async def resolve_graph(value, config):
    if callable(value) and not hasattr(value, "astream"):
        value = value(config) if inspect.signature(value).parameters else value()
        if inspect.isawaitable(value):
            value = await value
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    if not hasattr(value, "astream"):
        raise TypeError(f'"{NAME}" of {MODULE} is not a graph: it has no method "astream"')
    return value


async def run_graph(value, run):
    """Runs a graph; returns its final values if they are needed."""
    config = config_of(run)
    graph = await resolve_graph(value, config)
    input_value = run.params.get("input")
    if run.params.get("command"):
        from langgraph.types import Command
        input_value = Command(**run.params["command"])
    subgraphs = run.params.get("stream_subgraphs") is True
    # A graph computes its values after each step, so they are only requested if they are needed.
    needs_values = run.params.get("values") is not False or "events" in run.modes
    options = {"stream_mode": sorted((run.modes | ({"values"} if needs_values else set())) - {"events"}), "subgraphs": subgraphs}
    if run.params.get("context"):
        options["context"] = run.params["context"]
    last = None

    async def handle(chunk):
        nonlocal last
        namespace, mode, data = chunk if subgraphs else ((), *chunk)
        if mode == "values" and not namespace:
            last = data
        await run.event(mode, list(data) if mode == "messages" else data, namespace)

    if "events" in run.modes:
        async for event in graph.astream_events(input_value, config, version="v2", **options):
            if event["event"] == "on_chain_stream" and event["run_id"] == run.name:
                await handle(event["data"]["chunk"])
            await run.event("events", event)
    else:
        async for chunk in graph.astream(input_value, config, **options):
            await handle(chunk)
    return last


class Worker:
    """Serves runs until standard input ends."""

    def __init__(self):
        self.value = None
        self.runs = {}

    async def start(self, number, run):
        try:
            run.started = True
            if run.cancelled:
                raise asyncio.CancelledError
            serve = run_generator if inspect.isasyncgenfunction(self.value) else run_graph
            send({"id": number, "result": {"values": await serve(self.value, run)}})
        except asyncio.CancelledError:
            send({"id": number, "error": {"code": CANCELLED, "message": "The run was cancelled."}})
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            send({"id": number, "error": {"code": 1, "message": str(error), "data": {"error": type(error).__name__}}})
        finally:
            self.runs.pop(run.name, None)

    def initialize(self, number):
        try:
            self.value = load()
            send({"id": number, "result": {"protocol_version": 1, "graphs": {GRAPH: {"schemas": schemas_of(self.value)}}}})
        except SystemExit as end:
            # Skips the interpreter's shutdown, which aborts while a thread reads standard input.
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
        except Exception as error:
            traceback.print_exc()
            send({"id": number, "error": {"code": 1, "message": str(error), "data": {"error": type(error).__name__}}})

    def handle(self, line):
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            MAX_LINE_SIZE[0] = (params.get("limits") or {}).get("line_bytes", MAX_LINE_SIZE[0])
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
            loop.call_soon_threadsafe(worker.handle, line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    await loop.create_future()


asyncio.run(main())
