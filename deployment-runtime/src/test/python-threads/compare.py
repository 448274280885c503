"""Calls a server with the SDK for Python; prints the responses by case as JSON: compare.py URL"""

import asyncio
import json
import pathlib
import sys
import uuid

import httpx

sys.path.insert(0, str(pathlib.Path(__file__).parent / "stubs"))
from langgraph_sdk import get_client  # noqa: E402

ABSENT = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60"
CONCURRENT = 4


def message(content):
    return {"messages": [{"role": "user", "content": content, "id": f"m-{content}"}]}


async def attempt(call):
    """Returns the result, or the status of the response."""
    try:
        return await call
    except httpx.HTTPStatusError as error:
        return {"failed": error.response.status_code}


async def new_thread(client, **options):
    return (await client.threads.create(**options))["thread_id"]


async def wait(client, thread, content, graph="chat", **options):
    return await client.runs.wait(thread, graph, input=message(content), raise_error=False, **options)


async def start(client, thread, content, **options):
    return (await client.runs.create(thread, "chat", input=message(content), **options))["run_id"]


async def begun(client, thread):
    """Waits until the run has stored its first step."""
    for _ in range(400):
        history = await client.threads.get_history(thread, limit=1)
        if history and history[0]["values"].get("log"):
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("The run did not begin.")


async def talked(client):
    thread = await new_thread(client)
    await wait(client, thread, "one")
    await wait(client, thread, "two")
    return thread


async def threads_create(client):
    thread = str(uuid.uuid4())
    created = await client.threads.create(thread_id=thread, metadata={"a": 1}, if_exists="raise")
    again = await client.threads.create(thread_id=thread, if_exists="do_nothing")
    return {"created": created, "again": again,
            "conflict": await attempt(client.threads.create(thread_id=thread, if_exists="raise"))}


async def threads_get(client):
    thread = await talked(client)
    return await client.threads.get(thread)


async def threads_update(client):
    thread = await new_thread(client, metadata={"a": 1, "b": 2})
    await client.threads.update(thread, metadata={"b": 3})
    return (await client.threads.get(thread))["metadata"]


async def threads_search(client):
    tag = {"tag": str(uuid.uuid4())}
    thread = await new_thread(client, metadata=tag)
    await wait(client, thread, "hello")
    await new_thread(client, metadata=tag)
    found = await client.threads.search(metadata=tag, status="idle", limit=5)
    return {"found": len(found), "values": [entry.get("values") is not None for entry in found],
            "count": await client.threads.count(metadata=tag)}


async def threads_copy(client):
    thread = await talked(client)
    copied = await client.http.post(f"/threads/{thread}/copy", json=None)
    return {"other": copied["thread_id"] != thread, "history": len(await client.threads.get_history(copied["thread_id"]))}


async def threads_delete(client):
    thread = await new_thread(client)
    return {"deleted": await client.threads.delete(thread), "read": await attempt(client.threads.get(thread)),
            "again": await attempt(client.threads.delete(thread))}


async def threads_prune(client):
    thread = await talked(client)
    kept = await attempt(client.threads.prune([thread], strategy="keep_latest"))
    history = len(await client.threads.get_history(thread))
    return {"kept": kept, "history": history, "pruned": await attempt(client.threads.prune([thread, ABSENT]))}


async def state(client):
    thread = await talked(client)
    read = await client.threads.get_state(thread)
    updated = await client.threads.update_state(thread, {"topic": "new"}, as_node="plan")
    history = await client.threads.get_history(thread, limit=3)
    return {"state": read, "updated": updated, "topic": history[0]["values"].get("topic"),
            "next": [entry["next"] for entry in history]}


async def runs_wait(client):
    return await wait(client, await new_thread(client), "hello")


async def runs_wait_interrupted(client):
    return await wait(client, await new_thread(client), "hello", "approval")


async def runs_wait_missing(client):
    return {"thread": await attempt(wait(client, ABSENT, "hello")),
            "assistant": await attempt(wait(client, await new_thread(client), "hello", "unknown"))}


async def command_resume(client):
    thread = await new_thread(client)
    await wait(client, thread, "hello", "approval")
    values = await client.runs.wait(thread, "approval", command={"resume": "yes"})
    return {"values": values, "status": (await client.threads.get(thread))["status"]}


async def runs_create(client):
    thread = await new_thread(client)
    created = await client.runs.create(thread, "chat", input=message("hello"), metadata={"origin": "test"})
    return {"created": created, "joined": await client.runs.join(thread, created["run_id"]),
            "read": await client.runs.get(thread, created["run_id"])}


async def runs_statuses(client):
    thread = await talked(client)
    return {"statuses": [run["status"] for run in await client.runs.list(thread)],
            "none": await client.runs.list(thread, status="error")}


