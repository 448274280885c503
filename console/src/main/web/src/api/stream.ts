import { EventParser, type StreamEvent } from './changes';
import { send, type Options } from './client';

const MAX_EVENT = 20_000_000;

/** Reads server-sent events of a response until it ends; each call has all events of a piece. EventSource sends no headers. */
export async function readEvents(response: Response, receive: (events: readonly StreamEvent[]) => void): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(MAX_EVENT);
  while (reader) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const events = parser.push(decoder.decode(value, { stream: true }));
    if (events.length) {
      receive(events);
    }
  }
}

export async function openStream(method: string, url: string, options: Options): Promise<Response> {
  return send(method, url, { ...options, accept: 'text/event-stream' });
}
