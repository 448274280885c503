"""Requests of the worker to the runtime: their responses, window, large values and errors."""

import asyncio
import base64
import collections
import functools
import itertools
import json

from waybill_worker.lines import encode, features, limits, send, send_line, to_json

STORAGE_UNAVAILABLE = -32004
# The run has ended, or another replica has it, or its thread was deleted.
RUN_IS_OVER = (-32001, -32002, -32005)
MAX_RETRIES = 5
FIRST_BACKOFF_SECONDS = 0.1
# Types whose values are sent as text.
TEXT_TYPES = ("json",)
# Values of a message from this length are sent once if they are equal, up to a total that the runtime accepts.
MIN_SAME_LENGTH = 256
MAX_SAME_BYTES = 1 << 20


class RuntimeRefused(Exception):
    """An error response of the runtime; raised as a subclass that has the name of the error."""

    code = None
    retry_after = None


def refusal(error):
    """Returns the exception for an error response."""
    data = error.get("data") or {}
    kind = type(str(data.get("error") or "RuntimeRefused"), (RuntimeRefused,), {})
    refused = kind(error.get("message") or f"The runtime returned the error {error.get('code')}.")
    refused.code = error.get("code")
    refused.retry_after = data.get("retry_after_ms")
    return refused


class Requests:
    """Matches responses of the runtime to the worker's requests."""

    def __init__(self):
        self.numbers = itertools.count(1)
        self.pending = {}

    def send(self, channel, method, params):
        """Sends the request; returns the future of its result. Its line is in the channel's window until the response."""
        number = next(self.numbers)
        result = asyncio.get_running_loop().create_future()
        # The run comes first, so that a broken line fails only its run.
        line = encode({"id": number, "method": method, "params": {"run": channel.run, **params}})
        if len(line) > limits.line:
            raise ValueError(f"{method} of {len(line)} bytes exceeds the maximum of {limits.line} bytes of a message.")
        self.pending[number] = (channel, len(line), result)
        channel.sent(len(line))
        send_line(line)
        return result

    def receive(self, message):
        """Completes the request of the response."""
        channel, size, result = self.pending.pop(message.get("id"), (None, 0, None))
        if channel is None:
            return
        channel.received(size)
        if result.done():
            return
        if "error" in message:
            result.set_exception(refusal(message["error"]))
            # A caller that was cancelled does not read it.
            result.exception()
        else:
            result.set_result(message.get("result"))


def on_worker_loop(method):
    """Executes the coroutine method on the worker's event loop, also for callers on another one."""
    @functools.wraps(method)
    async def execute(self, *values):
        if asyncio.get_running_loop() is self.loop:
            return await method(self, *values)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(method(self, *values), self.loop))
    return execute