async def runs_delete(client):
    thread = await new_thread(client)
    run = await start(client, thread, "hello")
    await client.runs.join(thread, run)
    return {"deleted": await client.runs.delete(thread, run), "read": await attempt(client.runs.get(thread, run))}


async def runs_cancel(client):
    thread = await new_thread(client)
    run = await start(client, thread, "wait 60000")
    await begun(client, thread)
    await client.runs.cancel(thread, run, wait=True, action="interrupt")
    return {"run": (await client.runs.get(thread, run))["status"], "thread": (await client.threads.get(thread))["status"]}


async def runs_cancel_many(client):
    thread = await new_thread(client)
    run = await start(client, thread, "wait 1500")
    await begun(client, thread)
    result = await attempt(client.runs.cancel_many(thread_id=thread, run_ids=[run]))
    await attempt(client.runs.join(thread, run))
    return {"result": result, "run": (await client.runs.get(thread, run))["status"]}


async def runs_create_batch(client):
    created = await client.runs.create_batch(
        [{"assistant_id": "chat", "input": message(content), "metadata": {"content": content}} for content in ("one", "two")])
    return {"created": created, "own": len({run["run_id"] for run in created})}


async def collect(stream):
    return [{"event": part.event, "data": part.data} async for part in stream]


def streamed(**options):
    async def case(client):
        return await collect(client.runs.stream(await new_thread(client), "chat", input=message("hello"), **options))
    return case


async def stream_joined(client):
    thread = await new_thread(client)
    run = await start(client, thread, "wait 1000", stream_resumable=True, stream_mode=["values"])
    return await collect(client.runs.join_stream(thread, run, last_event_id="-1", stream_mode=["values"]))


async def stream_of_thread(client):
    thread = await new_thread(client)
    await start(client, thread, "wait 1500", stream_resumable=True)
    await begun(client, thread)
    parts = []

    async def read():
        async for part in await client.threads.join_stream(thread):
            parts.append({"event": part.event, "data": part.data})
            if isinstance(part.data, dict) and part.data.get("status") == "run_done":
                break
        return parts
    return await attempt(read())


async def without_thread(client):
    return await client.runs.wait(None, "chat", input=message("hello"))


async def store(client):
    namespace = ["python", str(uuid.uuid4())]
    await client.store.put_item(namespace, "one", {"a": 1})
    read = await client.store.get_item(namespace, "one")
    found = await client.store.search_items(namespace, filter={"a": 1})
    namespaces = await client.store.list_namespaces(prefix=namespace)
    await client.store.delete_item(namespace, "one")
    return {"value": read["value"], "key": read["key"], "found": len(found["items"]),
            "namespaces": len(namespaces["namespaces"])}


async def assistants(client):
    created = await client.assistants.create("chat", name="python", config={"tags": ["t"]}, metadata={"by": "test"})
    read = await client.assistants.get(created["assistant_id"])
    found = await client.assistants.search(metadata={"by": "test"}, limit=100)
    await client.assistants.delete(created["assistant_id"])
    return {"created": created, "same": read == created, "found": created["assistant_id"] in [a["assistant_id"] for a in found],
            "missing": await attempt(client.assistants.get(created["assistant_id"]))}


CASES = {
    "threads.create": threads_create, "threads.get after run": threads_get, "threads.update": threads_update,
    "threads.search": threads_search, "threads.copy": threads_copy, "threads.delete": threads_delete,
    "threads.prune": threads_prune, "update of the state": state, "runs.wait": runs_wait,
    "runs.wait interrupted": runs_wait_interrupted, "runs.wait missing": runs_wait_missing, "command resume": command_resume,
    "runs.create": runs_create, "runs.list": runs_statuses, "runs.delete": runs_delete, "runs.cancel interrupt": runs_cancel,
    "runs.cancelMany": runs_cancel_many, "runs.createBatch": runs_create_batch, "stream values": streamed(),
    "stream updates": streamed(stream_mode="updates"), "stream messages-tuple": streamed(stream_mode="messages-tuple"),
    "stream several modes": streamed(stream_mode=["values", "updates"]), "stream joined": stream_joined,
    "stream of a thread": stream_of_thread, "run without a thread": without_thread, "store": store, "assistants": assistants,
}


async def main(url):
    client = get_client(url=url, api_key="none")
    limit = asyncio.Semaphore(CONCURRENT)

    async def response(name, case):
        async with limit:
            try:
                return name, await case(client)
            except Exception as error:
                return name, {"thrown": f"{type(error).__name__}: {error}"}

    print(json.dumps(dict(await asyncio.gather(*(response(*entry) for entry in CASES.items())))))


asyncio.run(main(*sys.argv[1:]))
