// Calls the operations on states with the official client; prints the responses as JSON.
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey, graphId] = process.argv.slice(2);
const { threads } = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const values = (content) => ({ messages: [{ role: "user", content }] });

const result = {};
const { thread_id: id } = await threads.create({ graphId });
result.empty = await threads.getState(id);
result.first = await threads.updateState(id, { values: values("one"), asNode: "answer" });
result.second = await threads.updateState(id, { values: values("two"), asNode: "answer" });
const { checkpoint } = result.first;
result.fork = await threads.updateState(id, { values: values("three"), asNode: "answer", checkpoint });
result.newest = await threads.getState(id, undefined, { subgraphs: true });
result.byId = await threads.getState(id, checkpoint.checkpoint_id);
result.byCheckpoint = await threads.getState(id, checkpoint, { subgraphs: true });
result.history = await threads.getHistory(id, { limit: 2 });
result.earlier = await threads.getHistory(id, { before: { configurable: result.second.checkpoint } });
result.thread = await threads.get(id);
const superstep = (content) => ({ updates: [{ values: values(content), asNode: "answer" }] });
const supersteps = [superstep("one"), superstep("two")];
const created = await threads.create({ graphId, supersteps });
result.created = created;
result.createdHistory = await threads.getHistory(created.thread_id);
result.withoutGraph = await threads.create({ supersteps }).catch((error) => error.status);

console.log(JSON.stringify(result));
