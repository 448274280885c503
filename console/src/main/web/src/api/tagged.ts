import { send, workspace, type Body, type Options, type PathsWith, type Reply } from './client';

const MAX_KEPT = 12;
const kept = new Map<string, { readonly tag: string; readonly body: unknown }>();

/** Forgets what was read, for example when the session changes. */
export function forgetTagged(): void {
  kept.clear();
}

/** Reads JSON with an entity tag: what has not changed is not transferred again, and is the same object as before. */
async function read(method: 'get' | 'post', path: string, options: Options): Promise<unknown> {
  const key = JSON.stringify([options.workspace ?? workspace.peek(), method, path, options.path, options.query, options.body]);
  const known = kept.get(key);
  const response = await send(method, path, known ? { ...options, knownTag: known.tag } : options);
  const isKnown = response.status === 304 && known !== undefined;
  const found = isKnown ? known : { tag: response.headers.get('ETag') ?? '', body: await response.json() };
  kept.delete(key);
  if (found.tag) {
    kept.set(key, found);
  }
  if (kept.size > MAX_KEPT) {
    kept.delete(kept.keys().next().value!);
  }
  return found.body;
}

export const getTagged = <P extends PathsWith<'get'>>(path: P, options: Options<never>): Promise<Reply<P, 'get'>> => read('get', path as string, options) as Promise<Reply<P, 'get'>>;
export const postTagged = <P extends PathsWith<'post'>>(path: P, options: Options<Body<P, 'post'>>): Promise<Reply<P, 'post'>> => read('post', path as string, options) as Promise<Reply<P, 'post'>>;
