"""Interrupts, subgraphs, history and updates."""

import uuid

from host import Failed
from threads import ThreadsTest, human, place


class InterruptTest(ThreadsTest):

    def test_interrupted_graph_is_resumed_by_another_worker(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        state = host.run(thread, {"value": 1})["state"]
        self.assertEqual((["approve"], ["prepare"]), (state["next"], state["values"]["done"]))
        self.assertEqual([{"question": "first?"}], [one["value"] for one in state["tasks"][0]["interrupts"]])
        host.restart()
        again = host.run(thread, None, command={"resume": "yes"})["state"]
        self.assertEqual("second?", again["tasks"][0]["interrupts"][0]["value"])
        end = host.run(thread, None, command={"resume": {again["tasks"][0]["interrupts"][0]["id"]: "no"}})["state"]
        self.assertEqual((["prepare", "approve yes no", "end"], [], []), (end["values"]["done"], end["next"], end["tasks"]))

    def test_command_updates_state_while_resuming(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        first = host.run(thread, {"value": 1})["state"]
        command = {"resume": "yes", "update": [["value", 7]]}
        state = host.run(thread, None, command=command, versions=first["versions"])["state"]
        # The value has no new version yet.
        self.assertEqual({"value": 7}, state["values"])
        self.assertEqual(7, host.operate("state", thread)["values"]["value"])

    def test_command_goes_to_node_with_input(self):
        host, thread = self.host("fanned"), str(uuid.uuid4())
        host.run(thread, {})
        state = host.run(thread, None, command={"goto": [{"node": "work", "input": {"value": 9}}]})["state"]
        self.assertIn(9, [one["value"] for task in state["tasks"] for one in task["interrupts"]])

    def test_parallel_interrupts_are_resumed_by_their_ids(self):
        host, thread = self.host("fanned"), str(uuid.uuid4())
        tasks = host.run(thread, {})["state"]["tasks"]
        self.assertEqual([0, 1, 2], sorted(task["interrupts"][0]["value"] for task in tasks))
        answers = {task["interrupts"][0]["id"]: f"answer {task['interrupts'][0]['value']}" for task in tasks}
        end = host.run(thread, None, command={"resume": answers})["state"]
        self.assertEqual(["0 answer 0", "1 answer 1", "2 answer 2"], end["values"]["done"])

    def test_run_stops_before_and_after_nodes(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        self.assertEqual(["prepare"], host.run(thread, {"value": 1}, interrupt_before="*")["state"]["next"])
        self.assertEqual(["approve"], host.run(thread, None, interrupt_after=["prepare"])["state"]["next"])

    def test_subgraph_is_interrupted_and_resumed(self):
        host, thread = self.host("nested"), str(uuid.uuid4())
        first = host.run(thread, {"value": 1}, stream_subgraphs=True)
        self.assertIn("inner", [namespace[0].split(":")[0] for _, namespace, _ in first["events"] if namespace])
        self.assertEqual("inner?", first["state"]["tasks"][0]["interrupts"][0]["value"])
        task = host.operate("state", thread)["tasks"][0]
        self.assertEqual((f"inner:{task['id']}", None), (task["checkpoint"]["checkpoint_ns"], task["state"]))
        inner = host.operate("state", thread, subgraphs=True)["tasks"][0]["state"]
        self.assertEqual((["prepare"], ["ask"]), (inner["values"]["done"], inner["next"]))
        self.assertEqual({"", f"inner:{task['id']}"}, set(inner["checkpoint"]["checkpoint_map"]))
        end = host.run(thread, None, command={"resume": "now"})["state"]
        self.assertEqual(["prepare", "asked now", "end"], end["values"]["done"])

    def test_subgraph_state_is_edited(self):
        host, thread = self.host("nested"), str(uuid.uuid4())
        host.run(thread, {})
        namespace = host.operate("state", thread)["tasks"][0]["checkpoint"]["checkpoint_ns"]
        edited = host.operate("update", thread, checkpoint={"ns": namespace},
                              supersteps=[[{"values": {"done": ["edited"]}, "as_node": "ask"}]])
        self.assertEqual(namespace, edited["checkpoint"]["ns"])
        self.assertEqual(["inner"], edited["state"]["next"])
        self.assertEqual(["prepare", "edited", "end"], host.run(thread, None)["state"]["values"]["done"])


class SubgraphTest(ThreadsTest):

    def test_subgraph_with_checkpointer_counts_over_runs(self):
        for graph in ("persistent", "synchronous"):
            with self.subTest(graph):
                host, thread = self.host(graph), str(uuid.uuid4())
                host.run(thread, {})
                self.assertEqual([1, 2], host.run(thread, {})["state"]["values"]["done"])

    def test_command_leaves_subgraph(self):
        host, thread = self.host("parent"), str(uuid.uuid4())
        self.assertEqual(["left", "end"], host.run(thread, {"value": 1})["state"]["values"]["done"])


class StateTest(ThreadsTest):

    def test_empty_thread_has_an_empty_state(self):
        state = self.host("chat").operate("state", str(uuid.uuid4()))
        self.assertEqual({"values": {}, "next": [], "tasks": [], "metadata": {}, "created_at": None, "checkpoint": None,
                          "parent_checkpoint": None, "interrupts": []}, state)

    def test_history_is_newest_first_and_paged(self):
        host, thread = self.host("chat", line=20_000, part=4096), str(uuid.uuid4())
        for turn in range(3):
            host.run(thread, human(f"{turn}" + "x" * 1500))
        pages, before = [], None
        while not pages or before:
            page = host.operate("history", thread, limit=1000, before=before)
            pages.append(page["states"])
            before = page["next"]
        states = [state for page in pages for state in page]
        self.assertGreater(len(pages), 1)
        self.assertEqual(9, len(states))
        self.assertEqual(list(range(7, -2, -1)), [state["metadata"]["step"] for state in states])
        self.assertEqual([state["checkpoint"] for state in states[1:]],
                         [state["parent_checkpoint"] for state in states[:-1]])
        self.assertEqual((["__start__"], None), (states[-1]["next"], states[-1]["parent_checkpoint"]))
        self.assertEqual(1, len(host.operate("history", thread, limit=1)["states"]))
        inputs = host.operate("history", thread, filter={"source": "input"})["states"]
        self.assertEqual({"input"}, {state["metadata"]["source"] for state in inputs})

    def test_edited_history_is_a_fork(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        host.run(thread, human("one"))
        host.run(thread, human("two"))
        states = host.operate("history", thread)["states"]
        asked = next(state for state in states if state["next"] == ["answer"])
        message = {**asked["values"]["messages"][-1], "content": "three"}
        edited = host.operate("update", thread, checkpoint=place(asked),
                              supersteps=[[{"values": {"messages": [message]}, "as_node": "__start__"}]])
        self.assertEqual(["answer"], edited["state"]["next"])
        state = host.run(thread, None, checkpoint=edited["checkpoint"])["state"]
        self.assertEqual(["one", "1: one", "three", "2: three"], self.contents(state))
        # The other branch keeps its values.
        old = host.operate("state", thread, checkpoint=place(states[0]))
        self.assertEqual(["one", "1: one", "two", "2: two"], self.contents(old))
        parents = [one["parent_checkpoint"] for one in host.operate("history", thread, limit=100)["states"]]
        self.assertEqual(2, parents.count(asked["checkpoint"]))

    def test_run_from_an_earlier_checkpoint_is_a_fork(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        host.run(thread, {"value": 1})
        host.run(thread, None, command={"resume": "a"})
        host.run(thread, None, command={"resume": "b"})
        states = host.operate("history", thread)["states"]
        asked = next(state for state in states if state["next"] == ["approve"])
        again = host.run(thread, None, checkpoint=place(asked))["state"]
        self.assertEqual([{"question": "first?"}], [one["value"] for one in again["tasks"][0]["interrupts"]])
        host.run(thread, None, command={"resume": "c"})
        end = host.run(thread, None, command={"resume": "d"})["state"]
        self.assertEqual(["prepare", "approve c d", "end"], end["values"]["done"])

    def test_fork_without_a_checkpoint_ends_at_its_start(self):
        host, thread = self.host("approval"), str(uuid.uuid4())
        asked = host.run(thread, {"value": 1})["state"]
        newest = host.run(thread, {"value": 2})["state"]
        fork = {"checkpoint": asked["checkpoint"], "versions": newest["versions"], "command": {"resume": "a"}}
        forked = host.run(thread, None, **fork)["state"]
        self.assertEqual("second?", forked["tasks"][0]["interrupts"][0]["value"])
        self.assertEqual((asked["checkpoint"], 1), (forked["checkpoint"], forked["values"]["value"]))
        end = host.run(thread, None, **{**fork, "command": {"resume": "b"}})["state"]
        self.assertEqual((["prepare", "approve a b", "end"], []), (end["values"]["done"], end["next"]))

    def test_checkpoint_is_copied_and_retried(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        host.run(thread, human("one"))
        asked = next(state for state in host.operate("history", thread)["states"] if state["next"] == ["answer"])
        copied = host.operate("update", thread, checkpoint=place(asked),
                              supersteps=[[{"values": None, "as_node": "__copy__"}]])
        self.assertEqual(["answer"], copied["state"]["next"])
        self.assertEqual(["one", "1: one"], self.contents(host.run(thread, None)["state"]))

    def test_thread_is_filled_with_supersteps_and_ended(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        steps = [[{"values": human("one"), "as_node": "__input__"}], [{"values": human("one"), "as_node": "__start__"}],
                 [{"values": human("answer"), "as_node": "answer"}]]
        state = host.operate("update", thread, supersteps=steps)["state"]
        self.assertEqual(["one", "answer"], self.contents(state))
        ended = host.operate("update", thread, supersteps=[[{"values": None, "as_node": "__end__"}]])
        self.assertEqual([], ended["state"]["next"])

    def test_unknown_node_and_method_are_errors(self):
        host, thread = self.host("chat"), str(uuid.uuid4())
        with self.assertRaises(Failed) as failed:
            host.operate("update", thread, supersteps=[[{"values": {}, "as_node": "nowhere"}]])
        self.assertEqual("InvalidUpdateError", failed.exception.data["error"])
        with self.assertRaises(Failed) as failed:
            host.call("thread/unknown", {})
        self.assertEqual(-32601, failed.exception.code)
