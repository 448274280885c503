import { describe, expect, it } from 'vitest';
import { choice } from '../src/compare/choice';
import { reasonsOf } from '../src/compare/reasons';
import type { Session } from '../src/datasets/scores';

const experiments = ['a', 'b', 'c'].map((id, day) => ({ id, start_time: `2026-11-0${day + 1}T00:00:00Z` }) as unknown as Session);
const chosen = (base: string, candidates: readonly string[], preferred?: string, list = experiments): string => {
  const found = choice({ base, with: candidates }, list, preferred);
  return `${found.base}:${found.candidates}`;
};

describe('what is compared', () => {
  it('is the newest experiment with the baseline or the one before', () => {
    expect([chosen('', []), chosen('', [], 'a'), chosen('', [], 'c')]).toEqual(['b:c', 'a:c', 'c:b']);
  });

  it('is a named experiment with the baseline or the one before', () => {
    expect([chosen('', ['b']), chosen('', ['b'], 'c'), chosen('', ['c'], 'c'), chosen('', ['a'])]).toEqual(['a:b', 'c:b', 'b:c', 'c:a']);
  });

  it('is what the address names', () => {
    expect([chosen('a', []), chosen('a', ['c', 'b']), chosen('a', ['a', 'b'])]).toEqual(['a:c', 'a:c,b', 'a:b']);
  });

  it('is nothing without a second experiment', () => {
    expect([chosen('', [], undefined, []), chosen('', [], undefined, experiments.slice(0, 1)), chosen('', ['a'], undefined, experiments.slice(0, 1))]).toEqual([':', 'a:', 'a:']);
  });
});

describe('reasons', () => {
  it('belong to a key and a run, once each', () => {
    const feedback = (run: string | null, key: string, comment: string | null) => ({ run_id: run, key, comment }) as unknown as Parameters<typeof reasonsOf>[0][number];
    const found = reasonsOf([feedback('r', 'k', 'second'), feedback('r', 'k', 'first'), feedback('r', 'k', ' first '), feedback('s', 'k', 'other'), feedback('s', 'l', ' '), feedback(null, 'k', 'whole experiment'), feedback('s', 'm', null)]);
    expect([...found.keys()]).toEqual(['k']);
    expect([found.get('k')!.get('r'), found.get('k')!.get('s')]).toEqual([['second', 'first'], ['other']]);
  });
});
