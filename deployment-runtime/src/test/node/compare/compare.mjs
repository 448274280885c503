// Calls two servers in the same way and prints how their responses differ as JSON: compare.mjs OURS OTHER
import { Client } from "@langchain/langgraph-sdk";
import { assistantCases } from "./cases-assistants.mjs";
import { channelCases } from "./cases-channels.mjs";
import { cronCases } from "./cases-crons.mjs";
import { runCases } from "./cases-runs.mjs";
import { stateCases } from "./cases-state.mjs";
import { storeCases } from "./cases-store.mjs";
import { threadCases } from "./cases-threads.mjs";
import { differences, leaves } from "./differences.mjs";

const CONCURRENT = 6;
const cases = Object.entries({
    ...threadCases, ...stateCases, ...runCases, ...storeCases, ...assistantCases, ...cronCases,
    ...channelCases,
});

/** Returns the normalized responses of a server by case. */
async function responses(apiUrl) {
    const client = new Client({ apiUrl, callerOptions: { maxRetries: 0 } });
    const results = {};
    const waiting = [...cases];
    await Promise.all(Array.from({ length: CONCURRENT }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
            const [name, call] = next;
            results[name] = leaves(await call(client, apiUrl).catch((error) => ({ thrown: String(error) })));
        }
    }));
    return results;
}

const [ours, other] = await Promise.all(process.argv.slice(2).map(responses));
console.log(JSON.stringify(differences(cases.map(([name]) => name), ours, other)));
// Some cases leave streams open.
process.exit(0);
