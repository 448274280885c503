import { signal } from '@preact/signals';

/** The address of the page. Every state that a person can share is in it. */
export interface Location {
  readonly path: string;
  readonly search: URLSearchParams;
}

function current(): Location {
  return { path: window.location.pathname, search: new URLSearchParams(window.location.search) };
}

export const location = signal<Location>(current());

/** Opens an address of this application. */
export function navigate(url: string, options: { replace?: boolean } = {}): void {
  const target = new URL(url, window.location.href);
  if (target.href === window.location.href) {
    return;
  }
  window.history[options.replace ? 'replaceState' : 'pushState'](null, '', target);
  location.value = current();
}

/** Follows links without loading the document again, and the buttons of the browser. */
export function startRouter(): void {
  window.addEventListener('popstate', () => {
    location.value = current();
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    const opensElsewhere = event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || opensElsewhere || link.target || link.hasAttribute('download') || link.origin !== window.location.origin) {
      return;
    }
    if (isPage(link.pathname)) {
      event.preventDefault();
      navigate(link.href);
    }
  });
}

function isPage(path: string): boolean {
  return path === '/' || path === '/sign-in' || path.startsWith('/w/') || path.startsWith('/gallery');
}

export type Params = Readonly<Record<string, string>>;

/** Returns the parameters if the path matches the pattern (`/w/:workspace/projects/:id`), else null. */
export function match(pattern: string, path: string): Params | null {
  const expected = pattern.split('/');
  const actual = path.replace(/\/+$/, '').split('/');
  if (expected.length !== actual.length) {
    return null;
  }
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    if (part.startsWith(':')) {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) {
      return null;
    }
  }
  return params;
}

/** How a value is written in the query of an address; a default is left out. */
export interface Codec<T> {
  readonly initial: T;
  parse(text: string): T;
  format(value: T): string;
}

export const text = (initial = ''): Codec<string> => ({ initial, parse: (value) => value, format: (value) => value });

export const oneOf = <T extends string>(values: readonly T[], initial: T): Codec<T> => ({
  initial,
  parse: (value) => values.find((known) => known === value) ?? initial,
  format: (value) => value,
});

export const list: Codec<readonly string[]> = {
  initial: [],
  parse: (value) => value.split(',').filter(Boolean),
  format: (value) => value.join(','),
};

export type Codecs = Readonly<Record<string, Codec<never>>>;
export type UrlState<C> = { readonly [K in keyof C]: C[K] extends Codec<infer T> ? T : never };

/** Reads the typed state from the query; unknown values are the defaults. */
export function readState<C extends Readonly<Record<string, Codec<any>>>>(codecs: C, search: URLSearchParams): UrlState<C> {
  const state: Record<string, unknown> = {};
  for (const [name, codec] of Object.entries(codecs)) {
    const value = search.get(name);
    state[name] = value === null ? codec.initial : codec.parse(value);
  }
  return state as UrlState<C>;
}

/** Returns the query with the changes applied; other parameters stay. */
export function writeState<C extends Readonly<Record<string, Codec<any>>>>(codecs: C, search: URLSearchParams, changes: Partial<UrlState<C>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    const codec = codecs[name];
    if (!codec) {
      continue;
    }
    const formatted = value === undefined ? '' : codec.format(value);
    if (formatted === '' || formatted === codec.format(codec.initial)) {
      next.delete(name);
    } else {
      next.set(name, formatted);
    }
  }
  return next;
}

/** Binds typed state to the address of the page: reading it in a component subscribes to it. */
export function useUrlState<C extends Readonly<Record<string, Codec<any>>>>(codecs: C) {
  const { path, search } = location.value;
  const state = readState(codecs, search);
  const href = (changes: Partial<UrlState<C>>): string => {
    const query = writeState(codecs, location.peek().search, changes).toString();
    return path + (query ? `?${query}` : '');
  };
  const set = (changes: Partial<UrlState<C>>, options?: { replace?: boolean }): void => navigate(href(changes), options);
  return { state, set, href };
}
