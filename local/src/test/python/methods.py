"""Calls every method of the Python client once and reports which ones work.

Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: a prefix for names. Prints JSON: the version and, by area, the
methods with their error or null.
"""

import asyncio
import datetime
import http.server
import inspect
import io
import json
import logging
import sys
import threading
import uuid
import warnings

import langsmith
from langsmith import AsyncClient, Client, RunTree, evaluate, traceable, tracing_context
from langsmith.wrappers import wrap_openai

warnings.simplefilter("ignore")
PREFIX = sys.argv[1]
client = Client(auto_batch_tracing=False)
batching = Client()
results = {}
areas = {}
messages = []


class Messages(logging.Handler):
    def emit(self, record):
        messages.append(record.getMessage())


logging.getLogger("langsmith").addHandler(Messages(level=logging.WARNING))


def check(area, method, call, expected=lambda answer: True):
    """Records whether the call returns the expected result; reads generators to their end."""
    areas.setdefault(area, [])
    if method not in areas[area]:
        areas[area].append(method)
    try:
        answer = call()
        if inspect.isgenerator(answer):
            answer = list(answer)
        if not expected(answer):
            raise AssertionError(f"unexpected: {answer!r}"[:300])
        results.setdefault(method, None)
        return answer
    except Exception as problem:  # whatever the client raises says that the method does not work
        results[method] = f"{type(problem).__name__}: {problem}"[:300]
        return None


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def make_run(name, project, on=client, **more):
    run_id = more.pop("id", None) or uuid.uuid4()
    start = more.pop("start_time", None) or now()
    dotted = start.strftime("%Y%m%dT%H%M%S%fZ") + str(run_id)
    more.setdefault("outputs", {"a": 1})
    more.setdefault("run_type", "chain")
    on.create_run(name, {"q": 1}, id=run_id, trace_id=run_id, dotted_order=dotted, project_name=project, start_time=start,
                  end_time=start + datetime.timedelta(seconds=1), **more)
    return run_id


def run_calls():
    project = PREFIX + "-runs"
    run_id = uuid.uuid4()
    area = "Runs"
    check(area, "create_run", lambda: make_run("first", project, id=run_id, outputs=None, tags=["t"],
                                               extra={"metadata": {"session_id": "thread 1"}}))
    check(area, "update_run", lambda: client.update_run(run_id, outputs={"a": 2}, end_time=now()))
    check(area, "batch_ingest_runs", lambda: client.batch_ingest_runs(create=[batched(project, "batched")]))
    check(area, "multipart_ingest", lambda: client.multipart_ingest(create=[batched(project, "multipart")]))
    attached = uuid.uuid4()
    batching.create_run("attached", {"q": 1}, "chain", id=attached, trace_id=attached, project_name=project,
                        dotted_order=now().strftime("%Y%m%dT%H%M%S%fZ") + str(attached), start_time=now(), end_time=now(),
                        outputs={}, attachments={"note": ("text/plain", b"hello")})
    check(area, "flush", lambda: batching.flush())
    check(area, "flush_compressed_traces", lambda: batching.flush_compressed_traces())
    check(area, "read_run", lambda: client.read_run(run_id), lambda run: run.outputs == {"a": 2} and run.status == "success")
    check(area, "read_run", lambda: client.read_run(attached),
          lambda run: run.attachments["note"]["reader"].read() == b"hello")
    check(area, "read_run", lambda: client.read_run(run_id, load_child_runs=True), lambda run: run.child_runs == [])
    check(area, "list_runs", lambda: client.list_runs(project_name=project),
          lambda runs: {run.name for run in runs} == {"first", "batched", "multipart", "attached"})
    check(area, "list_runs", lambda: client.list_runs(project_name=project, select=["outputs"], filter='eq(name, "first")'),
          lambda runs: [run.name for run in runs] == ["first"] and runs[0].start_time is not None)
    check(area, "get_run_stats", lambda: client.get_run_stats(project_names=[project], is_root=True),
          lambda stats: stats["run_count"] == 4)
    check(area, "get_run_url", lambda: client.get_run_url(run=client.read_run(run_id)), lambda url: str(run_id) in url)
    thread = "Threads"
    check(thread, "read_thread", lambda: client.read_thread(thread_id="thread 1", project_name=project),
          lambda runs: [run.id for run in runs] == [run_id])
    check(thread, "list_threads", lambda: client.list_threads(project_name=project),
          lambda threads: [one["thread_id"] for one in threads] == ["thread 1"] and threads[0]["count"] == 1)
    shared = "Sharing"
    check(shared, "share_run", lambda: client.share_run(run_id))
    check(shared, "unshare_run", lambda: client.unshare_run(run_id))
    check(shared, "read_run_shared_link", lambda: client.read_run_shared_link(run_id))
    check(shared, "run_is_shared", lambda: client.run_is_shared(run_id))
    check(shared, "read_shared_run", lambda: client.read_shared_run(uuid.uuid4()))
    check(shared, "list_shared_runs", lambda: client.list_shared_runs(uuid.uuid4()))
    return project, run_id


