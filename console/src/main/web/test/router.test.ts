import { describe, expect, it, vi } from 'vitest';

vi.stubGlobal('window', { location: { pathname: '/', search: '', origin: 'http://localhost', href: 'http://localhost/' } });
const { list, match, oneOf, readState, text, writeState } = await import('../src/app/router');

const STATE = { with: list, view: oneOf(['all', 'worse'] as const, 'all'), key: text() };

describe('state of an address', () => {
  it('is read with defaults for what is absent or unknown', () => {
    expect(readState(STATE, new URLSearchParams('with=a,b&view=strange'))).toEqual({ with: ['a', 'b'], view: 'all', key: '' });
  });

  it('leaves defaults out and keeps other parameters', () => {
    const query = writeState(STATE, new URLSearchParams('view=worse&other=1'), { view: 'all', with: ['a'], key: 'c&d' });
    expect(query.toString()).toBe('other=1&with=a&key=c%26d');
  });

  it('survives writing and reading', () => {
    const state = { with: ['x', 'y'], view: 'worse' as const, key: 'a b' };
    expect(readState(STATE, writeState(STATE, new URLSearchParams(), state))).toEqual(state);
  });
});

describe('patterns', () => {
  it('match paths with parameters', () => {
    expect(match('/w/:workspace/projects/:id', '/w/1/projects/a%20b/')).toEqual({ workspace: '1', id: 'a b' });
    expect(match('/w/:workspace', '/w/1/projects')).toBeNull();
    expect(match('/w/:workspace', '/w/%E0%A4%A')).toBeNull();
  });
});
