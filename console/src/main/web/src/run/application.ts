import { openStream, readEvents } from '../api/stream';
import { send } from '../api/client';
import type { StreamEvent } from '../api/changes';
import type { components } from '../api/schema/deployment-runtime';

export type Assistant = components['schemas']['AssistantResponse'];

const at = (deployment: string, path: string): string => `/run/${encodeURIComponent(deployment)}${path}`;

export async function assistants(deployment: string, signal: AbortSignal): Promise<readonly Assistant[]> {
  return (await send('post', at(deployment, '/assistants/search'), { body: { limit: 100 }, signal })).json();
}

/** The schema of an assistant's input; null if the application has none. */
export async function inputSchema(deployment: string, assistant: string, signal: AbortSignal): Promise<unknown> {
  const schemas = await (await send('get', at(deployment, `/assistants/${encodeURIComponent(assistant)}/schemas`), { signal })).json();
  return schemas.input_schema ?? null;
}

export async function streamRun(deployment: string, assistant: string, input: unknown, signal: AbortSignal, receive: (events: readonly StreamEvent[]) => void): Promise<void> {
  const body = { assistant_id: assistant, input, stream_mode: ['messages', 'values', 'updates', 'custom'], on_disconnect: 'cancel' };
  await readEvents(await openStream('post', at(deployment, '/runs/stream'), { body, signal }), receive);
}

export async function cancelRun(deployment: string, run: string): Promise<void> {
  await send('post', at(deployment, `/runs/${encodeURIComponent(run)}/cancel`), {});
}
