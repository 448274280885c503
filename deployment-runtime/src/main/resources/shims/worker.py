"""Loads a graph from a Python module and implements the worker protocol for it (docs/worker-protocol.md):

    python3 worker.py <graph> <module> <name>

The name is a LangGraph graph (compiled or not), a function that returns one, or an async generator function. Standard library only.
"""

import asyncio
import functools
import inspect
import json
import os
import sys
import threading
import traceback
import types

# The files beside this one are a package, so that modules of the application can have the same names.
folder = os.path.dirname(os.path.realpath(__file__))
sys.path[:] = [path for path in sys.path if os.path.realpath(path or os.curdir) != folder]
sys.modules["waybill_worker"] = types.ModuleType("waybill_worker")
sys.modules["waybill_worker"].__path__ = [folder]

from waybill_worker.graphs import GRAPH, load, schemas_of  # noqa: E402
from waybill_worker.lines import encode, features, limits, send, send_line  # noqa: E402
from waybill_worker.requests import TEXT_TYPES, Requests  # noqa: E402
from waybill_worker.runs import SECONDS_AFTER_CANCELLATION, Run, final_values, run_generator, run_graph  # noqa: E402

CANCELLED = -32800
UNKNOWN_METHOD = -32601


def error_of(error):
    """Returns the error of a response."""
    return {"code": 1, "message": str(error), "data": {"error": type(error).__name__}}


async def serve_run(value, run):
    """Executes a run; returns the result of its request."""
    serve = run_generator if inspect.isasyncgenfunction(value) else run_graph
    values, end = await serve(value, run), await run.finish(successful=True)
    result = {**final_values(values, end.get("state")), **end}
    return result if run.interrupt is None else {**result, "interrupt": run.interrupt}


def operation(method):
    """Returns a function that executes a request for the state of a thread."""
    from waybill_worker.state import operate
    return functools.partial(operate, method=method)


class Worker:
    """Serves runs until standard input ends."""

    def __init__(self):
        self.value = None
        self.runs = {}
        # Only for runtimes that offer version 2 of the protocol.
        self.requests = None
        self.storage = False

    async def start(self, number, run, serve):
        """Executes a run or an operation on state, and responds to its request."""
        try:
            run.started = True
            if run.cancelled:
                raise asyncio.CancelledError
            result = await serve(self.value, run)
            if run.failure:
                raise run.failure
            await self.respond(number, run, result)
        except asyncio.CancelledError as cancelled:
            if run.thread:
                await wait_for_exit(cancelled)
            failed = run.failure and not run.cancelled
            await self.fail(number, run, error_of(run.failure) if failed else
                            {"code": CANCELLED, "message": "The run was cancelled."})
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            await self.fail(number, run, error_of(error))
        finally:
            self.runs.pop(run.name, None)

    async def respond(self, number, run, result):
        """Responds to a request with its result."""
        if run.channel:
            await run.channel.respond(number, result)
        else:
            send({"id": number, "result": result})

    async def fail(self, number, run, error):
        """Responds to a request with an error and the state of the thread."""
        state = await run.finish()
        if state:
            try:
                line = encode({"id": number, "error": {**error, "data": {**error.get("data", {}), **state}}})
            except ValueError:
                # The state has a number that JSON does not have.
                traceback.print_exc()
            else:
                # Errors have no parts; without a state the runtime requests it.
                if len(line) <= limits.line // 2:
                    send_line(line)
                    return
        send({"id": number, "error": error})

    def initialize(self, number, params):
        """Loads the graph; responds with its description."""
        try:
            limits.line = (params.get("limits") or {}).get("line_bytes", limits.line)
            self.value = load()
            graph = {"schemas": schemas_of(self.value)}
            result = {"protocol_version": 1, "graphs": {GRAPH: graph}}
            if 2 in (params.get("versions") or ()):
                result |= self.negotiate(params, graph)
            send({"id": number, "result": result})
        except SystemExit as end:
            # Skips the interpreter's shutdown, which aborts while a thread reads standard input.
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
        except Exception as error:
            traceback.print_exc()
            send({"id": number, "error": error_of(error)})

    def negotiate(self, params, graph):
        """Begins version 2 of the protocol; returns its members of the response to initialize."""
        from waybill_worker.state import OPERATIONS, memory_of
        given = params.get("limits") or {}
        limits.part = given.get("part_bytes", limits.part)
        limits.window = given.get("window_bytes", limits.window)
        features.checkpoint_batch = params.get("checkpoint_batch") is True
        features.checkpoint_last = params.get("checkpoint_last") is True
        features.same_values = params.get("same_values") is True
        self.requests = Requests()
        self.storage = params.get("storage") is True
        graph["memory"] = memory_of(self.value)
        graph["store"] = self.storage and graph["memory"] not in ("json", "state")
        operations = [] if graph["memory"] in ("json", "state") else list(OPERATIONS)
        return {"protocol_version": 2, "text_types": list(TEXT_TYPES), "newest_checkpoint": True, "operations": operations}

    def handle(self, line):
        """Handles a message of the runtime."""
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            self.initialize(number, params)
        elif method == "ping":
            send({"id": number, "result": {}})
        elif method == "run/start":
            self.begin(number, params, serve_run)
        elif method == "run/credit" and params["run"] in self.runs:
            self.runs[params["run"]].grant(params["bytes"])
        elif method == "run/cancel" and params["run"] in self.runs:
            self.runs[params["run"]].cancel()
        elif method == "shutdown":
            os._exit(0)
        elif self.requests and method is None and number is not None:
            self.requests.receive(message)
        elif self.requests and number is not None:
            self.handle_request(method, number, params)

    def handle_request(self, method, number, params):
        """Handles a request of version 2."""
        if method in ("thread/state", "thread/history", "thread/update", "graph/describe"):
            self.begin(number, params, operation(method))
        else:
            send({"id": number, "error": {"code": UNKNOWN_METHOD, "message": f"The worker has no method {method}."}})

    def begin(self, number, params, serve):
        """Executes a request for a run or its state as a task."""
        run = self.runs[params["run"]] = Run(params, self.requests, self.storage)
        run.task = asyncio.get_running_loop().create_task(self.start(number, run, serve))


async def wait_for_exit(cancelled):
    """Waits until LangGraph has stored what a cancelled graph did; it passes the task that does that in the error."""
    tasks = [task for task in cancelled.args if isinstance(task, asyncio.Task)]
    if tasks:
        await asyncio.wait(tasks, timeout=SECONDS_AFTER_CANCELLATION)


async def main():
    """Reads messages until standard input ends."""
    worker = Worker()
    loop = asyncio.get_running_loop()

    def read():
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(worker.handle, line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    await loop.create_future()


if __name__ == "__main__":
    asyncio.run(main())
