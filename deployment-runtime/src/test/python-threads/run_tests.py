"""Tests threads with real LangGraph, against a host that speaks version 2 of the protocol.

    python3 run_tests.py [name of a test ...]

Prints a JSON line for each test.
"""

import json
import sys
import traceback
import unittest

import test_durability
import test_memory
import test_state
from threads import ThreadsTest


class Lines(unittest.TestResult):
    """Prints the result of each test as a JSON line."""

    problems = None

    def startTest(self, test):
        super().startTest(test)
        self.problems = []

    def addError(self, test, error):
        self.problems.append("".join(traceback.format_exception(*error)))

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.addError(test, error)

    def stopTest(self, test):
        print(json.dumps({"test": test._testMethodName, "problem": "\n".join(self.problems) or None}), flush=True)


if __name__ == "__main__":
    modules = [unittest.defaultTestLoader.loadTestsFromModule(module) for module in (test_memory, test_state, test_durability)]
    chosen = [test for module in modules for suite in module for test in suite
              if len(sys.argv) == 1 or test._testMethodName in sys.argv]
    unittest.TestSuite(chosen).run(Lines())
    for host in ThreadsTest.hosts.values():
        host.stop()
