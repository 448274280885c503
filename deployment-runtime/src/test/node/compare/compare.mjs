// Calls two servers in the same way and prints how their responses differ as JSON: compare.mjs OURS OTHER
import { Client } from "@langchain/langgraph-sdk";
import { accepted } from "./accepted.mjs";
import { assistantCases } from "./cases-assistants.mjs";
import { cronCases } from "./cases-crons.mjs";
import { runCases } from "./cases-runs.mjs";
import { stateCases } from "./cases-state.mjs";
import { storeCases } from "./cases-store.mjs";
import { threadCases } from "./cases-threads.mjs";
import { flatten, normalize } from "./normalize.mjs";
import { tableOf } from "./table.mjs";

const CONCURRENT = 6;
const cases = Object.entries({
    ...threadCases, ...stateCases, ...runCases, ...storeCases, ...assistantCases, ...cronCases,
});

/** Returns the normalized responses of a server by case. */
async function responses(apiUrl) {
    const client = new Client({ apiUrl, callerOptions: { maxRetries: 0 } });
    const results = {};
    const waiting = [...cases];
    await Promise.all(Array.from({ length: CONCURRENT }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
            const [name, call] = next;
            const result = await call(client).catch((error) => ({ thrown: String(error) }));
            results[name] = flatten(normalize(JSON.parse(JSON.stringify(result ?? null))));
        }
    }));
    return results;
}

const [ours, other] = await Promise.all(process.argv.slice(2).map(responses));
const byRule = new Map(accepted.map((rule) => [rule, []]));
const unaccepted = [];
for (const [name] of cases) {
    for (const path of [...new Set([...Object.keys(ours[name]), ...Object.keys(other[name])])].sort()) {
        const [here, there] = [ours[name][path] ?? "absent", other[name][path] ?? "absent"];
        if (here !== there) {
            const rule = accepted.find(([calls, paths]) => calls.test(name) && paths.test(path));
            (byRule.get(path === "thrown" ? undefined : rule) ?? unaccepted).push({ name, path, here, there });
        }
    }
}
const unused = [...byRule].filter(([, differences]) => differences.length === 0).map(([[calls, paths]]) => `${calls} ${paths}`);
console.log(JSON.stringify({ cases: cases.length, unaccepted, unused, table: tableOf(byRule) }));
