"""Loads a graph from a Python module and speaks the worker protocol for it (docs/worker-protocol.md):

    python3 worker.py <graph> <module> <name>

The name is a LangGraph graph (compiled or not), a function that makes one, or an async generator function. Standard library only.
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
LONGEST_ERROR = 2000
LONGEST_LINE = [4 << 20]

# What the agent prints is log; only the protocol goes to standard output.
protocol = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
sys.stdout = sys.stderr
sending = threading.Lock()


# What a piece of a message is called, and the message that it is a part of.
WHOLE = {f"{name}MessageChunk": kind for name, kind in {
    "AI": "ai", "Human": "human", "System": "system", "Tool": "tool", "Function": "function", "Chat": "chat"}.items()}


def piece(value):
    """As plain; pieces of messages keep a type of their own, which says that more may come."""
    kind = getattr(value, "type", None)
    return {**value.model_dump(), "type": kind} if kind in WHOLE and hasattr(value, "model_dump") else plain(value)


def plain(value):
    """What JSON does not know: messages and models as flat objects, anything else as its text."""
    if hasattr(value, "model_dump"):
        dumped = value.model_dump()
        kind = getattr(value, "type", None)
        return {**dumped, "type": WHOLE.get(kind, kind)} if isinstance(kind, str) and kind else dumped
    if hasattr(value, "_asdict"):
        return value._asdict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


def send(message, default=plain):
    line = json.dumps({"jsonrpc": "2.0", **message}, default=default, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    rest = memoryview(line + b"\n")
    # LangChain tells of steps in threads of its own.
    with sending:
        while rest:
            rest = rest[protocol.write(rest):]
    return len(line)


class Steps:
    """The steps of a run, told while there is room for them; what of a step does not fit is left out."""

    def __init__(self, run, room):
        self.run = run
        self.room = room
        # A step that is not told: what is below it belongs to this one.
        self.hidden = {}
        self.models = {}

    def tell(self, key, told, values=None):
        key = str(key)
        if key in self.hidden:
            return
        params = {"run": self.run, "id": key, **told}
        for member, value in (values or {}).items():
            if value is None or self.room <= 0:
                continue
            size = size_of(value)
            fits = size <= min(self.room, LONGEST_LINE[0] // 4)
            params[member] = value if fits else {"omitted_bytes": size}
        self.room -= send({"method": "run/step", "params": params})

    def begin(self, key, parent, name, kind, inputs, metadata=None, tags=None):
        parent = None if parent is None else str(parent)
        above = self.hidden.get(parent, parent) if parent != self.run else None
        # The run itself is no step of it; what LangGraph does for itself is nobody's concern.
        if str(key) == self.run or "langsmith:hidden" in (tags or ()) or self.room <= 0:
            self.hidden[str(key)] = above
            return
        told = {"parent_id": above, "name": name, "run_type": kind, "start_time": now()}
        self.tell(key, told, {"inputs": inputs, "metadata": metadata or None})

    def end(self, key, outputs):
        self.tell(key, {"end_time": now()}, {"outputs": outputs})

    def fail(self, key, error):
        self.tell(key, {"end_time": now(), "error": f"{type(error).__name__}: {error}"[:LONGEST_ERROR]})


def handler_of(steps):
    """A callback handler of LangChain that tells the steps."""
    from langchain_core.callbacks import BaseCallbackHandler

    def name_of(serialized, kind, options):
        return options.get("name") or (serialized or {}).get("name") or ((serialized or {}).get("id") or [kind])[-1]

    class Handler(BaseCallbackHandler):
        run_inline = True

        def on_chain_start(self, serialized, inputs, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.begin(run_id, parent_run_id, name_of(serialized, "chain", options), "chain", inputs, metadata, tags)

        def on_chain_end(self, outputs, *, run_id, **_):
            steps.end(run_id, outputs)

        def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            inputs = {"messages": [message for some in messages for message in some]}
            self.model(serialized, inputs, run_id, parent_run_id, tags, metadata, options)

        def on_llm_start(self, serialized, prompts, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            self.model(serialized, {"prompts": prompts}, run_id, parent_run_id, tags, metadata, options)

        def model(self, serialized, inputs, run_id, parent, tags, metadata, options):
            steps.begin(run_id, parent, name_of(serialized, "model", options), "llm", inputs, metadata, tags)
            steps.models[run_id] = {"metadata": metadata or {}}

        def on_llm_new_token(self, token, *, run_id, **_):
            if run_id in steps.models:
                steps.models[run_id].setdefault("first", now())

        def on_llm_end(self, response, *, run_id, **_):
            model = steps.models.pop(run_id, {})
            messages = [getattr(one, "message", one.text) for some in response.generations for one in some]
            usage = next((found for found in (getattr(one, "usage_metadata", None) for one in messages) if found), None)
            metadata = {**model.get("metadata", {}), "usage_metadata": usage} if usage else None
            told = {"end_time": now(), "first_token_time": model.get("first")}
            steps.tell(run_id, told, {"outputs": {"messages": messages}, "metadata": metadata})

        def on_tool_start(self, serialized, input_str, *, run_id, parent_run_id=None, tags=None, metadata=None, inputs=None,
                          **options):
            given = inputs if inputs is not None else {"input": input_str}
            steps.begin(run_id, parent_run_id, name_of(serialized, "tool", options), "tool", given, metadata, tags)

        def on_tool_end(self, output, *, run_id, **_):
            steps.end(run_id, {"output": output})

        def on_retriever_start(self, serialized, query, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.begin(run_id, parent_run_id, name_of(serialized, "retriever", options), "retriever", {"query": query},
                        metadata, tags)

        def on_retriever_end(self, documents, *, run_id, **_):
            steps.end(run_id, {"documents": documents})

        def failed(self, error, *, run_id, **_):
            steps.fail(run_id, error)

        on_chain_error = on_llm_error = on_tool_error = on_retriever_error = failed

    return Handler()


def now():
    return time.time() * 1000


def size_of(value):
    try:
        return len(json.dumps(value, default=plain, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return LONGEST_LINE[0]


class Run:
    """A run and its credit."""

    def __init__(self, params):
        self.params = params
        self.name = params["run"]
        self.modes = set(params["stream_modes"])
        self.credit = params["credit"]
        self.steps = Steps(self.name, params["steps"]) if params.get("steps") else None
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
        self.credit -= send({"method": "run/event", "params": params}, piece if mode == "messages" else plain)


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
        raise ExportNotFound(f'"{NAME}" of {MODULE} is no graph: it has no method "astream"')
    return value


class ExportNotFound(Exception):
    """The module has no graph of that name."""


async def run_generator(generator, run):
    """Strings that it yields are pieces of its answer, pairs are (mode, data), a dict is its last values."""
    params = run.params
    given = params.get("input")
    message = {"id": "message-" + run.name, "type": "ai", "role": "assistant"}
    said, spoke, values, first = [], False, None, None
    if run.steps:
        run.steps.begin(message["id"], None, NAME, "chain", given)
    await run.event("values", given)
    async for step in generator(given, {k: params.get(k) for k in ("config", "context", "metadata", "run")}):
        if isinstance(step, tuple):
            await run.event(step[0], step[1])
        elif isinstance(step, dict):
            values = step
        else:
            first = first or now()
            said.append(str(step))
            spoke = True
            part = {**message, "type": "AIMessageChunk", "content": str(step)}
            await run.event("messages", [part, {"langgraph_node": GRAPH, "run_id": run.name}])
    update = values
    if values is None and spoke:
        answer = {**message, "content": "".join(said)}
        update = {"messages": [answer]}
        known = given if isinstance(given, dict) else {}
        values = {**known, "messages": [*known.get("messages", []), answer]}
    await run.event("updates", {GRAPH: update})
    await run.event("values", values)
    if run.steps:
        run.steps.tell(message["id"], {"end_time": now(), "first_token_time": first}, {"outputs": values})
    return values


def config_of(run):
    config = dict(run.params.get("config") or {})
    config["metadata"] = {**config.get("metadata", {}), **(run.params.get("metadata") or {})}
    config["configurable"] = {"thread_id": run.name, "run_id": run.name, "graph_id": GRAPH, **config.get("configurable", {})}
    config["run_id"] = uuid.UUID(run.name)
    if run.steps:
        with contextlib.suppress(ImportError):
            config["callbacks"] = [handler_of(run.steps)]
    return config


def schemas_of(value):
    """What the graph says of itself; a function that makes graphs is not called for it."""
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    told = {}
    for name in ("input", "output", "config", "context"):
        describe = getattr(value, f"get_{name}_jsonschema", None)
        try:
            schema = describe() if describe else None
        except Exception:
            traceback.print_exc()
            schema = None
        if schema is not None:
            told[name + "_schema"] = schema
    return told


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
    """The last of a graph's values are the answer, where they are asked for."""
    config = config_of(run)
    graph = await graph_of(value, config)
    given = run.params.get("input")
    if run.params.get("command"):
        from langgraph.types import Command
        given = Command(**run.params["command"])
    subgraphs = run.params.get("stream_subgraphs") is True
    # A graph makes its values anew after each of its steps; not for nobody.
    needs_values = run.params.get("values") is not False or "events" in run.modes
    options = {"stream_mode": sorted((run.modes | ({"values"} if needs_values else set())) - {"events"}), "subgraphs": subgraphs}
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
            # Not by way of the interpreter, which aborts while a thread reads standard input.
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
        except Exception as error:
            traceback.print_exc()
            send({"id": number, "error": {"code": 1, "message": str(error), "data": {"error": type(error).__name__}}})

    def take(self, line):
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            LONGEST_LINE[0] = (params.get("limits") or {}).get("line_bytes", LONGEST_LINE[0])
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
