// Uses stored assistants of the runtime with the official client; prints the responses as JSON.
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const { assistants } = client;
const status = (error) => error.status;

const result = {};
result.created = await assistants.create({
    graphId: "threads", name: "sdk", metadata: { purpose: "sdk" }, config: { configurable: { user: "u" } }, context: { tone: "t" },
});
const id = result.created.assistant_id;
result.conflict = await assistants.create({ graphId: "threads", assistantId: id }).catch(status);
result.again = await assistants.create({ graphId: "threads", assistantId: id, ifExists: "do_nothing" });
result.updated = await assistants.update(id, { metadata: { step: 2 }, config: { configurable: { user: "v" } } });
result.versions = await assistants.getVersions(id);
result.latest = await assistants.setLatest(id, 1);
result.read = await assistants.get(id);
result.found = await assistants.search({ metadata: { purpose: "sdk" }, sortBy: "name", sortOrder: "asc", includePagination: true });
result.selected = await assistants.search({ name: "SDK", select: ["name", "version"] });
result.count = await assistants.count({ metadata: { purpose: "sdk" } });
result.schemas = await assistants.getSchemas(id);
result.graph = await assistants.getGraph(id, { xray: true });
result.subgraphs = await assistants.getSubgraphs(id, { recurse: true });
const input = { messages: [{ role: "user", content: "settings" }] };
result.stateless = await client.runs.wait(null, id, { input, context: { name: "n" } });
const { thread_id: thread } = await client.threads.create();
result.onThread = await client.runs.wait(thread, id, { input });
await assistants.delete(id);
result.deleted = await assistants.get(id).catch(status);
result.ofGraph = await assistants.delete("threads").catch(status);

console.log(JSON.stringify(result));
