import { openStream, readEvents } from '../api/stream';
import { send, type ApiError } from '../api/client';
import type { StreamEvent } from '../api/changes';
import type { components } from '../api/schema/deployment-runtime';
import type { Interrupt } from './conversation';

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

/** What a run begins with: an input, or the answer to an interrupt of its thread. */
export interface Start {
  readonly input?: unknown;
  readonly command?: { readonly resume: unknown };
  /** The checkpoint that the run continues at; the newest one without. */
  readonly checkpoint_id?: string | undefined;
}

const runsOf = (deployment: string, thread: string | null): string => at(deployment, `${thread ? `/threads/${encodeURIComponent(thread)}` : ''}/runs`);

export async function streamRun(deployment: string, thread: string | null, assistant: string, start: Start, signal: AbortSignal, receive: (events: readonly StreamEvent[]) => void): Promise<void> {
  const body = { assistant_id: assistant, ...start, stream_mode: ['messages', 'values', 'updates', 'custom'], on_disconnect: 'cancel' };
  await readEvents(await openStream('post', `${runsOf(deployment, thread)}/stream`, { body, signal }), receive);
}

export async function cancelRun(deployment: string, thread: string | null, run: string): Promise<void> {
  await send('post', `${runsOf(deployment, thread)}/${encodeURIComponent(run)}/cancel`, {});
}

/** A checkpoint of a thread. */
export interface ThreadState {
  readonly values: unknown;
  readonly interrupts?: readonly Interrupt[] | null;
  readonly checkpoint?: { readonly checkpoint_id?: string } | null;
  readonly parent_checkpoint?: { readonly checkpoint_id?: string } | null;
}

/** Returns false for an application that stores no threads, and for an assistant whose graph does not remember. */
export async function hasThreads(deployment: string, assistant: string, signal: AbortSignal): Promise<boolean> {
  try {
    await send('post', at(deployment, '/threads/search'), { body: { limit: 1, select: ['thread_id'] }, signal });
    // Runtimes draw the graphs that remember; runs of others on a thread are refused.
    await send('get', at(deployment, `/assistants/${encodeURIComponent(assistant)}/graph`), { signal });
    return true;
  } catch (failure) {
    if ([404, 422].includes((failure as ApiError).status)) {
      return false;
    }
    throw failure;
  }
}

export async function createThread(deployment: string): Promise<string> {
  return (await (await send('post', at(deployment, '/threads'), { body: {} })).json()).thread_id;
}

/** Reads checkpoints of the thread, the newest first. */
export async function history(deployment: string, thread: string, limit: number, signal?: AbortSignal): Promise<readonly ThreadState[]> {
  return (await send('post', at(deployment, `/threads/${encodeURIComponent(thread)}/history`), { body: { limit }, ...(signal && { signal }) })).json();
}
