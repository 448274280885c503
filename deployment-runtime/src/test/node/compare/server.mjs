// Starts the public development server with the graphs of a directory on a free port; ends with its standard input.
import { readFileSync } from "node:fs";
import { startServer } from "@langchain/langgraph-api/server";

const [cwd] = process.argv.slice(2);
const { graphs } = JSON.parse(readFileSync(`${cwd}/langgraph.json`, "utf8"));
const { host } = await startServer({ port: 0, nWorkers: 20, host: "127.0.0.1", cwd, graphs });
process.stderr.write(`Listening on: http://${host}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
