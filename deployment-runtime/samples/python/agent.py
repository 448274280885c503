"""An agent without dependencies: an async generator. Strings are chunks of the message, (mode, data) are other events."""

import asyncio
import re


class AskedToFail(Exception):
    """Raised for the message "fail"."""


async def graph(given, runtime):
    messages = (given or {}).get("messages") or [{}]
    text = str(messages[-1].get("content", "")).strip()
    if text == "fail":
        raise AskedToFail("The agent was asked to fail.")
    asked = re.fullmatch(r"tokens:(\d+)(?:\s+delay:(\d+))?", text)
    pieces = [f"token-{i} " for i in range(int(asked[1]))] if asked else re.split(r"(?<=\s)", text)
    for number, piece in enumerate(pieces, 1):
        if asked and asked[2]:
            await asyncio.sleep(int(asked[2]) / 1000)
        yield piece
        yield "custom", {"pieces": number}
