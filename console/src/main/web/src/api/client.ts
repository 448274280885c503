import type { paths as ControlPlane } from './schema/control-plane';
import type { paths as Experiment } from './schema/experiment-service';
import type { paths as Export } from './schema/export-service';
import type { components } from './schema/experiment-service';
import { signal } from '@preact/signals';

export type Schemas = components['schemas'];
type Paths = ControlPlane & Experiment & Export;
type Method = 'get' | 'post' | 'patch' | 'delete';
export type PathsWith<M extends Method> = { [P in keyof Paths]: Paths[P] extends Record<M, { responses: unknown }> ? P : never }[keyof Paths];
type Operation<P extends keyof Paths, M extends Method> = Paths[P] extends Record<M, infer O> ? O : never;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;
export type Body<P extends keyof Paths, M extends Method> = Operation<P, M> extends { requestBody?: infer B } ? Partial<Json<NonNullable<B>>> : never;
type Success<R> = R extends { 200: infer O } ? Json<O> : R extends { 201: infer O } ? Json<O> : never;
export type Reply<P extends keyof Paths, M extends Method> = Operation<P, M> extends { responses: infer R } ? Success<R> : never;

export interface Options<B = unknown> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: B;
  readonly signal?: AbortSignal;
  readonly workspace?: string;
  /** Media type of the response; JSON by default. */
  readonly accept?: string;
  /** Entity tag of the content that the caller has: the response can be 304. */
  readonly knownTag?: string;
}

export interface Violation {
  readonly loc: readonly (string | number)[];
  readonly message: string;
  readonly type?: string;
  readonly position?: number;
  /** The valid input there. */
  readonly expected?: string;
}

/** A problem detail (RFC 9457), or a failed connection (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId?: string,
    readonly violations: readonly Violation[] = [],
    readonly service?: string,
    readonly position?: number,
    /** The step of a destination's test that failed. */
    readonly step?: string,
  ) {
    super(message);
  }
}

/** Whether a service or the console did not respond, so that the request can be repeated. */
export const isAway = (error: unknown): boolean => error instanceof ApiError && [0, 502, 503].includes(error.status);

/** Called when a request finds no session; the application then shows the sign-in page. */
export const sessionLost = signal(0);
/** The service that did not respond to the last request, or null. */
export const unavailable = signal<string | null>(null);
/** The workspace of the page's address. */
export const workspace = signal('');

const HEADER = { 'X-Waybill-Console': '1' };

export async function send(method: string, url: string, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { ...HEADER, Accept: options.accept ?? 'application/json' };
  const tenant = options.workspace ?? workspace.peek();
  if (tenant) {
    headers['X-Tenant-Id'] = tenant;
  }
  const init: RequestInit = { method: method.toUpperCase(), headers, credentials: 'same-origin' };
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(options.body);
  }
  if (options.knownTag) {
    headers['If-None-Match'] = options.knownTag;
  }
  if (options.signal) {
    init.signal = options.signal;
  }
  let response: Response;
  try {
    response = await fetch(address(url, options), init);
  } catch (failure) {
    if ((failure as Error).name === 'AbortError') {
      throw failure;
    }
    unavailable.value = 'The console';
    throw new ApiError(0, 'The console does not respond. Check the network connection.');
  }
  if (!response.ok && response.status !== 304) {
    throw await problem(response);
  }
  if (unavailable.peek() !== null) {
    unavailable.value = null;
  }
  return response;
}

function address(url: string, options: Options): string {
  const path = url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (Array.isArray(value)) {
      value.forEach((one: string) => query.append(name, one));
    } else if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  return query.size ? `${path}?${query}` : path;
}

async function problem(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => ({}));
  if (response.status === 401 && !response.url.endsWith('/session')) {
    sessionLost.value++;
  }
  if (response.status === 503 && body.service) {
    unavailable.value = body.service;
  }
  const detail = typeof body.detail === 'string' ? body.detail : `The service responded with status ${response.status}.`;
  return new ApiError(response.status, detail, body.request_id ?? response.headers.get('X-Request-Id') ?? undefined, body.errors ?? [], body.service, body.position, body.step);
}

async function call(method: Method, path: string, options: Options): Promise<unknown> {
  const response = await send(method, path, options);
  return response.status === 204 ? undefined : response.json();
}

export const get = <P extends PathsWith<'get'>>(path: P, options: Options<never> = {}): Promise<Reply<P, 'get'>> => call('get', path as string, options) as Promise<Reply<P, 'get'>>;
export const post = <P extends PathsWith<'post'>>(path: P, options: Options<Body<P, 'post'>>): Promise<Reply<P, 'post'>> => call('post', path as string, options) as Promise<Reply<P, 'post'>>;
export const patch = <P extends PathsWith<'patch'>>(path: P, options: Options<Body<P, 'patch'>>): Promise<Reply<P, 'patch'>> => call('patch', path as string, options) as Promise<Reply<P, 'patch'>>;
export const remove = <P extends PathsWith<'delete'>>(path: P, options: Options<never>): Promise<unknown> => call('delete', path as string, options);

/** Reads a list together with its total (`X-Pagination-Total`). */
export async function getList<P extends PathsWith<'get'>>(path: P, options: Options<never> = {}): Promise<{ items: Reply<P, 'get'>; total: number }> {
  const response = await send('get', path as string, options);
  const items = await response.json();
  return { items, total: Number(response.headers.get('X-Pagination-Total') ?? items.length) };
}
