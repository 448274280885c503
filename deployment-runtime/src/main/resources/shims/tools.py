"""Events of stream mode "tools", in which LangGraph names the graph of a call but not its task."""

from langchain_core.callbacks import BaseCallbackHandler


class ToolCalls(BaseCallbackHandler):
    """Notes in which task each tool is called."""

    run_inline = True

    def __init__(self):
        self.tasks = {}

    def on_tool_start(self, serialized, input_str, *, run_id, metadata=None, tool_call_id=None, **_):
        """Notes the task of a call."""
        task = (metadata or {}).get("langgraph_checkpoint_ns")
        if task:
            self.tasks[tool_call_id or str(run_id)] = task

    def data_of(self, event):
        """Returns the data of an event with its task."""
        call = event.get("tool_call_id")
        ends = event.get("event") in ("tool-finished", "tool-error")
        task = self.tasks.pop(call, None) if ends else self.tasks.get(call)
        return {**event, "langgraph_checkpoint_ns": task} if task else event
