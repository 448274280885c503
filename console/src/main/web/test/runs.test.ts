import { describe, expect, it } from 'vitest';
import type { RunRow } from '../src/projects/run-columns';
import { mustContinue } from '../src/projects/runs';

const rows = (count: number): RunRow[] => Array.from({ length: count }, (_, i) => ({ id: String(i) }) as RunRow);
const until = '2026-11-12T08:00:00Z';

describe('a search that takes long', () => {
  it('continues until its rows fill the view', () => {
    expect(mustContinue({ rows: [], until }, 0, false)).toBe(true);
    expect(mustContinue({ rows: rows(30), until }, 15, false)).toBe(true);
    expect(mustContinue({ rows: rows(60), until }, 15, false)).toBe(false);
  });

  it('ends with an error or with the last page', () => {
    expect(mustContinue({ rows: [], until, error: new Error('away') }, 0, false)).toBe(false);
    expect(mustContinue({ rows: [], until: null }, 0, false)).toBe(false);
  });

  it('reads all rows for an order that needs them', () => {
    expect(mustContinue({ rows: rows(60), until: null }, 15, true)).toBe(true);
    expect(mustContinue({ rows: rows(500), until: null }, 15, true)).toBe(false);
  });
});
