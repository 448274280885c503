"""Reports the steps of a run for its trace: as callbacks of LangChain, or called directly."""

import json
import time

from waybill_worker.lines import limits, send, to_json

MAX_ERROR_LENGTH = 2000


class Steps:
    """Reports the steps of a run up to their maximum total size; values that do not fit are omitted."""

    def __init__(self, run, remaining):
        self.run = run
        self.remaining = remaining
        # Maps skipped steps to the reported ancestor that their descendants are attached to.
        self.skipped = {}
        self.models = {}

    def report(self, key, members, values=None):
        """Sends a notification of the step."""
        key = str(key)
        if key in self.skipped:
            return
        params = {"run": self.run, "id": key, **members}
        for member, value in (values or {}).items():
            if value is None or self.remaining <= 0:
                continue
            size = json_size(value)
            fits = size <= min(self.remaining, limits.line // 4)
            params[member] = value if fits else {"omitted_bytes": size}
        self.remaining -= send({"method": "run/step", "params": params})

    def start(self, key, parent, name, kind, inputs, metadata=None, tags=None):
        """Reports the start of a step."""
        parent = None if parent is None else str(parent)
        parent_step = self.skipped.get(parent, parent) if parent != self.run else None
        # Skips the run itself and internal steps of LangGraph.
        if str(key) == self.run or "langsmith:hidden" in (tags or ()) or self.remaining <= 0:
            self.skipped[str(key)] = parent_step
            return
        members = {"parent_id": parent_step, "name": name, "run_type": kind, "start_time": now()}
        self.report(key, members, {"inputs": inputs, "metadata": metadata or None})

    def end(self, key, outputs):
        """Reports the end of a step."""
        self.report(key, {"end_time": now()}, {"outputs": outputs})

    def fail(self, key, error):
        """Reports the failure of a step."""
        self.report(key, {"end_time": now(), "error": f"{type(error).__name__}: {error}"[:MAX_ERROR_LENGTH]})


def callback_handler(steps):
    """Returns a callback handler of LangChain that reports the steps."""
    from langchain_core.callbacks import BaseCallbackHandler

    def name_of(serialized, kind, options):
        return options.get("name") or (serialized or {}).get("name") or ((serialized or {}).get("id") or [kind])[-1]

    class Handler(BaseCallbackHandler):
        run_inline = True

        def on_chain_start(self, serialized, inputs, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.start(run_id, parent_run_id, name_of(serialized, "chain", options), "chain", inputs, metadata, tags)

        def on_chain_end(self, outputs, *, run_id, **_):
            steps.end(run_id, outputs)

        def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            inputs = {"messages": [message for some in messages for message in some]}
            self.model(serialized, inputs, run_id, parent_run_id, tags, metadata, options)

        def on_llm_start(self, serialized, prompts, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            self.model(serialized, {"prompts": prompts}, run_id, parent_run_id, tags, metadata, options)

        def model(self, serialized, inputs, run_id, parent, tags, metadata, options):
            steps.start(run_id, parent, name_of(serialized, "model", options), "llm", inputs, metadata, tags)
            steps.models[run_id] = {"metadata": metadata or {}}

        def on_llm_new_token(self, token, *, run_id, **_):
            if run_id in steps.models:
                steps.models[run_id].setdefault("first", now())

        def on_llm_end(self, response, *, run_id, **_):
            model = steps.models.pop(run_id, {})
            messages = [getattr(one, "message", one.text) for some in response.generations for one in some]
            usage = next((found for found in (getattr(one, "usage_metadata", None) for one in messages) if found), None)
            metadata = {**model.get("metadata", {}), "usage_metadata": usage} if usage else None
            members = {"end_time": now(), "first_token_time": model.get("first")}
            steps.report(run_id, members, {"outputs": {"messages": messages}, "metadata": metadata})

        def on_tool_start(self, serialized, input_str, *, run_id, parent_run_id=None, tags=None, metadata=None, inputs=None,
                          **options):
            input_value = inputs if inputs is not None else {"input": input_str}
            steps.start(run_id, parent_run_id, name_of(serialized, "tool", options), "tool", input_value, metadata, tags)

        def on_tool_end(self, output, *, run_id, **_):
            steps.end(run_id, {"output": output})

        def on_retriever_start(self, serialized, query, *, run_id, parent_run_id=None, tags=None, metadata=None, **options):
            steps.start(run_id, parent_run_id, name_of(serialized, "retriever", options), "retriever", {"query": query},
                        metadata, tags)

        def on_retriever_end(self, documents, *, run_id, **_):
            steps.end(run_id, {"documents": documents})

        def failed(self, error, *, run_id, **_):
            steps.fail(run_id, error)

        on_chain_error = on_llm_error = on_tool_error = on_retriever_error = failed

    return Handler()


def now():
    """Returns the time in milliseconds."""
    return time.time() * 1000


def json_size(value):
    """Returns the length of the value as JSON; a large number if it cannot be serialized."""
    try:
        return len(json.dumps(value, default=to_json, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return limits.line