class Channel:
    """The requests of one run."""

    def __init__(self, requests, run, abort):
        self.loop = asyncio.get_running_loop()
        self.requests = requests
        self.run = run
        self.abort = abort
        self.outstanding = 0
        # Writes that wait for their batch, or for its response.
        self.held = 0
        # Sends the writes that wait for others.
        self.flush = lambda: None
        # Keeps these writes for the end of the run; returns whether that is possible.
        self.keep = lambda: False
        # Sends the kept writes.
        self.complete = None
        self.waiting = collections.deque()
        self.messages = itertools.count()
        self.large = asyncio.Lock()
        self.idle = asyncio.Event()
        self.idle.set()

    def sent(self, size):
        """Adds a request to the window."""
        self.outstanding += size
        self.idle.clear()

    def received(self, size):
        """Removes a request from the window; wakes requests that wait for it."""
        self.outstanding -= size
        self.check_idle()
        while self.waiting and self.outstanding < limits.window:
            waiter = self.waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)

    def hold(self):
        """Adds a write that is sent later."""
        self.held += 1
        self.idle.clear()

    def release(self):
        """Removes such a write, which was stored or has failed."""
        self.held -= 1
        self.check_idle()

    def check_idle(self):
        """Wakes what waits for the end of all requests."""
        if self.outstanding == 0 and self.held == 0:
            self.idle.set()

    @on_worker_loop
    async def request(self, method, params):
        """Sends a request and returns its result. Retries while the storage is unavailable."""
        return await self.retry(lambda: self.send(method, params))

    @on_worker_loop
    async def request_with_values(self, method, params, values):
        """Sends a request with serialized values (type, bytes), which params receives as wire forms; they may be large."""
        large = large_values(values)
        if not large:
            return await self.request(method, params(wires(values)))
        # A run sends one such message at a time.
        async with self.large:
            return await self.retry(lambda: self.send_large(method, params, values, large))

    async def retry(self, send):
        """Returns the result of the request; retries while the storage is unavailable."""
        for attempt in range(MAX_RETRIES + 1):
            try:
                return await send()
            except RuntimeRefused as error:
                if error.code in RUN_IS_OVER:
                    self.abort(error)
                if error.code != STORAGE_UNAVAILABLE or attempt == MAX_RETRIES:
                    raise
                backoff = FIRST_BACKOFF_SECONDS * 2 ** attempt
                await asyncio.sleep(max(backoff, (error.retry_after or 0) / 1000))

    async def send(self, method, params):
        """Sends a request when the window permits it; returns its result."""
        await self.wait_for_window()
        return await self.requests.send(self, method, params)

    async def send_large(self, method, params, values, large):
        """Sends the large values in parts, then the request."""
        members = {"message": next(self.messages), "total": sum(len(values[index][1]) for index in large)}
        for part, index in enumerate(large):
            value = values[index][1]
            for start in range(0, len(value), limits.part):
                piece = base64.b64encode(value[start:start + limits.part]).decode()
                await self.send("blob/part", {**members, "part": part, "size": len(value), "value": {"base64": piece}})
        forms = [[kind, {"part": large.index(index), "size": len(value)}] if index in large else wire(kind, value)
                 for index, (kind, value) in enumerate(values)]
        return await self.send(method, params(forms))

    async def wait_until_idle(self, stopped, seconds):
        """Waits for the responses to all requests, but not longer than some time after the event; returns whether all came."""
        self.flush()
        idle, stop = [asyncio.ensure_future(event.wait()) for event in (self.idle, stopped)]
        await asyncio.wait([idle, stop], return_when=asyncio.FIRST_COMPLETED)
        if not idle.done():
            await asyncio.wait([idle], timeout=seconds)
        idle.cancel()
        stop.cancel()
        return self.idle.is_set()

    async def wait_for_window(self):
        """Waits until the run may send another request."""
        while self.outstanding >= limits.window:
            waiter = asyncio.get_running_loop().create_future()
            self.waiting.append(waiter)
            await waiter

    async def value(self, form):
        """Returns the bytes of a value in one of its wire forms."""
        if form is None:
            return b""
        if isinstance(form, str):
            return form.encode()
        if "base64" in form:
            return base64.b64decode(form["base64"])
        read = bytearray()
        while len(read) < form["size"]:
            result = await self.request("blob/read", {"ref": form["ref"], "offset": len(read)})
            piece = await self.value(result["value"])
            if not piece:
                raise ValueError(f"The runtime returned {len(read)} of {form['size']} bytes of a value.")
            read += piece
        return bytes(read)

    async def respond(self, number, result):
        """Responds to a request of the runtime; sends kept writes and a large result in parts first."""
        text = json.dumps(result, default=to_json, ensure_ascii=False, allow_nan=False)
        line = f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "result": {text}}}'.encode("utf-8", "replace")
        if self.complete:
            await self.complete()
        if len(line) <= limits.line // 2:
            send_line(line)
            return
        total = len(text.encode("utf-8", "replace"))
        pieces = [text[start:start + limits.part // 4] for start in range(0, len(text), limits.part // 4)]
        for part, piece in enumerate(pieces):
            await self.request("result/part", {"request": number, "part": part, "total": total, "text": piece})
        send({"id": number, "result": {"parts": len(pieces)}})


def large_values(values):
    """Returns the indexes of values that are sent in parts: large ones, and those beyond what fits into a line."""
    large, size = [], 0
    for index, (_, value) in enumerate(values):
        if len(value) > limits.part or size + len(value) > limits.line // 4:
            large.append(index)
        else:
            size += len(value)
    return large


def wires(values):
    """Returns the types and the wire forms of the serialized values of a message; equal ones refer to the first."""
    forms, numbers, count, repeated = [], {}, 0, 0
    for kind, value in values:
        # Also LangGraph's serializer returns a bytearray unchanged.
        number = numbers.get(value) if isinstance(value, bytes) else None
        if number is not None and repeated + len(value) <= MAX_SAME_BYTES:
            repeated += len(value)
            forms.append([kind, {"same": number}])
            continue
        if features.same_values and len(value) >= MIN_SAME_LENGTH and isinstance(value, bytes):
            numbers[value] = count
        count += kind != "empty"
        forms.append(wire(kind, value))
    return forms


def wire(kind, value):
    """Returns the type and the wire form of a serialized value."""
    if kind == "empty":
        return [kind, None]
    return [kind, value.decode() if kind in TEXT_TYPES else {"base64": base64.b64encode(value).decode()}]
