"""Sends the checkpoints and writes of a run in batches (docs/worker-protocol-threads.md)."""

import asyncio

from waybill_worker.lines import encode, features, limits, send_line
from waybill_worker.requests import large_values, on_worker_loop, wires

# A checkpoint that nothing waits for is lost if the process is killed during this time.
DELAY_SECONDS = 0.1
MAX_BYTES = 256 << 10
# Of the last checkpoints of a run; the runtime accepts twice this size.
MAX_LAST_BYTES = 128 << 10
# Requests without a response, besides the bytes of the runtime's window, beyond which the graph waits.
MAX_UNSTORED = 1000
# Of a channel or a write in a message, besides its value.
OVERHEAD_BYTES = 256


class Timer:
    """Sends the batches of all runs together, so that the runtime stores them together."""

    def __init__(self):
        self.due = set()
        self.handle = None

    def add(self, batches):
        """Sends the batch of a run soon."""
        self.due.add(batches)
        if self.handle is None:
            self.handle = batches.loop.call_later(DELAY_SECONDS, self.send)

    def send(self):
        """Sends all batches that wait."""
        due, self.due, self.handle = self.due, set(), None
        for batches in due:
            batches.flush()


timer = Timer()


class Batches:
    """The requests of a run that write checkpoints, in their order. A batch is sent after the response to the one before:
    otherwise a checkpoint could be stored although an earlier one, whose values it refers to, was not.

    deferred: whether requests may wait for later ones, because nothing waits for their responses."""

    def __init__(self, channel, deferred):
        self.channel = channel
        self.loop = channel.loop
        self.deferred = deferred
        self.waiting = []
        self.size = 0
        self.unstored = 0
        self.unstored_size = 0
        self.sending = None
        self.failure = None
        # The line of the requests that wait, if they are stored with the end of the run.
        self.last = None
        channel.flush = self.flush
        channel.keep = self.keep
        channel.complete = self.complete

    @on_worker_loop
    async def add(self, method, params, values):
        """Sends a request in a batch (see Channel.request_with_values); returns its response, or None at once if deferred."""
        if self.failure:
            raise self.failure
        response = self.loop.create_future()
        # Its failure ends the run, also if nothing waits for it.
        response.add_done_callback(lambda done: done.exception())
        self.waiting.append((method, params, values, response))
        self.last = None
        self.unstored += 1
        self.unstored_size += size_of(values)
        self.channel.hold()
        if not self.deferred:
            self.loop.call_soon(self.flush)
            return await asyncio.shield(response)
        self.size += size_of(values)
        if self.size > MAX_BYTES:
            self.flush()
        else:
            timer.add(self)
        return None

    def flush(self):
        """Sends the requests that wait; returns a task that ends after the responses, or None."""
        timer.due.discard(self)
        self.size = 0
        self.last = None
        if self.waiting and not self.is_sending():
            self.sending = self.loop.create_task(self.send())
        return self.sending

    @on_worker_loop
    async def room(self):
        """Waits while the runtime stores checkpoints more slowly than the graph makes them."""
        if self.unstored > MAX_UNSTORED or self.unstored_size > limits.window:
            await self.stored()

    @on_worker_loop
    async def stored(self):
        """Waits for the responses to all requests, of which some may have failed."""
        while self.waiting or self.is_sending():
            await asyncio.wait([self.flush()])

    def is_sending(self):
        return self.sending is not None and not self.sending.done()

    def keep(self):
        """Keeps the requests that wait until the result of the run, which the runtime stores together with them; returns
        whether that is possible: all others have responses, and these are small."""
        if not features.checkpoint_last or not self.deferred or self.failure or self.channel.outstanding or self.is_sending():
            return False
        params, values = together(self.waiting)
        if large_values(values):
            return False
        timer.due.discard(self)
        if self.waiting:
            try:
                last = encode({"method": "checkpoint/last", "params": {"run": self.channel.run, **params(wires(values))}})
            except ValueError:
                # As a request, it fails the run.
                return False
            self.last = last if len(last) <= MAX_LAST_BYTES else None
        return not self.waiting or self.last is not None

    async def complete(self):
        """Sends the kept requests, directly before the result of the run; without them waits until all are stored."""
        if not self.last:
            await self.stored()
            if self.failure:
                raise self.failure
            return
        send_line(self.last)
        for _ in self.waiting:
            self.channel.release()
        self.last, self.waiting = None, []

    async def send(self):
        while self.waiting:
            batch = self.next()
            del self.waiting[:len(batch)]
            try:
                if self.failure:
                    raise self.failure
                result = await self.request(batch)
            except Exception as error:
                # A later checkpoint would refer to what is missing.
                self.failure = self.failure or error
                self.channel.abort(error)
                complete(batch, lambda response: response.set_exception(error))
            else:
                complete(batch, lambda response: response.set_result(result))
            for _, _, values, _ in batch:
                self.unstored -= 1
                self.unstored_size -= size_of(values)
                self.channel.release()

    def next(self):
        """Returns requests that fit into a line, at least one."""
        maximum = min(MAX_BYTES, limits.line // 8) if features.checkpoint_batch else 0
        count, total = 0, 0
        for _, _, values, _ in self.waiting:
            total += size_of(values)
            if count > 0 and total > maximum:
                break
            count += 1
        return self.waiting[:count]

    async def request(self, batch):
        if len(batch) == 1:
            method, params, values, _ = batch[0]
            return await self.channel.request_with_values(method, params, values)
        return await self.channel.request_with_values("checkpoint/batch", *together(batch))


def together(batch):
    """Returns the params of a batch, as a function of the wire forms of its values, and the values."""
    def operations(forms):
        start, all_params = 0, []
        for method, params, values, _ in batch:
            all_params.append({"method": method, **params(forms[start:start + len(values)])})
            start += len(values)
        return {"operations": all_params}

    return operations, [value for _, _, values, _ in batch for value in values]


def complete(batch, use):
    """Completes the responses of the batch that still wait."""
    for _, _, _, response in batch:
        if not response.done():
            use(response)


def size_of(values):
    """Returns the approximate size of serialized values in a message; bytes are longer in base64."""
    return sum(len(value) * 4 // 3 + OVERHEAD_BYTES for _, value in values)