def batched(project, name):
    run_id = uuid.uuid4()
    return {"id": run_id, "trace_id": run_id, "name": name, "run_type": "llm", "inputs": {}, "outputs": {},
            "session_name": project, "start_time": now().isoformat(), "end_time": now().isoformat(),
            "dotted_order": now().strftime("%Y%m%dT%H%M%S%fZ") + str(run_id)}


def project_calls():
    area = "Projects"
    name = PREFIX + "-project"
    project = check(area, "create_project", lambda: client.create_project(name, metadata={"team": "a"}))
    check(area, "create_project", lambda: client.create_project(PREFIX + "-other"))
    check(area, "update_project", lambda: client.update_project(project.id, description="changed"))
    check(area, "read_project", lambda: client.read_project(project_name=name, include_stats=True),
          lambda read: read.id == project.id and read.description == "changed")
    check(area, "aread_project", lambda: asyncio.run(client.aread_project(project_id=project.id)),
          lambda read: read.name == name)
    check(area, "has_project", lambda: (client.has_project(name), client.has_project(name + "-none")),
          lambda has: has == (True, False))
    check(area, "list_projects", lambda: client.list_projects(name_contains=PREFIX + "-", metadata={"team": "a"}),
          lambda projects: [one.name for one in projects] == [name])
    check(area, "list_projects", lambda: client.list_projects(project_ids=[project.id], reference_free=True),
          lambda projects: len(projects) == 1)
    check(area, "delete_project", lambda: client.delete_project(project_name=PREFIX + "-other"))


