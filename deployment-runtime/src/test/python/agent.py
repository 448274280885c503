"""A graph with the interface of LangGraph's compiled graphs, for tests of the worker."""

import asyncio
from uuid import UUID

from langgraph.types import Command, Interrupt


class Message:
    """Like messages of LangChain, with model_dump and type."""

    def __init__(self, type, content):
        self.type = type
        self.content = content

    def model_dump(self):
        return {"content": self.content, "id": "m1"}


class CompiledGraph:
    name = "compiled"

    async def astream(self, input_value, config=None, *, context=None, stream_mode=None, subgraphs=False):
        assert isinstance(stream_mode, list) and isinstance(config["run_id"], UUID)
        if input_value == "fail":
            raise ValueError("in the graph")
        if input_value == "wait":
            await asyncio.sleep(3600)
        values = {"resumed": input_value.resume} if isinstance(input_value, Command) else {"input": input_value}
        values |= {"tenant": config["configurable"].get("tenant"), "tags": config.get("tags"), "context": context,
                  "metadata": config["metadata"], "run": config["configurable"]["run_id"]}
        steps = [
            ((), "values", values),
            (("outer:1", "inner:2"), "updates", {"step": 1}),
            ((), "messages", (Message("AIMessageChunk", "hel"), {"langgraph_node": "step"})),
            ((), "custom", {"set": {1}}),
            ((), "tasks", {"name": "step"}),
            ((), "debug", {"type": "task"}),
            ((), "updates", {"__interrupt__": (Interrupt("sure?", "i1"),)}),
            (("outer:1",), "values", {"inner": True}),
            ((), "values", {**values, "done": True}),
        ]
        for namespace, mode, data in steps:
            if mode in stream_mode and (subgraphs or not namespace):
                yield (namespace, mode, data) if subgraphs else (mode, data)

    async def astream_events(self, input_value, config=None, *, version, **options):
        assert version == "v2"
        run = str(config["run_id"])
        yield {"event": "on_chain_start", "run_id": run, "data": {}}
        yield {"event": "on_chain_stream", "run_id": "another", "data": {"chunk": "another run"}}
        async for chunk in self.astream(input_value, config, **options):
            yield {"event": "on_chain_stream", "run_id": run, "data": {"chunk": chunk}}
        yield {"event": "on_chain_end", "run_id": run, "data": {}}

    def get_input_jsonschema(self, config=None):
        return {"title": "Input"}

    def get_output_jsonschema(self, config=None):
        return {"title": "Output"}

    def get_config_jsonschema(self, config=None):
        raise NotImplementedError("no config schema")


class Builder:
    def compile(self):
        return CompiledGraph()


graph = CompiledGraph()
builder = Builder()


async def make_graph(config):
    assert config["configurable"]["graph_id"] == "made"
    return Builder()
