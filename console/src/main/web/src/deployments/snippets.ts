/** Commands and code that call a deployed application. Every function is pure. */

export type Language = 'curl' | 'python' | 'typescript';

export const LANGUAGES: readonly { readonly id: Language; readonly label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
];

const INPUT = '{"messages": [{"role": "user", "content": "hello"}]}';

export function snippet(language: Language, url: string): string {
  switch (language) {
    case 'curl':
      return `curl -N ${url}/runs/stream \\
  -H "X-Api-Key: $WAYBILL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"assistant_id": "agent",
       "input": ${INPUT},
       "stream_mode": ["messages", "values"]}'`;
    case 'python':
      return `# pip install langgraph-sdk
import asyncio, os
from langgraph_sdk import get_client

async def main():
    client = get_client(url="${url}", api_key=os.environ["WAYBILL_API_KEY"])
    async for part in client.runs.stream(
        None, "agent", input=${INPUT}, stream_mode=["messages", "values"]
    ):
        print(part.event, part.data)

asyncio.run(main())`;
    case 'typescript':
      return `// npm install @langchain/langgraph-sdk
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: "${url}", apiKey: process.env.WAYBILL_API_KEY });
const stream = client.runs.stream(null, "agent", {
  input: { messages: [{ role: "user", content: "hello" }] },
  streamMode: ["messages", "values"],
});
for await (const part of stream) {
  console.log(part.event, part.data);
}`;
  }
}
