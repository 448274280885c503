"""LangGraph's checkpointer whose checkpoints the runtime stores. One saver belongs to one run or state operation."""

import asyncio
import dataclasses
import random

from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver, CheckpointTuple, get_checkpoint_metadata

from waybill_worker.batches import Batches

# Task and channel of an answer to an interrupt whose task is not known yet.
NULL_TASK = "00000000-0000-0000-0000-000000000000"
RESUME = "__resume__"
MAX_SUFFIX = 10 ** 16
MAX_PAGE = 1000


class CheckpointNotFound(Exception):
    """The checkpoint from which the run forks was deleted before the run started."""


@dataclasses.dataclass
class Saved:
    """The last checkpoint that a run wrote, or loaded (then with its wire form, because a graph changes what it loads).

    start: whether a run that writes no checkpoint ends here: at the newest one, or at that of its fork."""

    id: str
    parent: str | None = None
    checkpoint: dict | None = None
    metadata: dict | None = None
    loaded: dict | None = None
    start: bool = True
    writes: dict = dataclasses.field(default_factory=dict)


class RunSaver(BaseCheckpointSaver):
    """Sends checkpoints to the runtime. Its copies (with_allowlist) share the state of the run."""

    def __init__(self, channel, thread, loop, continued=False, fork=None, newest=(), deferred=False):
        super().__init__()
        self.continued = continued
        self.fork = fork
        self.channel = channel
        self.thread = thread
        self.loop = loop
        # Shared by copies: what the runtime sent as the newest checkpoint of the thread, until the first use of the saver.
        self.given = list(newest)
        # Shared by copies: the newest checkpoint of the root, and the writes.
        self.root = []
        self.batches = Batches(channel, deferred)
        # The tuple that the end of the run reads, instead of asking the runtime for it.
        self.prepared = []
        # Values that are part of a checkpoint and not stored apart, by namespace, channel and version.
        self.contained = {}
        self.stored = Acknowledgements(loop)

    def get_next_version(self, current, channel):
        """Returns a version that is unique in the thread and sorts after the current one, also in forks."""
        number = current if isinstance(current, int) else int(str(current).split(".")[0]) if current else 0
        return f"{number + 1:032}.{random.randrange(MAX_SUFFIX):016}"

    async def aget_tuple(self, config):
        """Returns the checkpoint of the config, or the newest of its namespace."""
        namespace, key = self.place(config)
        if self.prepared and namespace == "" and key == self.prepared[0].checkpoint["id"]:
            return self.prepared[0]
        found = await self.find(namespace, key)
        if found is None:
            if namespace == "" and key and key == self.fork:
                # LangGraph would begin a new history.
                raise CheckpointNotFound(f"The thread no longer has the checkpoint {key}.")
            self.stored.add(namespace)
            return None
        self.stored.add(namespace, found["id"])
        found["bytes"] = {(channel, version): [kind, await self.channel.value(form)]
                          for channel, version, kind, form in found["blobs"]}
        for write in found["writes"]:
            write[4] = await self.channel.value(write[4])
        found["checkpoint"] = [found["checkpoint"][0], await self.channel.value(found["checkpoint"][1])]
        if namespace == "":
            self.root[:] = [Saved(found["id"], found.get("parent_id"), loaded=found, start=key == self.fork)]
        return self.tuple_of(found, found["bytes"])

    async def find(self, namespace, key):
        """Returns a checkpoint of the runtime; that of the start of the run if it is the newest one."""
        given = self.given.copy()
        self.given.clear()
        if given and namespace == "" and not key:
            return given[0]
        await self.batches.stored()
        return await self.channel.request("checkpoint/get", {"ns": namespace, **({"id": key} if key else {})})

    async def alist(self, config, *, filter=None, before=None, limit=None):
        """Yields the thread's checkpoints, newest first."""
        if config is None:
            raise ValueError("The checkpointer lists only the run's own thread; pass a config with thread_id.")
        namespace, key = self.place(config, None)
        following = self.place(before, None)[1] if before else None
        await self.batches.stored()
        while limit is None or limit > 0:
            maximum = None if limit is None else min(limit, MAX_PAGE)
            members = {"ns": namespace, "id": key, "before": following, "limit": maximum, "filter": filter}
            page = await self.channel.request("checkpoint/list", {k: v for k, v in members.items() if v is not None})
            blobs = {(blob[0], blob[1]): [blob[2], await self.channel.value(blob[3])] for blob in page["blobs"]}
            for found in page["tuples"]:
                for write in found["writes"]:
                    write[4] = await self.channel.value(write[4])
                found["checkpoint"] = [found["checkpoint"][0], await self.channel.value(found["checkpoint"][1])]
                yield self.tuple_of(found, blobs)
            limit = None if limit is None else limit - len(page["tuples"])
            following = page.get("next")
            if following is None:
                return

    async def aput(self, config, checkpoint, metadata, new_versions):
        """Stores a checkpoint with the new versions of its channels; returns its config."""
        namespace, parent = self.place(config)
        self.given.clear()
        values = checkpoint["channel_values"]
        body = self.serde.dumps_typed({k: v for k, v in checkpoint.items() if k != "channel_values"})
        versions = {**checkpoint["channel_versions"], **new_versions}
        # A value of an earlier checkpoint that contains it is stored apart, because this checkpoint does not contain it.
        contained = {name: (namespace, name, version) for name, version in versions.items()
                     if name not in new_versions and (namespace, name, version) in self.contained}
        names = [*new_versions, *contained]
        # The graph may lack a channel that another revision of the application has.
        values = {**{name: self.contained[key] for name, key in contained.items()}, **values}
        blobs = [self.serde.dumps_typed(values[name]) if name in values else ("empty", b"") for name in names]
        stored_metadata = {**get_checkpoint_metadata(config, metadata), "thread_id": self.thread}

        def params(forms):
            return {"ns": namespace, "id": checkpoint["id"], "parent_id": parent, "checkpoint": forms[0],
                    "metadata": stored_metadata, "versions": checkpoint["channel_versions"],
                    "blobs": [[name, versions[name], *form] for name, form in zip(names, forms[1:])]}

        await self.batches.add("checkpoint/put", params, [body, *blobs])
        for stored in contained.values():
            self.contained.pop(stored, None)
        # Acknowledged writes of the next checkpoint can precede this one, which is not the newest then.
        if namespace == "" and (not self.root or self.root[0].id <= checkpoint["id"]):
            writes = self.root[0].writes if self.root and self.root[0].id == checkpoint["id"] else {}
            self.root[:] = [Saved(checkpoint["id"], parent, checkpoint, stored_metadata, writes=writes)]
        self.stored.add(namespace, checkpoint["id"])
        # Last: what is above must not be skipped if the run is cancelled meanwhile.
        await self.batches.room()
        return self.config_of(namespace, checkpoint["id"])

    async def aput_writes(self, config, writes, task_id, task_path=""):
        """Stores the writes of a task."""
        namespace, key = self.place(config)
        indexes = [WRITES_IDX_MAP.get(name, index) for index, (name, _) in enumerate(writes)]
        serialized = [self.serde.dumps_typed(value) for _, value in writes]

        def params(forms):
            return {"ns": namespace, "id": key, "task": task_id, "path": task_path,
                    "writes": [[index, name, *form] for index, (name, _), form in zip(indexes, writes, forms)]}

        await self.batches.add("checkpoint/putWrites", params, serialized)
        if namespace != "":
            return
        if not self.root or self.root[0].id < key:
            # The acknowledgement of writes can precede that of their checkpoint.
            self.root[:] = [Saved(key)]
        last = self.root[0]
        for index, (name, value) in zip(indexes, writes):
            if last.id == key and (index < 0 or (task_id, index) not in last.writes):
                last.writes[task_id, index] = (name, value)

    async def adelete_thread(self, thread_id):
        """Deletes all checkpoints of the run's thread."""
        self.check_thread(thread_id)
        await self.batches.stored()
        await self.channel.request("checkpoint/delete", {})
        self.root.clear()

    def newest(self):
        """Returns the checkpoint of the root at which the run is; None if the runtime must be asked."""
        last = self.root[0] if self.root else None
        if last is None or not last.start or (last.checkpoint is None and last.loaded is None):
            return None
        writes = [(task, name, value) for (task, _), (name, value) in sorted(last.writes.items(), key=lambda write: write[0])]
        if last.loaded is None:
            parent = self.config_of("", last.parent) if last.parent else None
            return CheckpointTuple(self.config_of("", last.id), last.checkpoint, last.metadata, parent, writes)
        loaded = self.tuple_of(last.loaded, last.loaded["bytes"])
        known = {(write[0], write[1]): (write[0], write[2], self.serde.loads_typed((write[3], write[4])))
                 for write in last.loaded["writes"]}
        for (task, index), (name, value) in last.writes.items():
            if index < 0 or (task, index) not in known:
                known[task, index] = (task, name, value)
        return loaded._replace(pending_writes=[known[key] for key in sorted(known)])

    def tuple_of(self, found, blobs):
        """Returns LangGraph's tuple of a checkpoint of the protocol."""
        checkpoint = self.serde.loads_typed(tuple(found["checkpoint"]))
        contained = checkpoint.get("channel_values") or {}
        self.contained.update(((found["ns"], name, found["versions"].get(name)), value) for name, value in contained.items())
        stored = {name: blobs.get((name, version)) for name, version in found["versions"].items()}
        values = {name: self.serde.loads_typed(tuple(blob)) for name, blob in stored.items() if blob and blob[0] != "empty"}
        values = {**contained, **values}
        writes = [(write[0], write[2], self.serde.loads_typed((write[3], write[4]))) for write in found["writes"]]
        if self.continued:
            writes = without_used_answer(writes)
        parent = self.config_of(found["ns"], found["parent_id"]) if found.get("parent_id") else None
        config = self.config_of(found["ns"], found["id"])
        return CheckpointTuple(config, {**checkpoint, "channel_values": values}, found["metadata"], parent, writes)

    def config_of(self, namespace, key):
        """Returns the config of a checkpoint of the thread."""
        return {"configurable": {"thread_id": self.thread, "checkpoint_ns": namespace, "checkpoint_id": key}}

    def place(self, config, default_namespace=""):
        """Returns namespace and checkpoint id of a config of the run's thread."""
        configurable = config["configurable"]
        self.check_thread(configurable.get("thread_id", self.thread))
        return configurable.get("checkpoint_ns", default_namespace), configurable.get("checkpoint_id")

    def check_thread(self, thread):
        """Raises an error for another thread than that of the run."""
        if str(thread) != self.thread:
            raise ValueError(f"The checkpointer of this run has the thread {self.thread}, not {thread}.")

    def wait(self, coroutine, name):
        """Waits for the result of a coroutine of the worker's event loop, in any other thread."""
        return wait_for(self.loop, coroutine, name)

    def get_tuple(self, config):
        """Synchronous version of aget_tuple."""
        return self.wait(self.aget_tuple(config), "aget_tuple")

    def list(self, config, *, filter=None, before=None, limit=None):
        """Synchronous version of alist."""
        async def collect():
            return [found async for found in self.alist(config, filter=filter, before=before, limit=limit)]
        return iter(self.wait(collect(), "alist"))

    def put(self, config, checkpoint, metadata, new_versions):
        """Synchronous version of aput."""
        return self.wait(self.aput(config, checkpoint, metadata, new_versions), "aput")

    def put_writes(self, config, writes, task_id, task_path=""):
        """Synchronous version of aput_writes."""
        self.wait(self.aput_writes(config, writes, task_id, task_path), "aput_writes")

    def delete_thread(self, thread_id):
        """Synchronous version of adelete_thread."""
        self.wait(self.adelete_thread(thread_id), "adelete_thread")


