"""Base of the tests of threads."""

import unittest

from host import Host


def human(text):
    return {"messages": [{"role": "user", "content": text}]}


def place(state):
    """Returns the protocol's checkpoint of a state."""
    checkpoint = state["checkpoint"]
    return {"ns": checkpoint["checkpoint_ns"], "id": checkpoint["checkpoint_id"], "map": checkpoint["checkpoint_map"]}


class ThreadsTest(unittest.TestCase):
    """Base of the tests: starts hosts and stops them."""

    hosts = {}

    def host(self, graph, **options):
        """Returns a host of the graph. Tests share its worker, but no threads."""
        key = (graph, *options.items())
        host = self.hosts.get(key) or self.hosts.setdefault(key, Host(graph, **options))
        host.reset()
        return host

    def contents(self, state):
        return [message["content"] for message in state["values"]["messages"]]
