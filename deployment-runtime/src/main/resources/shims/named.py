"""Names of the checkpoints that contain values, which channels of threads send to their clients."""

# What a task streams while other graphs of the run make their steps.
DURING_STEPS = ("messages", "custom", "tools")


class NamedValues:
    """Holds the values of each graph of a run until LangGraph has sent their checkpoint, which it does directly after them."""

    def __init__(self):
        self.held = {}

    def add(self, namespace, mode, data):
        """Returns the events to send before LangGraph's next one, as arguments of Run.event."""
        events = self.release(namespace, mode, data)
        if mode == "values":
            self.held[namespace] = data
        elif mode != "checkpoints":
            events.append((mode, data, namespace))
        return events

    def release(self, namespace=(), mode=None, data=None):
        """Returns the held values of the namespace, and those of graphs below it, which have ended before its next step."""
        # A graph below the held one is part of its next step: no checkpoint follows its values, such as interrupts.
        ended = [held for held in self.held if held == namespace[:len(held)]
                 or (mode not in DURING_STEPS and held[:len(namespace)] == namespace)]
        return [("values", self.held.pop(held), held, name_of(data) if mode == "checkpoints" and held == namespace else None)
                for held in ended]


def name_of(checkpoint):
    """Returns the name of a checkpoint that LangGraph streams; None without an id.

    It has no step: clients would take values of an earlier step as outdated after an edit."""
    name, parent = id_of(checkpoint.get("config")), id_of(checkpoint.get("parent_config"))
    source = (checkpoint.get("metadata") or {}).get("source")
    return {"id": name, **({"parent_id": parent} if parent else {}), "source": source} if name else None


def id_of(config):
    return ((config or {}).get("configurable") or {}).get("checkpoint_id")