def dataset_calls():
    area = "Datasets"
    name = PREFIX + "-dataset"
    dataset = check(area, "create_dataset", lambda: client.create_dataset(name, description="d", metadata={"team": "a"}))
    check(area, "has_dataset", lambda: (client.has_dataset(dataset_name=name), client.has_dataset(dataset_name=name + "-none")),
          lambda has: has == (True, False))
    check(area, "read_dataset", lambda: client.read_dataset(dataset_id=dataset.id), lambda read: read.name == name)
    check(area, "list_datasets", lambda: client.list_datasets(dataset_name_contains=PREFIX, metadata={"team": "a"},
                                                              data_type="kv"),
          lambda datasets: [one.name for one in datasets] == [name])
    check(area, "upload_csv", lambda: client.upload_csv(("f.csv", io.BytesIO(b"q,a\n1,2\n")), ["q"], ["a"], name=name + "-csv"))
    import pandas
    check(area, "upload_dataframe", lambda: client.upload_dataframe(pandas.DataFrame([{"q": 1, "a": 2}]), name=name + "-frame",
                                                                    input_keys=["q"], output_keys=["a"]))
    check(area, "read_dataset_openai_finetuning", lambda: client.read_dataset_openai_finetuning(dataset_name=name))
    check(area, "clone_public_dataset", lambda: client.clone_public_dataset(str(uuid.uuid4())))
    versions = "Versions and splits of datasets"
    check(versions, "list_dataset_versions", lambda: client.list_dataset_versions(dataset_id=dataset.id))
    check(versions, "read_dataset_version", lambda: client.read_dataset_version(dataset_id=dataset.id, as_of=now()))
    check(versions, "update_dataset_tag", lambda: client.update_dataset_tag(dataset_id=dataset.id, as_of=now(), tag="prod"))
    check(versions, "diff_dataset_versions", lambda: client.diff_dataset_versions(dataset.id, from_version=now(),
                                                                                 to_version=now()))
    check(versions, "list_dataset_splits", lambda: client.list_dataset_splits(dataset_id=dataset.id))
    check(versions, "update_dataset_splits", lambda: client.update_dataset_splits(dataset_id=dataset.id, split_name="s",
                                                                                 example_ids=[uuid.uuid4()]))
    shared = "Sharing"
    check(shared, "share_dataset", lambda: client.share_dataset(dataset.id))
    check(shared, "unshare_dataset", lambda: client.unshare_dataset(dataset.id))
    check(shared, "read_dataset_shared_schema", lambda: client.read_dataset_shared_schema(dataset.id))
    check(shared, "read_shared_dataset", lambda: client.read_shared_dataset(str(uuid.uuid4())))
    check(shared, "list_shared_examples", lambda: client.list_shared_examples(str(uuid.uuid4())))
    check(shared, "list_shared_projects", lambda: client.list_shared_projects(dataset_share_token=str(uuid.uuid4())))
    return dataset


def example_calls(dataset, run_id):
    area = "Examples"
    check(area, "create_examples", lambda: client.create_examples(dataset_id=dataset.id, examples=[
        {"inputs": {"q": n}, "outputs": {"a": n * n}, "metadata": {"odd": n % 2 == 1}} for n in (1, 2, 3)]),
        lambda made: made["count"] == 3)
    one = check(area, "create_example", lambda: client.create_example({"q": 4}, dataset_id=dataset.id, outputs={"a": 0}))
    check(area, "update_example", lambda: client.update_example(one.id, outputs={"a": 16}))
    check(area, "update_examples", lambda: client.update_examples(dataset_id=dataset.id, updates=[
        {"id": one.id, "metadata": {"odd": False}}]))
    check(area, "read_example", lambda: client.read_example(one.id), lambda read: read.outputs == {"a": 16})
    version = client.read_example(one.id).modified_at
    check(area, "create_llm_example", lambda: client.create_llm_example("p", "g", dataset_id=dataset.id))
    check(area, "create_chat_example", lambda: client.create_chat_example([{"role": "user", "content": "c"}],
                                                                          {"role": "assistant", "content": "c"},
                                                                          dataset_id=dataset.id))
    check(area, "create_example_from_run", lambda: client.create_example_from_run(client.read_run(run_id), dataset.id))
    check(area, "list_examples", lambda: client.list_examples(dataset_id=dataset.id, metadata={"odd": True}),
          lambda examples: sorted(example.inputs["q"] for example in examples) == [1, 3])
    check(area, "list_examples", lambda: client.list_examples(dataset_id=dataset.id, as_of=version),
          lambda examples: sorted(example.inputs["q"] for example in examples) == [1, 2, 3, 4])
    check(area, "upload_examples_multipart", lambda: client.upload_examples_multipart(dataset_id=dataset.id, uploads=[
        langsmith.schemas.ExampleCreate(inputs={"z": 1})]), lambda made: made["count"] == 1)
    check(area, "update_examples_multipart", lambda: client.update_examples_multipart(dataset_id=dataset.id, updates=[
        langsmith.schemas.ExampleUpdate(id=one.id, metadata={"odd": False, "x": 1})]), lambda made: made["count"] == 1)
    check(area, "upsert_examples_multipart", lambda: client.upsert_examples_multipart(upserts=[]))
    rest = [example.id for example in client.list_examples(dataset_id=dataset.id)
            if "q" not in example.inputs or example.outputs != {"a": example.inputs["q"] ** 2}]
    check(area, "delete_example", lambda: client.delete_example(rest[0]))
    check(area, "delete_examples", lambda: client.delete_examples(rest[1:]))