def without_used_answer(writes):
    """Returns the writes without an answer that a task has received: a run that continues gives it to its next interrupt."""
    received = [value for task, name, value in writes if name == RESUME and task != NULL_TASK]
    used = [value[-1] if isinstance(value, list) else value for value in received]
    return [write for write in writes if write[:2] != (NULL_TASK, RESUME) or write[2] not in used]


class Acknowledgements:
    """Which checkpoints are stored; events that name another one wait for it."""

    def __init__(self, loop):
        self.loop = loop
        # Maps each namespace for which the run uses the checkpointer to the newest stored checkpoint.
        self.newest = {}
        self.waiting = {}

    def add(self, namespace, key=""):
        """Records that the run uses the checkpointer for the namespace, and that the checkpoint is stored."""
        self.newest[namespace] = max(self.newest.get(namespace, ""), key)
        future = self.waiting.pop((namespace, key), None)
        if future is not None:
            self.loop.call_soon_threadsafe(future.set_result, None)

    def future(self, namespace, key):
        """Returns a future that is done when the checkpoint is stored; None if it is or if nothing will store it."""
        if self.newest.get(namespace, key) >= key:
            return None
        return self.waiting.setdefault((namespace, key), self.loop.create_future())


def wait_for(loop, coroutine, name):
    """Waits for a coroutine of the event loop; raises an error in the loop's own thread, which would wait forever."""
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is loop:
        coroutine.close()
        raise asyncio.InvalidStateError(f'A synchronous call would block the event loop; use "await ....{name}(...)" instead.')
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()
