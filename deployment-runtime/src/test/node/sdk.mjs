// Calls the runtime with the official client, with one assistant; prints the responses as JSON.
import { Client } from "@langchain/langgraph-sdk";

const [apiUrl, apiKey, assistant] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey, callerOptions: { maxRetries: 0 } });
const message = (content) => ({ messages: [{ role: "user", content }] });

async function collect(stream, max = Infinity) {
    const events = [];
    for await (const { id, event, data } of stream) {
        events.push({ id, event, data });
        if (events.length === max) {
            break;
        }
    }
    return events;
}

const stream = (mode, more = {}) =>
    collect(client.runs.stream(null, assistant, { input: message("hello there"), streamMode: mode, ...more }));

const result = {};
result.found = await client.assistants.search({ graphId: assistant, metadata: { created_by: "system" } });
result.assistant = await client.assistants.get(result.found[0].assistant_id);
result.schemas = await client.assistants.getSchemas(result.found[0].assistant_id);

result.count = await client.assistants.count({ graphId: assistant, metadata: { created_by: "system" } });

const modes = ["updates", "messages", "messages-tuple", "values", "custom", "events", "debug", "tasks"];
for (const mode of modes) {
    result[mode] = await stream(mode);
}
result.all = await stream(modes);
result.subgraphs = await stream(modes, { streamSubgraphs: true });
result.several = await stream(["updates", "messages-tuple", "custom"]);
result.byId = await collect(client.runs.stream(null, result.assistant.assistant_id, { input: message("hi"), streamMode: "updates" }));

result.answer = await client.runs.wait(null, assistant, { input: message("hello there") });
result.raised = await client.runs.wait(null, assistant, { input: message("fail") }).catch((error) => String(error.message));
result.failed = await collect(client.runs.stream(null, assistant, { input: message("fail"), streamMode: "updates" }));
result.unknown = await client.runs.wait(null, "nobody", { input: null }).catch((error) => `${error.status} ${error.message}`);

// Disconnects after the third event and joins the run again.
let created;
const beginning = await collect(client.runs.stream(null, assistant, {
    input: message("tokens:6 delay:20"),
    streamMode: "messages-tuple",
    streamResumable: true,
    onDisconnect: "continue",
    onRunCreated: (run) => {
        created = run;
    },
}), 3);
const rest = await collect(client.runs.joinStream(null, created.run_id, { lastEventId: beginning.at(-1).id }));
result.resumed = [...beginning, ...rest];

const separate = await client.runs.create(null, assistant, { input: message("hello there") });
result.joined = await client.runs.join(separate.thread_id, separate.run_id);
result.joinedAgain = await client.runs.join(separate.thread_id, separate.run_id);
const failing = await client.runs.create(null, assistant, { input: message("fail") });
result.joinedFailed = await client.runs.join(failing.thread_id, failing.run_id);

const background = await client.runs.create(null, assistant, { input: message("tokens:100000 delay:50") });
result.background = background.status;
const joined = collect(client.runs.joinStream(null, background.run_id));
await client.runs.cancel(background.thread_id, background.run_id);
result.cancelled = await joined;
result.after = (await client.runs.get(background.thread_id, background.run_id)).status;

console.log(JSON.stringify(result));
