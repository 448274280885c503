// A server that answers every request with the same events from memory, each written by itself. For nothing but comparison.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const events = JSON.parse(readFileSync(file, "utf8")).map((event) => Buffer.from(event));

createServer((request, response) => {
    request.resume();
    request.on("end", () => {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        for (const event of events) {
            response.write(event);
        }
        response.end();
    });
}).listen(Number(port), "127.0.0.1");
