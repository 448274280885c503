"""Uses threads of the runtime with the SDK for Python; prints the results as JSON."""

import asyncio
import json
import pathlib
import sys
import uuid

import httpx

sys.path.insert(0, str(pathlib.Path(__file__).parent / "stubs"))
from langgraph_sdk import get_client  # noqa: E402

ASSISTANT = "threads"


def message(content):
    return {"messages": [{"role": "user", "content": content}]}


async def status_of(call):
    """Returns the status of a failed call."""
    try:
        await call
    except httpx.HTTPStatusError as error:
        return error.response.status_code
    return 200


async def wait(client, thread, content, **options):
    return await client.runs.wait(thread, ASSISTANT, input=message(content), **options)


async def completions(client):
    thread = (await client.threads.create())["thread_id"]
    return [(await wait(client, thread, name, on_completion=name))["log"][-1]
            for name in ("delete", "keep", "complete", "continue")]


async def kept(client):
    """Returns whether a run without a thread has none, for each name of the SDK."""
    runs = {name: await client.runs.create(None, ASSISTANT, input=message(name), on_completion=name)
            for name in ("delete", "keep")}
    return {name: run["thread_id"] == run["run_id"] for name, run in runs.items()}


async def cancelled(client, thread):
    run = (await client.runs.create(thread, ASSISTANT, input=message("wait 60000")))["run_id"]
    await client.runs.cancel(thread, run, wait=True, action="interrupt")
    return (await client.runs.get(thread, run))["status"]


async def copy(client, thread):
    copied = (await client.http.post(f"/threads/{thread}/copy", json=None))["thread_id"]
    return {"log": (await client.threads.get(copied))["values"]["log"], "runs": len(await client.runs.list(copied)),
            "states": len(await client.threads.get_history(copied)) == len(await client.threads.get_history(thread))}


async def search(client):
    group = {"group": str(uuid.uuid4())}
    thread = (await client.threads.create(metadata=group, ttl=60))["thread_id"]
    await client.threads.create(metadata=group, ttl={"ttl": 60, "strategy": "delete"})
    await wait(client, thread, "found")
    return {"values": len(await client.threads.search(metadata=group, values={"log": ["found"]})),
            "metadata": len(await client.threads.search(metadata={**group, "graph_id": ASSISTANT})),
            "busy": len(await client.threads.search(metadata=group, status="busy")),
            "count": await client.threads.count(metadata=group, values={"log": ["found"]})}


async def item(client):
    namespace = ["sdk", str(uuid.uuid4())]
    await client.store.put_item(namespace, "one", {"a": 1}, ttl=60)
    value = (await client.store.get_item(namespace, "one", refresh_ttl=True))["value"]
    prefix = len((await client.store.search_items(namespace, filter={"a": 1}))["items"])
    await client.store.delete_item(namespace, "one")
    return {"value": value, "prefix": prefix, "deleted": await client.store.get_item(namespace, "one") is None}


async def several(client):
    """Starts, cancels and prunes several at once."""
    batch = await client.runs.create_batch([{"assistant_id": ASSISTANT, "input": message(name)} for name in ("one", "two")])
    thread = (await client.threads.create())["thread_id"]
    run = (await client.runs.create(thread, ASSISTANT, input=message("wait 60000")))["run_id"]
    await client.runs.cancel_many(thread_id=thread, run_ids=[run])
    while (await client.runs.get(thread, run))["status"] != "interrupted":
        await asyncio.sleep(0.05)
    return {"batch": len(batch), "cancelled": True, "kept": await client.threads.prune([thread], strategy="keep_latest"),
            "pruned": await client.threads.prune([thread]), "read": await status_of(client.threads.get(thread))}


async def thread_stream(client):
    """Streams a thread until one of its runs has ended."""
    thread = (await client.threads.create())["thread_id"]
    done = []

    async def read():
        async for part in await client.threads.join_stream(thread, stream_mode=["run_modes"]):
            if part.event == "metadata" and part.data.get("status") == "run_done":
                done.append(part.data["run_id"])
                return

    reading = asyncio.create_task(read())
    while not reading.done():
        await wait(client, thread, "hello")
    await reading
    return done[0] in [run["run_id"] for run in await client.runs.list(thread)]


async def supersteps(client):
    thread = await client.threads.create(graph_id=ASSISTANT, supersteps=[
        {"updates": [{"values": {"log": ["given"]}, "as_node": "begin"}]}])
    return (await client.threads.get_state(thread["thread_id"]))["values"]["log"]


async def main(url, key):
    client = get_client(url=url, api_key=key)
    thread = str(uuid.uuid4())
    created = {"missing": await status_of(wait(client, thread, "first")),
               "log": (await wait(client, thread, "first", if_not_exists="create"))["log"]}
    print(json.dumps({"completions": await completions(client), "kept": await kept(client), "created": created,
                      "copy": await copy(client, thread), "cancelled": await cancelled(client, thread),
                      "search": await search(client), "item": await item(client),
                      "supersteps": await supersteps(client), "several": await several(client),
                      "stream": await thread_stream(client)}))


asyncio.run(main(*sys.argv[1:]))
