// A server that answers every request with the same events from memory, each written by itself: all at once, or with "turns" each in
// a turn of the event loop of its own. For nothing but comparison.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, manner] = process.argv.slice(2);
const events = JSON.parse(readFileSync(file, "utf8")).map((event) => Buffer.from(event));

createServer((request, response) => {
    request.resume();
    request.on("end", async () => {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        for (const event of events) {
            response.write(event);
            if (manner === "turns") {
                await new Promise(setImmediate);
            }
        }
        response.end();
    });
}).listen(Number(port), "127.0.0.1");
