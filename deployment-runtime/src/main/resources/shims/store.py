"""LangGraph's store whose items are stored by the runtime. One store belongs to one run or state operation."""

import datetime
import json
import sys

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from waybill_worker.lines import limits, to_json
from waybill_worker.saver import wait_for

MAX_OPERATIONS = 1000

ignored = set()


class RunStore(BaseStore):
    """Sends the operations of the store to the runtime."""

    supports_ttl = True

    def __init__(self, channel, loop):
        self.channel = channel
        self.loop = loop

    async def abatch(self, ops):
        """Executes the operations; returns their results in the same order."""
        ops = list(ops)
        results = [None] * len(ops)
        for indexes in requests_of(ops):
            found = await self.channel.request("store/batch", {"operations": [operation_of(ops[index]) for index in indexes]})
            for index, result in zip(indexes, found):
                results[index] = await self.result_of(ops[index], result)
        return results

    def batch(self, ops):
        """Synchronous version of abatch."""
        return wait_for(self.loop, self.abatch(ops), "abatch")

    async def result_of(self, op, result):
        """Returns the result of an operation as LangGraph has it."""
        if isinstance(op, GetOp):
            return None if result is None else Item(**await self.members_of(result))
        if isinstance(op, SearchOp):
            return [SearchItem(**await self.members_of(item)) for item in result]
        if isinstance(op, ListNamespacesOp):
            return [tuple(namespace) for namespace in result]
        return None

    async def members_of(self, item):
        """Returns the members of an item."""
        value = item.get("value")
        if item.get("value_ref"):
            value = json.loads(await self.channel.value(item["value_ref"]))
        return {"namespace": tuple(item["ns"]), "key": item["key"], "value": value, "created_at": time_of(item["created_at"]),
                "updated_at": time_of(item["updated_at"])}


def time_of(text):
    """Returns the time of an item; Python before 3.11 does not read the zone Z."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def requests_of(ops):
    """Returns the indexes of the operations of each request: reads first, which do not see the writes of their batch."""
    requests, size = [[]], 0
    for index in sorted(range(len(ops)), key=lambda index: isinstance(ops[index], PutOp)):
        length = len(json.dumps(ops[index], default=to_json))
        if requests[-1] and (size + length > limits.line // 2 or len(requests[-1]) == MAX_OPERATIONS):
            requests.append([])
            size = 0
        requests[-1].append(index)
        size += length
    return requests if ops else []


def operation_of(op):
    """Returns an operation of the store as the protocol has it."""
    if isinstance(op, GetOp):
        return {"op": "get", "ns": list(op.namespace), "key": op.key, "refresh_ttl": op.refresh_ttl}
    if isinstance(op, PutOp):
        if op.index:
            ignore("index", "The store has no index for a search by meaning")
        return {"op": "put", "ns": list(op.namespace), "key": op.key, "value": op.value, "ttl": op.ttl}
    if isinstance(op, SearchOp):
        if op.query:
            ignore("query", "The store cannot search by meaning")
        return {"op": "search", "prefix": list(op.namespace_prefix), "filter": op.filter, "limit": op.limit,
                "offset": op.offset, "refresh_ttl": op.refresh_ttl}
    if isinstance(op, ListNamespacesOp):
        match = [{"type": condition.match_type, "path": list(condition.path)} for condition in op.match_conditions or ()]
        return {"op": "namespaces", "match": match, "max_depth": op.max_depth, "limit": op.limit, "offset": op.offset}
    raise TypeError(f"The store has no operation {type(op).__name__}.")


def ignore(member, reason):
    """Logs once that a member of an operation is ignored."""
    if member not in ignored:
        ignored.add(member)
        print(f'{reason}: "{member}" is ignored.', file=sys.stderr)