def feedback_calls(run_id):
    area = "Feedback"
    given = check(area, "create_feedback", lambda: client.create_feedback(run_id, "correct", score=1, comment="good"))
    check(area, "update_feedback", lambda: client.update_feedback(given.id, score=0.5))
    check(area, "read_feedback", lambda: client.read_feedback(given.id),
          lambda feedback: feedback.score == 0.5 and feedback.trace_id == run_id)
    check(area, "list_feedback", lambda: client.list_feedback(run_ids=[run_id], feedback_key=["correct"]),
          lambda feedback: [one.id for one in feedback] == [given.id])
    check(area, "delete_feedback", lambda: client.delete_feedback(given.id))
    check(area, "evaluate_run", lambda: client.evaluate_run(client.read_run(run_id), Evaluator()))
    check(area, "aevaluate_run", lambda: asyncio.run(client.aevaluate_run(client.read_run(run_id), Evaluator())))
    tokens = "Feedback without a key"
    check(tokens, "create_presigned_feedback_token", lambda: client.create_presigned_feedback_token(run_id, "k"))
    check(tokens, "create_presigned_feedback_tokens", lambda: client.create_presigned_feedback_tokens(run_id, ["k"]))
    check(tokens, "list_presigned_feedback_tokens", lambda: client.list_presigned_feedback_tokens(run_id))
    check(tokens, "create_feedback_from_token", lambda: client.create_feedback_from_token(uuid.uuid4(), score=1))
    configs = "Configurations of feedback"
    check(configs, "create_feedback_config", lambda: client.create_feedback_config("k", feedback_config={"type": "continuous"}))
    check(configs, "list_feedback_configs", lambda: client.list_feedback_configs())
    check(configs, "update_feedback_config", lambda: client.update_feedback_config("k", is_lower_score_better=True))
    check(configs, "delete_feedback_config", lambda: client.delete_feedback_config("k"))


class Evaluator(langsmith.evaluation.RunEvaluator):
    def evaluate_run(self, run, example=None, evaluator_run_id=None):
        return langsmith.evaluation.EvaluationResult(key="length", score=len(str(run.outputs)))

    async def aevaluate_run(self, run, example=None, evaluator_run_id=None):
        return self.evaluate_run(run, example)


def correct(outputs, reference_outputs):
    return outputs["a"] == reference_outputs["a"]


def share(outputs, reference_outputs):
    return {"key": "share", "score": sum(o == r for o, r in zip(outputs, reference_outputs)) / len(outputs)}


def experiment_calls(dataset):
    area = "Experiments"

    def target(inputs):
        return {"a": inputs["q"] ** 2 if inputs["q"] < 3 else 0}

    async def atarget(inputs):
        return target(inputs)

    name = dataset.name
    first = check(area, "evaluate", lambda: evaluate(target, data=name, evaluators=[correct], summary_evaluators=[share],
                                                     experiment_prefix=PREFIX, client=batching, max_concurrency=2),
                  lambda ran: len(list(ran)) == 4)
    check(area, "aevaluate", lambda: asyncio.run(later(atarget, name)), lambda ran: ran == 4)
    batching.flush()
    experiment = first.experiment_name
    check(area, "evaluate", lambda: evaluate(experiment, evaluators=[correct], client=batching), lambda ran: len(list(ran)) == 4)
    batching.flush()
    check(area, "get_experiment_results", lambda: read_results(experiment),
          lambda rows: sorted(len(row.runs) for row in rows) == [1, 1, 1, 1])
    check(area, "get_test_results", lambda: client.get_test_results(project_name=experiment),
          lambda frame: len(frame) == 4 and frame["feedback.correct"].sum() == 2)
    check(area, "create_comparative_experiment", lambda: client.create_comparative_experiment("c", [
        client.read_project(project_name=experiment).id]))
    return experiment


