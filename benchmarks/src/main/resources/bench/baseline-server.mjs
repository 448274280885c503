// Responds to every request with the same events from memory, written together or, with "separate", each in its own event-loop iteration.
// Used as the baseline of S1.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, mode] = process.argv.slice(2);
const events = JSON.parse(readFileSync(file, "utf8")).map((event) => Buffer.from(event));

createServer((request, response) => {
    request.resume();
    request.on("end", async () => {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        for (const event of events) {
            response.write(event);
            if (mode === "separate") {
                await new Promise(setImmediate);
            }
        }
        response.end();
    });
}).listen(Number(port), "127.0.0.1");
