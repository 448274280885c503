// Runs the validation suite: node run.mjs <the worker's program>
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { startVitest } from "vitest/node";

const MIN_TESTS = 700;
process.env.SHIMS = pathToFileURL(`${dirname(process.argv[2])}/`).href;
// Checkpoints of LangGraph before 1.0, whose pending sends would have to be migrated, are never stored.
const testNamePattern = /^(?!.*should migrate pending sends)/;
const options = { include: ["saver.spec.mjs"], globals: true, watch: false, testNamePattern };
const vitest = await startVitest("test", ["saver.spec.mjs"], options);
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const results = tests.map((test) => test.result().state);
const passed = results.filter((state) => state === "passed").length;
console.log(`${passed} of ${results.length} tests passed`);
await vitest.close();
process.exit(results.includes("failed") || passed < MIN_TESTS ? 1 : 0);
