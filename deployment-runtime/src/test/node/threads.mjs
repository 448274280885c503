// Calls the operations of threads and of the store with the official client; prints the responses as JSON.
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const status = (error) => error.status ?? String(error);

const result = {};
const { threads, store } = client;
result.created = await threads.create({ metadata: { purpose: "sdk" }, graphId: "agent", ttl: 60 });
const id = result.created.thread_id;
result.again = await threads.create({ threadId: id, ifExists: "do_nothing" });
result.conflict = await threads.create({ threadId: id, ifExists: "raise" }).catch(status);
result.supersteps = await threads.create({ supersteps: [{ updates: [{ values: {}, asNode: "a" }] }] }).catch(status);
result.updated = await threads.update(id, { metadata: { purpose: "sdk", step: 2 }, ttl: { ttl: 30, strategy: "delete" } });
result.minimal = (await threads.update(id, { metadata: { step: 3 }, returnMinimal: true })) ?? null;
result.read = await threads.get(id);
result.found = await threads.search({ metadata: { purpose: "sdk" }, ids: [id], status: "idle", sortBy: "updated_at", sortOrder: "asc" });
result.selected = await threads.search({ ids: [id], select: ["thread_id", "status"] });
result.count = await threads.count({ metadata: { purpose: "sdk", step: 3 } });
result.copy = await threads.copy(id);
await threads.delete(id);
result.deleted = await threads.get(id).catch(status);

const namespace = ["sdk", id];
await store.putItem(namespace, "a", { n: 1 }, { ttl: 10, index: false });
await store.putItem(namespace, "b", { n: 2 });
result.item = await store.getItem(namespace, "a", { refreshTtl: false });
result.missing = await store.getItem(namespace, "z");
result.items = await store.searchItems(namespace, { filter: { n: { $gt: 1 } }, query: "ignored" });
result.namespaces = await store.listNamespaces({ prefix: ["sdk"], suffix: [id], maxDepth: 3 });
await store.deleteItem(namespace, "a");
result.left = (await store.searchItems(namespace)).items.map((item) => item.key);

console.log(JSON.stringify(result));
