// Uses crons of the runtime with the official client; prints the responses as JSON.
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const { crons } = client;
const status = (error) => error.status;
const metadata = { purpose: `sdk ${Date.now()}` };
const input = { messages: [{ role: "user", content: "hello" }] };

const result = {};
result.created = await crons.create("threads", {
    schedule: "0 9 1 1 *", timezone: "Europe/Berlin", input, metadata, onRunCompleted: "keep", enabled: true,
    endTime: "2999-01-01T00:00:00Z", interruptBefore: ["talk"], streamMode: ["values"], durability: "sync",
});
const id = result.created.cron_id;
const { thread_id: thread } = await client.threads.create();
result.onThread = await crons.createForThread(thread, "threads", { schedule: "0 9 1 1 *", input, metadata });
result.thread = thread;
result.missingThread = await crons.createForThread("6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60", "threads", { schedule: "0 9 1 1 *" })
    .catch(status);
result.invalid = await crons.create("threads", { schedule: "often" }).catch(status);
result.updated = await crons.update(id, { schedule: "0 10 1 1 *", enabled: false, endTime: null });
result.found = await crons.search({ metadata, sortBy: "created_at", sortOrder: "asc" });
result.enabled = await crons.search({ metadata, enabled: true, select: ["cron_id"] });
result.count = await crons.count({ metadata, threadId: thread });
await crons.delete(id);
await crons.delete(result.onThread.cron_id);
result.deleted = await crons.delete(id).catch(status);

console.log(JSON.stringify(result));