def read_results(experiment):
    results = client.get_experiment_results(name=experiment)
    assert results["run_stats"]["run_count"] == 4, results["run_stats"]
    assert results["feedback_stats"]["correct"]["n"] >= 4, results["feedback_stats"]
    return list(results["examples_with_runs"])


async def later(target, name):
    ran = await langsmith.aevaluate(target, data=name, evaluators=[correct], experiment_prefix=PREFIX + "-async", client=batching)
    return len([row async for row in ran])


class FakeModel(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def tracing_calls():
    area = "Tracing"
    project = PREFIX + "-traced"

    @traceable(run_type="tool")
    def tool(q):
        return {"found": q}

    @traceable(metadata={"thread_id": "traced"})
    def agent(q):
        return tool(q)

    def traced():
        with tracing_context(enabled=True, project_name=project, client=batching):
            agent("x")
        batching.flush()
        return runs_of(project)

    check(area, "traceable", traced, lambda runs: sorted(runs) == ["agent", "tool"] and runs["tool"].parent_run_id
          == runs["agent"].id)

    def tree():
        root = RunTree(name="tree", inputs={"q": 1}, project_name=project + "-tree", client=batching)
        child = root.create_child("leaf", run_type="llm")
        child.end(outputs={"a": 1})
        child.post()
        root.end(outputs={"a": 1})
        root.post()
        batching.flush()
        return runs_of(project + "-tree")

    check(area, "RunTree", tree, lambda runs: runs["leaf"].parent_run_id == runs["tree"].id)
    check(area, "wrap_openai", lambda: wrapped(project + "-openai"),
          lambda runs: runs["ChatOpenAI"].total_tokens == 5 and runs["ChatOpenAI"].run_type == "llm")


def wrapped(project):
    import openai
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        model = wrap_openai(openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none"),
                            tracing_extra={"client": batching})
        with tracing_context(enabled=True, project_name=project, client=batching):
            model.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])
        batching.flush()
        return runs_of(project)
    finally:
        server.shutdown()


def runs_of(project):
    return {run.name: run for run in client.list_runs(project_name=project)}


def generated_calls(project_name, run_id, dataset, experiment):
    """The part of the client that is generated from a description, which it has in two forms, both used."""
    asyncio.run(generated(project_name, run_id, dataset, experiment))


async def generated(project_name, run_id, dataset, experiment):
    area = "Version 2 (`client.runs`, `client.threads`, ...)"
    project = str(client.read_project(project_name=project_name).id)

    async def acheck(method, call, expected=lambda answer: True):
        areas.setdefault(area, [])
        if method not in areas[area]:
            areas[area].append(method)
        try:
            answer = call()
            answer = [item async for item in answer] if hasattr(answer, "__aiter__") else await answer
            if not expected(answer):
                raise AssertionError(f"unexpected: {answer!r}"[:300])
            results.setdefault(method, None)
        except Exception as problem:
            results[method] = f"{type(problem).__name__}: {problem}"[:300]

    selects = ["ID", "NAME", "RUN_TYPE", "STATUS", "START_TIME", "INPUTS", "OUTPUTS", "THREAD_ID", "TOTAL_COST", "FEEDBACK_STATS"]
    runs = client.runs
    query = getattr(runs, "query", None) or runs.query_v2
    retrieve = getattr(runs, "retrieve", None) or runs.retrieve_v2
    await acheck("runs.query", lambda: query(project_ids=[project], is_root=True, selects=selects, page_size=2),
                 lambda found: len(found) == 4 and {one.status for one in found} == {"SUCCESS"})
    await acheck("runs.retrieve", lambda: retrieve(str(run_id), project_id=project, selects=selects),
                 lambda run: run.name == "first" and run.thread_id == "thread 1")
    await acheck("runs.get_url", lambda: runs.get_url(str(run_id), project_id=project, trace_id=str(run_id)))
    await acheck("runs.share.create", lambda: runs.share.create(str(run_id)))
    await acheck("threads.query", lambda: client.threads.query(project_id=project),
                 lambda threads: [(one.thread_id, one.count) for one in threads] == [("thread 1", 1)])
    await acheck("threads.list_traces", lambda: client.threads.list_traces("thread 1", project_id=project,
                                                                          selects=["NAME", "INPUTS"]),
                 lambda traces: [one.trace_id for one in traces] == [str(run_id)] and traces[0].inputs == {"q": 1})
    await acheck("threads.stats", lambda: client.threads.stats("thread 1", session_id=project, selects=["TURNS"]))
    await acheck("traces.query", lambda: client.traces.query(project_id=project))
    await acheck("traces.list_runs", lambda: client.traces.list_runs(str(run_id), project_id=project))
    await acheck("datasets.experiment_runs.query", lambda: client.datasets.experiment_runs.query(
        str(dataset.id), experiment_ids=[str(client.read_project(project_name=experiment).id)], selects=["ID", "OUTPUTS"],
        page_size=3), lambda rows: [len(row.runs) for row in rows] == [1, 1, 1, 1])
    await acheck("evaluators", lambda: client.evaluators.list())
    await acheck("sandboxes", lambda: client.sandboxes.snapshots.list())
    await acheck("public", lambda: client.public.runs.retrieve(
        str(run_id), share_token=str(uuid.uuid4()), selects=["ID"], start_time=now()))


