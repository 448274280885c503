// Traces a tree and a single run with the langsmith client and lists them with every parameter of listRuns.
// Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: the project's name. Prints the results as JSON.
import { randomUUID } from "node:crypto";
import { Client } from "langsmith";
import { getCurrentRunTree, traceable } from "langsmith/traceable";

const project = process.argv[2];
const client = new Client();
const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};
let agentId;

const single = randomUUID();
await client.createRun({ id: single, name: "single", run_type: "tool", inputs: { n: 1 }, project_name: project });
await client.updateRun(single, { outputs: { n: 2 }, end_time: Date.now() });

const model = traceable(
  async (question) => ({
    answer: question.toUpperCase(),
    usage_metadata: { input_tokens: question.length, output_tokens: 1, total_tokens: question.length + 1 },
  }),
  { client, name: "model", run_type: "llm", tracingEnabled: true },
);
const agent = traceable(
  async (questions) => {
    agentId = getCurrentRunTree().id;
    for (const question of questions) await model(question);
    await model(null).catch(() => undefined);
    return { asked: questions.length };
  },
  { client, name: "agent", project_name: project, tracingEnabled: true, metadata: { customer: "Zoë" } },
);
await agent(["why?", "how come?"]);
await client.awaitPendingTraceBatches();

const projectId = (await client.readProject({ projectName: project })).id;
const names = async (question) => (await all(client.listRuns({ projectName: project, ...question })))
  .map(({ name, total_tokens }) => `${name} ${total_tokens ?? "-"}`).sort();
const told = {
  roots: await names({ isRoot: true }),
  filtered: await names({ filter: 'and(eq(run_type, "llm"), gt(total_tokens, 5))' }),
  byTree: await names({ filter: 'eq(name, "model")', traceFilter: 'eq(metadata_key, "customer")' }),
  failed: await names({ error: true }),
  trace: await names({ traceId: agentId, runType: "chain" }),
  limited: (await all(client.listRuns({ projectId, limit: 2 }))).length,
  chosen: await all(client.listRuns({ id: [single], select: ["name", "outputs"] })),
  tree: (await client.readRun(agentId, { loadChildRuns: true })).child_runs.map(({ name }) => name),
};

console.log(JSON.stringify(told));
