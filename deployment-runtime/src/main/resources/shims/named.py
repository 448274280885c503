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
        ended = [held for held in self.held if held == namespace
                 or (mode not in DURING_STEPS and held[:len(namespace)] == namespace)]
        return [("values", self.held.pop(held), held, name_of(data) if mode == "checkpoints" and held == namespace else None)
                for held in ended]


def name_of(checkpoint):
    """Returns the name of a checkpoint that LangGraph streams."""
    parent = (checkpoint.get("parent_config") or {}).get("configurable", {}).get("checkpoint_id")
    metadata = checkpoint.get("metadata") or {}
    return {"id": checkpoint["config"]["configurable"]["checkpoint_id"], **({"parent_id": parent} if parent else {}),
            "step": metadata.get("step"), "source": metadata.get("source")}
