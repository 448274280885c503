import { describe, expect, it } from 'vitest';
import { failuresQuery, searched, type FailedRun } from '../src/home/failures';

const until = '2026-11-12T08:00:00Z';
const runs = (count: number): FailedRun[] => Array.from({ length: count }, (_, i) => ({ id: String(i) }) as FailedRun);

describe('failed traces of the start page', () => {
  it('are what one page finds in the last days', () => {
    expect(failuresQuery(['project'], 8, Date.parse('2026-11-29T10:00:00Z'))).toMatchObject({ session: ['project'], partial: true, limit: 8, start_time: '2026-11-22T10:00:00.000Z' });
  });

  it('state what was searched', () => {
    expect(searched({ runs: [], until: null }, 8)).toBe('No trace has failed in the last 7 days.');
    expect(searched({ runs: [], until }, 8)).toMatch(/^No trace has failed since .*2026/);
    expect(searched({ runs: runs(2), until }, 8)).toMatch(/^Searched since .*2026/);
  });

  it('need no sentence if they are complete', () => {
    expect(searched({ runs: runs(2), until: null }, 8)).toBeNull();
    expect(searched({ runs: runs(8), until }, 8)).toBeNull();
  });
});
