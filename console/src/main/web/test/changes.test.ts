import { describe, expect, it } from 'vitest';
import { backoff, concerns, EventParser, type Change } from '../src/api/changes';

const change = (changes: Partial<Change>): Change => ({ type: 'runs', id: 's1', session_id: 's1', dataset_id: null, ...changes });

describe('events', () => {
  it('are read from pieces that end anywhere', () => {
    const text = ': heartbeat\n\nevent: change\ndata: {"type":\ndata: "runs"}\n\nevent: resync\r\ndata: {}\r\n\r\ndata: plain\n\n';
    for (let size = 1; size <= text.length; size++) {
      const parser = new EventParser();
      const events = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => parser.push(text.slice(index * size, (index + 1) * size))).flat();
      expect(events).toEqual([
        { name: 'change', data: '{"type":\n"runs"}' },
        { name: 'resync', data: '{}' },
        { name: 'message', data: 'plain' },
      ]);
    }
  });

  it('have the id at which a new connection continues', () => {
    expect(new EventParser().push('event: log\nid: 12\ndata: a\n\n')).toEqual([{ name: 'log', data: 'a', id: '12' }]);
  });

  it('without an end are not collected forever', () => {
    const parser = new EventParser();
    expect(() => Array.from({ length: 3 }, () => parser.push('x'.repeat(500_000)))).toThrow('too large');
  });
});

describe('changes', () => {
  it('concern lists that show their type', () => {
    expect(concerns({ types: ['runs', 'session'] }, change({}))).toBe(true);
    expect(concerns({ types: ['session'] }, change({}))).toBe(false);
    expect(concerns({ types: ['session'] }, change({ type: 'of a newer release' }))).toBe(false);
  });

  it('concern lists that show their session or dataset', () => {
    expect(concerns({ types: ['runs'], sessions: ['s1'] }, change({}))).toBe(true);
    expect(concerns({ types: ['runs'], sessions: ['s2'] }, change({}))).toBe(false);
    expect(concerns({ types: ['experiment'], dataset: 'd', sessions: [] }, change({ type: 'experiment', dataset_id: 'd' }))).toBe(true);
    expect(concerns({ types: ['experiment'], dataset: 'e', sessions: [] }, change({ type: 'experiment', dataset_id: 'd' }))).toBe(false);
  });

  it('concern lists that show their deployment', () => {
    const revision = change({ type: 'revision', id: 'r', session_id: null, deployment_id: 'd' });
    expect(concerns({ types: ['deployment', 'revision'] }, revision)).toBe(true);
    expect(concerns({ types: ['revision'], deployment: 'd' }, revision)).toBe(true);
    expect(concerns({ types: ['revision'], deployment: 'e' }, revision)).toBe(false);
    expect(concerns({ types: ['revision'], deployment: 'd' }, change({ type: 'revision', id: 'r' }))).toBe(false);
  });

  it('of unknown resources concern all lists of their type', () => {
    expect(concerns({ types: ['feedback'], sessions: ['s2'] }, change({ type: 'feedback', id: null, session_id: null }))).toBe(true);
  });
});

describe('reconnecting', () => {
  it('waits longer after each failure, at most a minute', () => {
    expect([0, 1, 2, 3].map((failures) => backoff(failures, 1))).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect([backoff(0, 0), backoff(30, 0), backoff(30, 1)]).toEqual([500, 30_000, 60_000]);
  });
});