def async_calls(project_name, run_id, dataset):
    asyncio.run(async_client(project_name, run_id, dataset))


async def async_client(project_name, run_id, dataset):
    area = "`AsyncClient`"
    areas[area] = []

    async def acheck(method, call, expected=lambda answer: True):
        method = "async " + method
        if method not in areas[area]:
            areas[area].append(method)
        try:
            answer = call()
            answer = [item async for item in answer] if hasattr(answer, "__aiter__") else await answer
            if not expected(answer):
                raise AssertionError(f"unexpected: {answer!r}"[:300])
            results.setdefault(method, None)
            return answer
        except Exception as problem:
            results[method] = f"{type(problem).__name__}: {problem}"[:300]
            return None

    async with AsyncClient() as aclient:
        made = uuid.uuid4()
        await acheck("create_run", lambda: aclient.create_run("async", {"q": 1}, "chain", id=made, project_name=PREFIX + "-async",
                                                              start_time=now()))
        await acheck("update_run", lambda: aclient.update_run(made, outputs={"a": 1}, end_time=now()))
        await acheck("read_run", lambda: aclient.read_run(made), lambda run: run.outputs == {"a": 1})
        await acheck("list_runs", lambda: aclient.list_runs(project_name=project_name), lambda runs: len(runs) == 4)
        await acheck("create_project", lambda: aclient.create_project(PREFIX + "-async-project"))
        await acheck("read_project", lambda: aclient.read_project(project_name=project_name))
        await acheck("delete_project", lambda: aclient.delete_project(project_name=PREFIX + "-async-project"))
        own = await acheck("create_dataset", lambda: aclient.create_dataset(PREFIX + "-async-dataset"))
        await acheck("read_dataset", lambda: aclient.read_dataset(dataset_id=dataset.id))
        await acheck("list_datasets", lambda: aclient.list_datasets(), lambda datasets: len(datasets) >= 2)
        example = await acheck("create_example", lambda: aclient.create_example({"q": 1}, dataset_id=own.id))
        await acheck("read_example", lambda: aclient.read_example(example.id))
        await acheck("list_examples", lambda: aclient.list_examples(dataset_id=own.id), lambda examples: len(examples) == 1)
        await acheck("delete_dataset", lambda: aclient.delete_dataset(dataset_id=own.id))
        feedback = await acheck("create_feedback", lambda: aclient.create_feedback(run_id, "async", score=1))
        await acheck("read_feedback", lambda: aclient.read_feedback(feedback.id))
        await acheck("list_feedback", lambda: aclient.list_feedback(run_ids=[run_id], feedback_key=["async"]),
                     lambda given: len(given) == 1)
        await acheck("delete_feedback", lambda: aclient.delete_feedback(feedback.id))


