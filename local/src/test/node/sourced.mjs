// Traces one run with the langsmith client, which reads all its settings from the environment.
// Argument: the project's name. Prints the run's id as JSON.
import { Client } from "langsmith";
import { getCurrentRunTree, traceable } from "langsmith/traceable";

const client = new Client();
let id = null;
const greet = traceable(
  async (name) => {
    id = getCurrentRunTree().id;
    return `Hello ${name}`;
  },
  { client, name: "greet", run_type: "chain", project_name: process.argv[2] },
);
await greet("Waybill");
await client.awaitPendingTraceBatches();
console.log(JSON.stringify({ id }));
