"""Memory over runs, the store, capabilities."""

import json
import uuid

from host import Failed
from threads import ThreadsTest, human


class MemoryTest(ThreadsTest):

    def test_graph_remembers_over_runs_and_workers(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        first = host.run(thread, human("one"))["state"]
        host.restart()
        second = host.run(thread, human("two"), versions=first["versions"])
        self.assertEqual(["one", "1: one", "two", "2: two"], self.contents(second["state"]))
        self.assertEqual(["one", "1: one", "two", "2: two"], [one["content"] for one in second["values"]["messages"]])
        self.assertEqual([], second["state"]["next"])
        self.assertEqual({"ns", "id"}, set(second["state"]["checkpoint"]))
        self.assertEqual({"messages", "topic"}, set(second["state"]["versions"]))
        self.assertEqual(["two", "1: two"], self.contents(host.run(str(uuid.uuid4()), human("two"))["state"]))

    def test_unchanged_channels_are_not_sent_again(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        first = host.run(thread, human("one"))["state"]
        # The checkpoint is the same one, so that no channel has another version.
        again = host.run(thread, None, versions=first["versions"])["state"]
        self.assertEqual({}, again["values"])
        self.assertEqual(first["versions"], again["versions"])
        puts = [params for method, params in host.requests if method == "checkpoint/put"]
        versions = [(channel, version) for params in puts for channel, version, _, _ in params["blobs"]]
        self.assertEqual(len(versions), len(set(versions)))

    def test_values_that_are_part_of_a_checkpoint_are_read_and_retained(self):
        host, thread, key = self.host("preparing"), str(uuid.uuid4()), "1f0c6b2e-0000-6000-8000-000000000001"
        versions = {"value": f"{1:032}.{1:016}", "done": f"{2:032}.{2:016}", "removed": f"{3:032}.{3:016}"}
        checkpoint = {"v": 4, "id": key, "ts": "2026-11-29T00:00:00Z", "channel_versions": versions, "versions_seen": {},
                      "channel_values": {"value": 7, "done": ["by Node"], "removed": "x"}}
        host.threads[thread].put({"ns": "", "id": key, "parent_id": None, "checkpoint": ["json", json.dumps(checkpoint)],
                                  "metadata": {"source": "loop", "step": 1}, "versions": versions, "blobs": []}, str.encode)
        first = host.run(thread, {"done": ["input"]})["state"]
        second = host.run(thread, {"done": ["again"]})["state"]
        self.assertEqual((7, ["by Node", "input", "prepare"]), (first["values"]["value"], first["values"]["done"]))
        self.assertEqual((7, [*first["values"]["done"], "again", "prepare"]), (second["values"]["value"], second["values"]["done"]))
        self.assertEqual(2, len(host.operate("history", thread, limit=2)["states"]))
        puts = [params["blobs"] for method, params in host.requests if method == "checkpoint/put"]
        blobs = [blob for blobs in puts for blob in blobs]
        self.assertEqual(1, [blob[:2] for blob in blobs].count(["value", versions["value"]]))
        # The graph does not have this channel.
        self.assertNotIn("empty", [kind for name, _, kind, _ in blobs if name == "removed"])
        self.assertEqual([["removed", versions["removed"]]], [blob[:2] for blob in blobs if blob[0] == "removed"])

    def test_calls_of_tools_name_their_task(self):
        for topic, end in (("bees", "tool-finished"), ("nothing", "tool-error")):
            for thread in (str(uuid.uuid4()), None):
                result = self.host("calling").run(thread, human(topic), stream_modes=["tools"], stream_subgraphs=True)
                (_, _, started), (_, _, ended) = [event for event in result["events"] if event[0] == "tools"]
                self.assertEqual(("tool-started", "call-1", "lookup", {"topic": topic}), tuple(
                    started[name] for name in ("event", "tool_call_id", "tool_name", "input")))
                self.assertEqual((end, "call-1"), (ended["event"], ended["tool_call_id"]))
                self.assertEqual("tools", started["langgraph_checkpoint_ns"].split(":")[0])
                self.assertEqual(started["langgraph_checkpoint_ns"], ended["langgraph_checkpoint_ns"])
                detail = ended["output"]["content"] if end == "tool-finished" else ended["message"]
                self.assertEqual({"tool-finished": "notes on bees", "tool-error": "Nothing is known."}[end], detail)

    def test_metadata_names_run_thread_and_configurable(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        run = host.run(thread, human("one"), assistant_id="assistant", metadata={"m": 1},
                       config={"configurable": {"tenant": "x", "thread_id": "other", "__pregel_resuming": True}})["run"]
        metadata = host.operate("state", thread)["metadata"]
        expected = {"run_id": run, "thread_id": thread, "graph_id": "agent", "assistant_id": "assistant", "tenant": "x", "m": 1}
        self.assertEqual(expected, {name: metadata.get(name) for name in expected})
        self.assertFalse([name for name in metadata if name.startswith("__")])

    def test_function_that_returns_graph_remembers(self):
        host, thread = self.host("made"), str(uuid.uuid4())
        host.run(thread, human("one"))
        self.assertEqual(4, len(host.run(thread, human("two"))["state"]["values"]["messages"]))

    def test_graph_keeps_its_own_checkpointer(self):
        host, thread = self.host("own"), str(uuid.uuid4())
        self.assertEqual("own", host.capabilities["graphs"]["agent"]["memory"])
        host.run(thread, human("one"))
        self.assertEqual(4, len(host.run(thread, human("two"))["state"]["values"]["messages"]))
        self.assertEqual(4, len(self.contents(host.operate("state", thread))))
        self.assertEqual([], host.requests)

    def test_generator_asks_and_gets_the_answer_with_its_state(self):
        host, thread = self.host("asking"), str(uuid.uuid4())
        self.assertEqual("json", host.capabilities["graphs"]["agent"]["memory"])
        asked = host.run(thread, {"question": "Go?"}, state=None)
        self.assertEqual({"question": "Go?"}, asked["interrupt"])
        interrupts = [{"id": "1", "value": asked["interrupt"]}]
        answered = host.run(thread, None, state=asked["values"], resume="yes", interrupts=interrupts)
        self.assertEqual({"question": "Go?", "answer": "yes", "asked": {"question": "Go?"}}, answered["values"])
        self.assertNotIn("interrupt", answered)

    def test_graph_without_checkpoints_has_none(self):
        host = self.host("forgetful")
        self.assertEqual("state", host.capabilities["graphs"]["agent"]["memory"])
        self.assertNotIn("state", host.run(str(uuid.uuid4()), human("one")))
        self.assertEqual([], host.requests)

    def test_runs_of_two_threads_at_once_do_not_mix(self):
        host = self.host("chat")
        host.delay = 0.02
        threads = [str(uuid.uuid4()) for _ in range(8)]
        for turn in ("one", "two"):
            begun = [host.begin(thread, human(f"{turn} {thread}"))[1] for thread in threads]
            states = [host.response(number)["state"] for number in begun]
        for thread, state in zip(threads, states):
            self.assertEqual([f"one {thread}", f"1: one {thread}", f"two {thread}", f"2: two {thread}"], self.contents(state))

    def test_stateless_run_has_no_checkpoints(self):
        host = self.host("chat")
        result = host.run(None, human("one"))
        self.assertEqual({"values", "events", "run"}, set(result))
        self.assertEqual([], host.requests)

    def test_channel_of_deltas_is_read_from_its_writes(self):
        for durability in ("async", "exit"):
            with self.subTest(durability):
                host, thread = self.host("deltas"), str(uuid.uuid4())
                for turn in range(4):
                    state = host.run(thread, {"done": ["in"]}, durability=durability)["state"]
                self.assertEqual(["in", 1, "in", 3, "in", 5, "in", 7], state["values"]["done"])
                self.assertEqual(state["values"], host.operate("state", thread)["values"])

    def test_checkpointer_has_only_the_thread_of_its_run(self):
        host, thread = self.host("curious"), str(uuid.uuid4())
        self.assertEqual([f"The checkpointer of this run has the thread {thread}, not other.", [0]],
                         host.run(thread, {"value": 1}, durability="sync")["state"]["values"]["done"])

    def test_functional_graph_has_its_previous_value(self):
        host, thread = self.host("total"), str(uuid.uuid4())
        self.assertEqual({"total": 6, "executed": 1}, host.run(thread, 3)["state"]["root"])
        interrupted = host.run(thread, 10)["state"]
        self.assertEqual("add 20?", interrupted["tasks"][0]["interrupts"][0]["value"])
        # The task was finished before the interrupt, so that it is not executed again.
        resumed = host.run(thread, None, command={"resume": True})["state"]
        self.assertEqual({"total": 26, "executed": 2}, resumed["root"])
        self.assertEqual([""], list(resumed["versions"]))
        again = host.run(thread, None, versions=resumed["versions"])["state"]
        self.assertEqual(({}, resumed["versions"]), (again["values"], again["versions"]))


class StoreTest(ThreadsTest):

    def test_nodes_use_store(self):
        host = self.host("noted")
        for thread in (str(uuid.uuid4()), None):
            with self.subTest(thread):
                done = host.run(thread, {})["values"]["done"]
                self.assertEqual(["asynchronous", "one", [["notes", "a"], ["notes", "b"]], True], done[-4:])
                host.items.items.pop((("notes", "b"), "synchronous"))

    def test_large_batch_is_sent_in_several_requests(self):
        host = self.host("stored", line=200_000)
        self.assertEqual([20], host.run(None, {})["values"]["done"])
        self.assertGreater(len(host.requests), 5)

    def test_synchronous_call_on_the_event_loop_names_the_other(self):
        self.assertIn("await ....abatch", self.host("blocking").run(None, {})["values"]["done"][0])

    def test_without_storage_there_is_no_store(self):
        host = self.host("noted", storage=False)
        self.assertFalse(host.capabilities["graphs"]["agent"]["store"])
        with self.assertRaises(Failed):
            host.run(None, {})
        self.assertEqual([], host.requests)


class DescriptionTest(ThreadsTest):

    def describe(self, **params):
        return self.host("nested").call("graph/describe", {"run": str(uuid.uuid4()), "graph": "agent", **params})

    def test_graph_is_described_with_its_subgraphs(self):
        graph = self.describe(kind="graph")
        self.assertEqual(["__start__", "inner", "end", "__end__"], [node["id"] for node in graph["nodes"]])
        self.assertIn({"source": "inner", "target": "end"}, graph["edges"])
        self.assertIn("inner:ask", [node["id"] for node in self.describe(kind="graph", xray=True)["nodes"]])

    def test_subgraphs_have_schemas(self):
        schemas = self.describe(kind="subgraphs")
        self.assertEqual(["inner"], list(schemas))
        self.assertIn("done", schemas["inner"]["output_schema"]["properties"])


class VersionTest(ThreadsTest):

    def test_host_of_version_1_sees_version_1(self):
        host = self.host("chat", offer=(1,))
        schemas = host.capabilities["graphs"]["agent"]["schemas"]
        self.assertEqual({"protocol_version": 1, "graphs": {"agent": {"schemas": schemas}}}, host.capabilities)
        result = host.run(None, human("one"))
        self.assertEqual(["one", "1: one"], [message["content"] for message in result["values"]["messages"]])
        self.assertEqual({"values", "events", "run"}, set(result))
        self.assertEqual([], host.requests)

    def test_capabilities_are_reported(self):
        reported = self.host("chat").capabilities
        self.assertEqual((2, ["json"], ["state", "history", "update", "describe"]),
                         (reported["protocol_version"], reported["text_types"], reported["operations"]))
        graph = reported["graphs"]["agent"]
        self.assertEqual(("checkpoints", True), (graph["memory"], graph["store"]))
