"""A host of the worker protocol, version 2, for tests: it starts a worker and keeps checkpoints and items in memory."""

import base64
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import uuid

from memory import Items, Memory

SHIM = os.environ.get("SHIM") or str(pathlib.Path(__file__).parents[2] / "main/resources/shims/worker.py")
MAX_SECONDS = 60
# Requests that use the window of their run.
WINDOW = ("checkpoint/put", "checkpoint/putWrites", "checkpoint/batch", "store/batch")


class Failed(Exception):
    """An error response of the worker."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}


class Host:
    """Starts a worker for a graph of a module. Memory of threads outlives the worker, see restart."""

    def __init__(self, graph, module="graphs.py", offer=(1, 2), storage=True, part=256 << 10, window=8 << 20, line=4 << 20,
                 batches=True, last=True, newest=True, same=True):
        self.command = [sys.executable, SHIM, "agent", module, graph]
        self.offer, self.storage, self.newest = offer, storage, newest
        self.features = {"checkpoint_batch": batches, "checkpoint_last": last, "same_values": same}
        self.limits = {"line_bytes": line, "part_bytes": part, "window_bytes": window, "state_bytes": 20 << 20}
        self.threads = collections.defaultdict(lambda: Memory(part))
        self.reset()
        self.start()

    def reset(self):
        """Forgets items and what an earlier test did; threads have their own names."""
        self.items = Items()
        self.delay, self.refusals, self.requests, self.lines, self.log, self.named = 0, [], [], [], [], []
        self.delayed = ("checkpoint/put", "checkpoint/putWrites")
        self.window, self.sizes = collections.Counter(), collections.Counter()

    def start(self):
        """Starts the worker."""
        here = pathlib.Path(__file__).parent
        environment = {**os.environ, "PYTHONPATH": str(here / "stubs"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.numbers = itertools.count(1)
        self.responses, self.runs, self.starts, self.last, self.parts, self.texts = {}, {}, {}, {}, {}, {}
        self.changed = threading.Condition(threading.RLock())
        self.process = subprocess.Popen(self.command, cwd=here, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        threading.Thread(target=self.read, args=(self.process,), daemon=True).start()
        offered = {"versions": list(self.offer), "storage": self.storage} if 2 in self.offer else {}
        offered |= {name: True for name, known in self.features.items() if known}
        self.capabilities = self.call("initialize", {"protocol_version": 1, **offered, "graphs": ["agent"],
                                                     "limits": self.limits})

    def stop(self):
        """Kills the worker."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def restart(self):
        """Replaces the worker by another one."""
        self.stop()
        self.start()

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        number = next(self.numbers)
        if "run" in params:
            self.runs[params["run"]] = (params, [])
            self.starts[number] = params["run"]
        self.send({"id": number, "method": method, "params": params})
        return number

    def response(self, number):
        with self.changed:
            assert self.changed.wait_for(lambda: number in self.responses, MAX_SECONDS), "the worker does not respond"
            message = self.responses.pop(number)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def call(self, method, params):
        """Sends a request; returns its result."""
        return self.response(self.request(method, params))

    def begin(self, thread, given=None, **params):
        """Starts a run, on a thread if it has one; returns its name and the number of its request."""
        run = params.pop("run", None) or str(uuid.uuid4())
        place = {"thread": {"id": thread, "checkpoint": params.pop("checkpoint", None), "versions": params.pop("versions", {})}}
        if thread and self.newest and self.capabilities.get("newest_checkpoint") and "attempt" not in params:
            place["newest"] = self.threads[thread].get({"ns": ""})
        members = {"run": run, "graph": "agent", "credit": 1 << 30, "input": given, "stream_modes": ["values"],
                   **(place if thread else {}), **params}
        return run, self.request("run/start", members)

    def run(self, thread, given=None, **params):
        """Executes a run; returns its result with its events."""
        run, number = self.begin(thread, given, **params)
        result = self.response(number)
        return {**result, "events": self.runs[run][1], "run": run}

    def operate(self, method, thread, **params):
        """Executes a request for state."""
        return self.call(f"thread/{method}", {"run": str(uuid.uuid4()), "graph": "agent", "thread": thread, **params})

    def wait_for_event(self, run, mode="values"):
        with self.changed:
            assert self.changed.wait_for(lambda: any(event[0] == mode for event in self.runs[run][1]), MAX_SECONDS)

    def read(self, process):
        for line in process.stdout:
            assert len(line) <= self.limits["line_bytes"], "overlong line"
            message = json.loads(line)
            params = message.get("params") or {}
            with self.changed:
                if "method" not in message:
                    self.respond_with(message)
                elif message["method"] == "checkpoint/last":
                    assert params["run"] not in self.last, "the last checkpoints of a run were sent twice"
                    self.lines.append(message["method"])
                    self.sizes[message["method"]] += len(line)
                    self.last[params["run"]] = params
                elif "id" not in message:
                    self.runs[params["run"]][1].append((params["mode"], tuple(params.get("namespace", ())), params["data"]))
                    self.log.append((params["mode"], params["data"]))
                    self.named.append((tuple(params.get("namespace", ())), params["mode"], params["data"], params.get("checkpoint")))
                else:
                    self.answer(message["id"], message["method"], params, len(line) - 1)
                self.changed.notify_all()
        process.stdout.close()

    def respond_with(self, message):
        result = message.get("result")
        run = self.starts.pop(message["id"], None)
        last = self.last.pop(run, None)
        if last:
            # The runtime stores them in the transaction that ends the run.
            assert result, "a failed run has sent its last checkpoints without a response"
            for name, one in operations_of("checkpoint/batch", last):
                self.requests.append((name, one))
                self.result(name, {**one, "run": run})
                self.log.append((name, one.get("id")))
        if isinstance(result, dict) and "parts" in result:
            result = json.loads("".join(self.texts.pop(message["id"])))
        if isinstance(result, dict) and "value_names" in result:
            # The state contains the other final values.
            known = {**result["state"]["values"], **result["values"]}
            result = {**result, "values": {name: known[name] for name in result.pop("value_names")}}
        self.responses[message["id"]] = {**message, "result": result} if "result" in message else message

    def answer(self, number, method, params, size):
        """Answers a request of the worker, later if there is a delay."""
        self.lines.append(method)
        operations = operations_of(method, params)
        self.requests.extend(operations)
        methods = [name for name, _ in operations]
        if method in WINDOW:
            # The last line may exceed the window.
            assert self.window[params["run"]] < self.limits["window_bytes"], "the window is exceeded"
            self.window[params["run"]] += size
        refusal = next((refusal for refusal in self.refusals if refusal[0] in methods), None)
        if refusal:
            self.refusals.remove(refusal)
            self.window[params["run"]] -= size if method in WINDOW else 0
            self.send({"id": number, "error": {"code": refusal[1], "message": "refused", "data": {"error": refusal[2]}}})
            return
        results = [self.result(name, {**one, "run": params["run"]}) for name, one in operations]
        answer = {"id": number, "result": results[-1]}
        stored = [(name, one.get("id")) for name, one in operations]
        used = size if method in WINDOW else 0
        if self.delay and any(name in self.delayed for name in methods):
            threading.Timer(self.delay, self.acknowledge, (params["run"], stored, answer, used)).start()
        else:
            self.acknowledge(params["run"], stored, answer, used)

    def acknowledge(self, run, stored, answer, used):
        with self.changed:
            self.window[run] -= used
            self.log.extend(stored)
            self.send(answer)

    def result(self, method, params):
        if method == "store/batch":
            return self.items.batch(params["operations"])
        if method == "blob/part":
            parts = self.parts.setdefault(params["run"], collections.defaultdict(bytes))
            parts[params["part"]] += base64.b64decode(params["value"]["base64"])
            return {}
        if method == "result/part":
            self.texts.setdefault(params["request"], []).append(params["text"])
            return {}
        thread = self.runs[params["run"]][0]["thread"]
        memory = self.threads[thread if isinstance(thread, str) else thread["id"]]
        if method in ("checkpoint/put", "checkpoint/putWrites"):
            store = memory.put if method == "checkpoint/put" else memory.put_writes
            return store(params, lambda form: self.value(params["run"], form))
        return {"checkpoint/get": memory.get, "checkpoint/list": memory.list, "blob/read": memory.read,
                "checkpoint/delete": lambda _: memory.delete()}[method](params)

    def value(self, run, form):
        """Returns the bytes of a value of the worker."""
        if form is None:
            return b""
        if isinstance(form, str):
            return form.encode()
        if "base64" in form:
            return base64.b64decode(form["base64"])
        value = self.parts[run].pop(form["part"])
        assert len(value) == form["size"], "the value is incomplete"
        return value


def operations_of(method, params):
    """Returns the requests of a message, with the values to which others refer."""
    operations = [(one["method"], one) for one in params["operations"]] if method == "checkpoint/batch" else [(method, params)]
    values = []
    for _, one in operations:
        for form in [one[name] for name in ("checkpoint",) if name in one] + one.get("blobs", []) + one.get("writes", []):
            if isinstance(form[-1], dict) and "same" in form[-1]:
                form[-1] = values[form[-1]["same"]]
            elif form[-1] is not None:
                values.append(form[-1])
    return operations
