"""Checkpoints and items of a test's host, in memory, as decision 171 describes them."""

import base64
import datetime
import fnmatch


class Memory:
    """Checkpoints of one thread."""

    def __init__(self, part_size):
        self.part_size = part_size
        self.checkpoints = {}
        self.blobs = {}
        self.writes = {}
        self.references = {}

    def put(self, params, value):
        """Stores a checkpoint; value returns the bytes of a wire form."""
        for channel, version, kind, form in params["blobs"]:
            self.blobs.setdefault((params["ns"], channel, version), (kind, value(form)))
        kind, form = params["checkpoint"]
        self.checkpoints[params["ns"], params["id"]] = {**params, "checkpoint": [kind, value(form)]}
        return {}

    def put_writes(self, params, value):
        """Stores writes of a task: the first of an ordinary index, the last of a special one."""
        stored = self.writes.setdefault((params["ns"], params["id"]), {})
        for index, channel, kind, form in params["writes"]:
            if index < 0 or (params["task"], index) not in stored:
                stored[params["task"], index] = (channel, kind, value(form))
        return {}

    def get(self, params):
        """Returns a checkpoint, or the newest of the namespace."""
        keys = sorted(key for namespace, key in self.checkpoints if namespace == params["ns"])
        key = params.get("id") or (keys[-1] if keys else None)
        found = self.checkpoints.get((params["ns"], key))
        return found and self.tuple_of(found, self.blobs_of(found))

    def list(self, params):
        """Returns a page of two checkpoints."""
        found = [one for (namespace, key), one in sorted(self.checkpoints.items(), key=lambda item: item[0][1], reverse=True)
                 if params.get("ns") in (None, namespace) and params.get("id") in (None, key)
                 and (params.get("before") is None or key < params["before"])
                 and all(one["metadata"].get(name) == value for name, value in (params.get("filter") or {}).items())]
        page = found[:min(2, params.get("limit") or 2)]
        blobs = {tuple(blob[:2]): blob for one in page for blob in self.blobs_of(one)}
        return {"tuples": [self.tuple_of(one, []) for one in page], "blobs": list(blobs.values()),
                "next": page[-1]["id"] if len(page) < len(found) else None}

    def delete(self):
        """Deletes all checkpoints."""
        self.checkpoints.clear()
        self.writes.clear()
        return {}

    def read(self, params):
        """Returns a range of a value that was referred to."""
        start = params["offset"]
        return {"value": self.encoded(self.references[params["ref"]][start:start + self.part_size])}

    def blobs_of(self, found):
        stored = {name: self.blobs.get((found["ns"], name, version)) for name, version in found["versions"].items()}
        return [[name, found["versions"][name], blob[0], self.form(*blob)] for name, blob in stored.items() if blob]

    def tuple_of(self, found, blobs):
        writes = self.writes.get((found["ns"], found["id"]), {})
        return {"ns": found["ns"], "id": found["id"], "parent_id": found["parent_id"], "metadata": found["metadata"],
                "checkpoint": [found["checkpoint"][0], self.form(*found["checkpoint"])], "versions": found["versions"],
                "blobs": blobs, "writes": [[task, index, write[0], write[1], self.form(*write[1:])]
                                           for (task, index), write in sorted(writes.items())]}

    def form(self, kind, value):
        if kind == "empty":
            return None
        if len(value) <= self.part_size:
            return value.decode() if kind == "json" else self.encoded(value)
        reference = str(len(self.references))
        self.references[reference] = value
        return {"ref": reference, "size": len(value)}

    @staticmethod
    def encoded(value):
        return {"base64": base64.b64encode(value).decode()}


class Items:
    """Items of a store."""

    def __init__(self):
        self.items = {}

    def batch(self, operations):
        """Executes the operations."""
        return [getattr(self, operation["op"])(operation) for operation in operations]

    def get(self, operation):
        return self.items.get((tuple(operation["ns"]), operation["key"]))

    def put(self, operation):
        key = (tuple(operation["ns"]), operation["key"])
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        if operation["value"] is None:
            self.items.pop(key, None)
        else:
            self.items[key] = {"ns": operation["ns"], "key": operation["key"], "value": operation["value"],
                               "created_at": self.items.get(key, {}).get("created_at", now), "updated_at": now}

    def search(self, operation):
        prefix = operation["prefix"]
        found = [item for item in self.items.values() if item["ns"][:len(prefix)] == prefix
                 and all(self.matches(item["value"].get(name), wanted) for name, wanted in (operation["filter"] or {}).items())]
        return found[operation["offset"]:operation["offset"] + operation["limit"]]

    @staticmethod
    def matches(value, wanted):
        return value >= wanted["$gte"] if isinstance(wanted, dict) else value == wanted

    def namespaces(self, operation):
        found = {tuple(item["ns"])[:operation["max_depth"]] for item in self.items.values()
                 if all(all(fnmatch.fnmatch(label, pattern) for label, pattern in zip(item["ns"], condition["path"]))
                        for condition in operation["match"])}
        return [list(namespace) for namespace in sorted(found)]