def other_calls(run_id):
    queues = "Annotation queues"
    queue = uuid.uuid4()
    check(queues, "list_annotation_queues", lambda: client.list_annotation_queues())
    check(queues, "create_annotation_queue", lambda: client.create_annotation_queue(name="q"))
    check(queues, "read_annotation_queue", lambda: client.read_annotation_queue(queue))
    check(queues, "update_annotation_queue", lambda: client.update_annotation_queue(queue, name="q"))
    check(queues, "delete_annotation_queue", lambda: client.delete_annotation_queue(queue))
    check(queues, "add_runs_to_annotation_queue", lambda: client.add_runs_to_annotation_queue(queue, run_ids=[run_id]))
    check(queues, "delete_run_from_annotation_queue", lambda: client.delete_run_from_annotation_queue(queue, run_id=run_id))
    check(queues, "get_run_from_annotation_queue", lambda: client.get_run_from_annotation_queue(queue, index=0))
    check(queues, "list_runs_from_annotation_queue", lambda: client.list_runs_from_annotation_queue(queue))
    prompts = "Prompts, agents and skills"
    check(prompts, "list_prompts", lambda: client.list_prompts())
    check(prompts, "get_prompt", lambda: client.get_prompt("p"), lambda prompt: prompt is not None)
    check(prompts, "create_prompt", lambda: client.create_prompt("p"))
    check(prompts, "update_prompt", lambda: client.update_prompt("p", description="d"))
    check(prompts, "delete_prompt", lambda: client.delete_prompt("p"))
    check(prompts, "like_prompt", lambda: client.like_prompt("p"))
    check(prompts, "unlike_prompt", lambda: client.unlike_prompt("p"))
    check(prompts, "create_commit", lambda: client.create_commit("p", {}))
    check(prompts, "pull_prompt_commit", lambda: client.pull_prompt_commit("p"))
    check(prompts, "list_prompt_commits", lambda: client.list_prompt_commits("p"))
    check(prompts, "pull_prompt", lambda: client.pull_prompt("p"))
    check(prompts, "push_prompt", lambda: client.push_prompt("p"))
    check(prompts, "pull_agent", lambda: client.pull_agent("a"))
    check(prompts, "push_agent", lambda: client.push_agent("a", files={}))
    check(prompts, "list_agents", lambda: client.list_agents())
    check(prompts, "delete_agent", lambda: client.delete_agent("a"))
    check(prompts, "pull_skill", lambda: client.pull_skill("a"))
    check(prompts, "push_skill", lambda: client.push_skill("a", files={}))
    check(prompts, "list_skills", lambda: client.list_skills())
    check(prompts, "delete_skill", lambda: client.delete_skill("a"))
    insights = "Insights and issues"
    check(insights, "generate_insights", lambda: client.generate_insights(chat_histories=[[{"role": "user", "content": "c"}]],
                                                                         openai_api_key="none"))
    check(insights, "get_insights_report", lambda: client.get_insights_report(id=uuid.uuid4(), project_id=uuid.uuid4()))
    check(insights, "list_project_issues", lambda: client.list_project_issues("p"))


def main():
    project, run_id = run_calls()
    project_calls()
    dataset = dataset_calls()
    example_calls(dataset, run_id)
    feedback_calls(run_id)
    experiment = experiment_calls(dataset)
    tracing_calls()
    generated_calls(project, run_id, dataset, experiment)
    async_calls(project, run_id, dataset)
    other_calls(run_id)
    check("Datasets", "delete_dataset", lambda: client.delete_dataset(dataset_id=dataset.id))
    # The client reports outdated backends and lost traces only in its log.
    known = [message for message in messages if "version" in message or "Failed" in message or "dropped" in message]
    print(json.dumps({"version": langsmith.__version__, "warnings": known,
                      "areas": [{"area": area, "methods": [{"method": method, "problem": results[method]} for method in methods]}
                                for area, methods in areas.items()]}))


main()
