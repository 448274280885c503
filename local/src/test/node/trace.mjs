// Traces a nested tree of runs with the langsmith client.
// Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: the project's name. Prints the ids as JSON.
import { Client } from "langsmith";
import { getCurrentRunTree, traceable } from "langsmith/traceable";

const project = process.argv[2];
const client = new Client();
const options = { client, project_name: project, tracingEnabled: true };
const ids = {};

const search = traceable(
  async (query) => {
    ids.search = getCurrentRunTree().id;
    return { documents: [`about ${query}`, "a second one"] };
  },
  { ...options, name: "search", run_type: "retriever" },
);

const model = traceable(
  async ({ messages }) => {
    ids.model = getCurrentRunTree().id;
    return {
      role: "assistant",
      content: `${messages.length} message(s) read`,
      usage_metadata: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    };
  },
  { ...options, name: "model", run_type: "llm" },
);

const broken = traceable(
  async () => {
    ids.broken = getCurrentRunTree().id;
    throw new Error("the tool is out of order");
  },
  { ...options, name: "broken", run_type: "tool" },
);

const agent = traceable(
  async (question) => {
    ids.agent = getCurrentRunTree().id;
    const found = await search(question);
    await broken().catch(() => undefined);
    return model({ messages: [{ role: "user", content: question, found }] });
  },
  { ...options, name: "agent", run_type: "chain", tags: ["end-to-end"], metadata: { customer: "Zoë" } },
);

await agent("Where is my order?");
await client.awaitPendingTraceBatches();

const read = await client.readProject({ projectName: project });
console.log(JSON.stringify({ ids, projectId: read.id, projectName: read.name }));
