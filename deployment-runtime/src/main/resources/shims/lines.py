"""Standard input and output of the worker: one protocol message per line."""

import dataclasses
import json
import os
import sys
import threading
import types

# Limits of the runtime's initialize message, in bytes.
limits = types.SimpleNamespace(line=4 << 20, part=256 << 10, window=8 << 20)

# What the runtime accepts besides the requests of version 2.
features = types.SimpleNamespace(checkpoint_batch=False, checkpoint_last=False, same_values=False)

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


def encode(message, default=to_json):
    """Returns the message as bytes without the line feed."""
    text = json.dumps({"jsonrpc": "2.0", **message}, default=default, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")


def send(message, default=to_json):
    """Sends the message; returns the length of its line."""
    return send_line(encode(message, default))


def send_line(line):
    """Sends the encoded message; returns its length."""
    rest = memoryview(line + b"\n")
    # LangChain calls handlers in its own threads.
    with output_lock:
        while rest:
            rest = rest[protocol.write(rest):]
    return len(line)
