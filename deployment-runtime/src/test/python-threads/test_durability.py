"""Durability, failures, limits."""

import pathlib
import runpy
import uuid

from host import SHIM, Failed
from threads import ThreadsTest, human


class DurabilityTest(ThreadsTest):

    def test_every_durability_stores_the_end(self):
        for durability, puts in (("sync", 5), ("async", 5), ("exit", 2)):
            with self.subTest(durability):
                host, thread = self.host("approval"), str(uuid.uuid4())
                host.delay = 0.01
                host.run(thread, {"value": 1}, durability=durability)
                host.run(thread, None, command={"resume": "a"}, durability=durability)
                state = host.run(thread, None, command={"resume": "b"}, durability=durability)["state"]
                self.assertEqual(["prepare", "approve a b", "end"], state["values"]["done"])
                self.assertEqual(puts, [method for method, _ in host.requests].count("checkpoint/put"))

    def test_checkpoints_of_a_short_run_are_one_request(self):
        for options, batches in (({}, 1), ({"batches": False}, 0)):
            with self.subTest(options):
                host, thread = self.host("approval", last=False, **options), str(uuid.uuid4())
                state = host.run(thread, {"value": 1}, stream_modes=["values"])["state"]
                self.assertEqual(["approve"], state["next"])
                self.assertEqual(batches, host.lines.count("checkpoint/batch"))
                self.assertEqual(3, [method for method, _ in host.requests].count("checkpoint/put"))
                writes = [method for method in host.lines if method not in ("checkpoint/get", "checkpoint/batch")]
                self.assertEqual(batches == 1, writes == [])

    def test_last_checkpoints_precede_the_result_without_a_response(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        host.run(thread, human("one"))
        self.assertEqual(["one", "1: one", "two", "2: two"], self.contents(host.run(thread, human("two"))["state"]))
        self.assertEqual(["checkpoint/last", "checkpoint/last"], host.lines)
        self.assertEqual(6, len(host.threads[thread].checkpoints))

    def test_large_last_checkpoints_are_a_request(self):
        host, thread = self.host("preparing"), str(uuid.uuid4())
        self.assertEqual(["x" * 100_000, "prepare"], host.run(thread, {"done": ["x" * 100_000]})["state"]["values"]["done"])
        self.assertNotIn("checkpoint/last", host.lines)
        self.assertEqual(3, len(host.threads[thread].checkpoints))

    def test_failed_run_stores_its_checkpoints_before_its_response(self):
        host, thread = self.host("infinite"), str(uuid.uuid4())
        with self.assertRaises(Failed):
            host.run(thread, {"done": ["one"]}, stream_modes=[], values=False)
        self.assertEqual(["checkpoint/batch"], host.lines)
        self.assertEqual(3, len(host.threads[thread].checkpoints))

    def test_equal_values_of_a_message_are_sent_once(self):
        sent = []
        for same in (False, True):
            host, thread = self.host("chat", same=same), str(uuid.uuid4())
            self.assertEqual(2, len(host.run(thread, human("x" * 1000))["state"]["values"]["messages"]))
            self.assertEqual(4, len(host.run(thread, human("y"))["state"]["values"]["messages"]))
            self.assertEqual([4, 3, 2, 2, 1, 0], [len(state["values"].get("messages", ()))
                                                  for state in host.operate("history", thread)["states"]])
            sent.append(host.sizes["checkpoint/last"])
        self.assertLess(sent[1], sent[0] - 2000)

    def test_graph_that_waits_for_its_checkpoints_sends_them_at_each_step(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        host.run(thread, {"value": 1}, durability="sync")
        self.assertGreaterEqual(len(host.lines), 4)

    def test_long_run_stores_checkpoints_before_its_end(self):
        host, thread = self.host("waiting"), str(uuid.uuid4())
        run, number = host.begin(thread, {"value": 1}, stream_modes=["updates"])
        with host.changed:
            self.assertTrue(host.changed.wait_for(lambda: "checkpoint/batch" in host.lines, 60))
        host.send({"method": "run/cancel", "params": {"run": run}})
        with self.assertRaises(Failed):
            host.response(number)

    def test_interrupt_is_reported_if_its_writes_are_acknowledged_first(self):
        host, thread = self.host("approval", last=False), str(uuid.uuid4())
        host.delay, host.delayed = 0.05, ("checkpoint/put",)
        state = host.run(thread, {"value": 1})["state"]
        self.assertEqual([{"question": "first?"}], [one["value"] for one in state["tasks"][0]["interrupts"]])

    def test_events_that_name_a_checkpoint_follow_its_response(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        host.delay = 0.05
        host.run(thread, {"value": 1}, stream_modes=["checkpoints", "debug", "values"])
        stored = set()
        named = []
        for kind, data in host.log:
            if kind == "checkpoint/put":
                stored.add(data)
            payload = data["payload"] if kind == "debug" and data["type"] == "checkpoint" else data
            if kind == "checkpoints" or payload is not data:
                named.append(payload["config"]["configurable"]["checkpoint_id"])
                self.assertIn(named[-1], stored)
        self.assertEqual(6, len(named))

    def test_values_name_their_checkpoint_on_request(self):
        host, thread = self.host("nested"), str(uuid.uuid4())
        options = {"stream_modes": ["values", "updates"], "stream_subgraphs": True, "name_checkpoints": True}
        asked = host.run(thread, {"value": 1}, **options)["state"]
        self.assertEqual(["inner"], asked["next"])
        state = host.run(thread, None, command={"resume": "yes"}, **options)["state"]
        values = [event for event in host.named if event[1] == "values" and "__interrupt__" not in event[2]]
        self.assertEqual({0, 1}, {len(namespace) for namespace, *_ in values})
        for _, _, _, checkpoint in values:
            self.assertEqual({"id", "parent_id", "source"}, set(checkpoint) | {"parent_id"})
        newest = [event[3] for event in values if event[0] == ()][-1]
        self.assertEqual(state["checkpoint"]["id"], newest["id"])
        self.assertEqual(host.operate("state", thread)["parent_checkpoint"]["checkpoint_id"], newest["parent_id"])
        self.assertEqual({"values", "updates"}, {mode for _, mode, *_ in host.named})
        self.assertTrue(all(event[3] is None for event in host.named if event not in values))

    def test_interrupts_do_not_wait_for_subgraphs(self):
        module = runpy.run_path(str(pathlib.Path(SHIM).with_name("named.py")))
        values, update = {"__interrupt__": []}, ("updates", {}, ("inner:1",))
        named = module["NamedValues"]()
        self.assertEqual([], named.add((), "values", values))
        self.assertEqual([("values", values, (), None), update], named.add(update[2], *update[:2]))
        self.assertIsNone(module["name_of"]({"metadata": {"source": "loop"}}))

    def test_values_of_a_failed_run_are_sent(self):
        sent = []
        for options in ({}, {"name_checkpoints": True}):
            host = self.host("looping")
            with self.assertRaises(Failed):
                host.run(str(uuid.uuid4()), {"value": 3}, config={"recursion_limit": 3}, stream_subgraphs=True, **options)
            sent.append([data for _, _, data, _ in host.named])
        self.assertEqual(4, len(sent[0]))
        self.assertEqual(sent[0], sent[1])

    def test_retried_run_continues_at_its_last_checkpoint(self):
        host, thread, run = self.host("failing"), str(uuid.uuid4()), str(uuid.uuid4())
        with self.assertRaises(Failed) as failed:
            host.run(thread, {"value": 1}, run=run)
        self.assertEqual("ValueError", failed.exception.data["error"])
        state = failed.exception.data["state"]
        self.assertEqual((["fail_once"], "ValueError('the first time')"), (state["next"], state["tasks"][0]["error"]))
        result = host.run(thread, {"value": 1}, run=run, attempt=2, **{"continue": True})
        self.assertEqual(["prepare", "worked"], result["state"]["values"]["done"])

    def test_failed_run_returns_its_error_if_checkpoints_are_stored_late(self):
        # A worker of its own: the graph fails once in each.
        host, thread = self.host("failing", line=2 << 20), str(uuid.uuid4())
        host.delay, host.delayed = 0.2, ("checkpoint/put",)
        with self.assertRaises(Failed) as failed:
            host.run(thread, {"value": 1})
        state = failed.exception.data["state"]
        self.assertEqual((["fail_once"], ["prepare"]), (state["next"], state["values"]["done"]))
        self.assertEqual("ValueError('the first time')", state["tasks"][0].get("error"))

    def test_answer_is_not_given_to_the_next_interrupt(self):
        host, thread, run = self.host("approval"), str(uuid.uuid4()), str(uuid.uuid4())
        host.run(thread, {"value": 1})
        host.run(thread, None, run=run, command={"resume": "yes"})
        state = host.run(thread, None, run=run, attempt=2, command={"resume": "yes"}, **{"continue": True})["state"]
        self.assertEqual("second?", state["tasks"][0]["interrupts"][0]["value"])
        end = host.run(thread, None, command={"resume": "no"})["state"]
        self.assertEqual(["prepare", "approve yes no", "end"], end["values"]["done"])

    def test_cancelled_run_returns_its_last_checkpoint(self):
        host, thread = self.host("waiting"), str(uuid.uuid4())
        run, number = host.begin(thread, {"value": 1}, stream_modes=["updates"])
        host.wait_for_event(run, "updates")
        host.send({"method": "run/cancel", "params": {"run": run}})
        with self.assertRaises(Failed) as failed:
            host.response(number)
        self.assertEqual(-32800, failed.exception.code)
        state = failed.exception.data["state"]
        self.assertEqual((["wait"], ["prepare"]), (state["next"], state["values"]["done"]))

    def test_cancelled_run_without_response_returns_no_state(self):
        host, thread = self.host("waiting"), str(uuid.uuid4())
        host.delay = 12
        run, number = host.begin(thread, {"value": 1}, stream_modes=["updates"])
        with host.changed:
            self.assertTrue(host.changed.wait_for(lambda: "checkpoint/batch" in host.lines, 60))
        host.send({"method": "run/cancel", "params": {"run": run}})
        with self.assertRaises(Failed) as failed:
            host.response(number)
        with host.changed:
            self.assertTrue(host.changed.wait_for(lambda: host.log and host.log[-1][0] != "updates", 60))
        self.assertEqual((-32800, {}), (failed.exception.code, failed.exception.data))

    def test_state_that_is_no_json_fails_its_run(self):
        host, thread = self.host("infinite"), str(uuid.uuid4())
        with self.assertRaises(Failed) as failed:
            host.run(thread, {"done": ["one"]})
        self.assertEqual({"error": "ValueError"}, failed.exception.data)

    def test_cancelled_operation_responds(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        run, host.delay = str(uuid.uuid4()), 1
        number = host.request("thread/update", {"run": run, "graph": "agent", "thread": thread,
                                                "supersteps": [[{"values": human("one"), "as_node": "answer"}]]})
        host.send({"method": "run/cancel", "params": {"run": run}})
        with self.assertRaises(Failed) as failed:
            host.response(number)
        self.assertEqual(-32800, failed.exception.code)

    def test_storage_that_is_away_for_a_moment_fails_no_run(self):
        host, thread = self.host("chat", last=False, newest=False), str(uuid.uuid4())
        host.refusals = [(method, -32004, "StorageUnavailable")
                         for method in ("checkpoint/get", "checkpoint/put", "checkpoint/put", "checkpoint/putWrites")]
        self.assertEqual(["one", "1: one"], self.contents(host.run(thread, human("one"))["state"]))

    def test_refused_checkpoint_ends_the_run_with_its_error(self):
        for code, error in ((-32003, "StateTooLarge"), (-32002, "FenceLost"), (-32005, "ThreadDeleted")):
            with self.subTest(error):
                host, thread = self.host("waiting"), str(uuid.uuid4())
                host.refusals = [("checkpoint/put", code, error)]
                with self.assertRaises(Failed) as failed:
                    host.run(thread, {"value": 1})
                self.assertEqual(error, failed.exception.data["error"])
                # A later checkpoint would refer to values that were not stored.
                self.assertEqual([], list(host.threads[thread].checkpoints))

    def test_full_window_only_delays_the_run(self):
        host, thread = self.host("fanned", window=1, last=False), str(uuid.uuid4())
        host.delay = 0.005
        self.assertEqual(3, len(host.run(thread, {})["state"]["tasks"]))

    def test_large_values_of_tasks_at_once_do_not_mix(self):
        host, thread = self.host("enlarging", part=30_000), str(uuid.uuid4())
        done = host.run(thread, {})["state"]["values"]["done"]
        self.assertEqual(["0" * 100_000, "1" * 100_000, "2" * 100_000], done)

    def test_graph_waits_while_the_storage_is_slower_than_its_steps(self):
        host, thread = self.host("looping", window=20_000), str(uuid.uuid4())
        host.delay = 0.1
        state = host.run(thread, {"done": []}, config={"recursion_limit": 200}, stream_modes=["updates"])["state"]
        self.assertEqual(100, len(state["values"]["done"]))
        longest = executed = stored = 0
        for kind, _ in host.log:
            executed += kind == "updates"
            stored += kind == "checkpoint/put"
            longest = max(longest, executed - stored)
        self.assertEqual((100, 102), (executed, stored))
        self.assertLess(longest, 20)

    def test_values_of_a_result_that_its_state_contains_are_sent_once(self):
        host, thread = self.host("chat", part=20_000, line=100_000), str(uuid.uuid4())
        result = host.run(thread, human("x" * 100_000), stream_modes=[])
        self.assertEqual(result["state"]["values"], result["values"])
        sent = sum(len(params["text"]) for method, params in host.requests if method == "result/part")
        self.assertTrue(300_000 < sent < 400_000, sent)

    def test_fork_of_a_deleted_checkpoint_fails(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        host.run(thread, human("one"))
        with self.assertRaises(Failed) as failed:
            host.run(thread, human("two"), checkpoint={"ns": "", "id": str(uuid.uuid4())})
        self.assertEqual("CheckpointNotFound", failed.exception.data["error"])
        self.assertEqual(3, len(host.threads[thread].checkpoints))

    def test_queued_events_wait_for_credit(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        host.delay = 0.02
        run, number = host.begin(thread, {"value": 1}, stream_modes=["checkpoints", "values"], credit=1)
        while number not in host.responses:
            host.send({"method": "run/credit", "params": {"run": run, "bytes": 500}})
        self.assertEqual(["approve"], host.response(number)["state"]["next"])
        self.assertEqual(3, [mode for mode, _, _ in host.runs[run][1]].count("checkpoints"))

    def test_large_values_are_sent_and_read_in_parts(self):
        host, thread = self.host("large", part=50_000, line=200_000, window=100_000), str(uuid.uuid4())
        state = host.run(thread, {"value": "y" * 120_000}, values=False, stream_modes=["custom"])["state"]
        self.assertEqual("x" * 300_000, state["values"]["value"])
        host.restart()
        self.assertEqual("x" * 300_000, host.operate("state", thread)["values"]["value"])
        self.assertIn("blob/read", [method for method, _ in host.requests])
        page = host.operate("history", thread, limit=4)
        self.assertEqual((1, page["states"][0]["checkpoint"]["checkpoint_id"]), (len(page["states"]), page["next"]))
