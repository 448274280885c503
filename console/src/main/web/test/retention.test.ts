import { describe, expect, it } from 'vitest';
import { deletedBefore, fateOf, sessionsOf, type Tier } from '../src/settings/retention-model';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const DAY_S = 86_400;
const tier = (retention_seconds: number | null): Tier => ({ trace_tier: 'shortlived', project_count: 1, experiment_count: 1_200, is_default: false, retention_seconds }) as Tier;

describe('retention', () => {
  it('is described in words', () => {
    expect(fateOf(null)).toBe('kept forever');
    expect(fateOf(14 * DAY_S)).toBe('deleted 14 days after their start');
    expect(fateOf(2.5 * DAY_S)).toBe('deleted 60 hours after their start');
    expect(sessionsOf(tier(null))).toBe('1 project, 1,200 experiments');
  });

  it.each([
    [null, 14 * DAY_S, '2026-11-14T12:00:00.000Z'],
    [400 * DAY_S, 14 * DAY_S, '2026-11-14T12:00:00.000Z'],
    [14 * DAY_S, 400 * DAY_S, undefined],
    [14 * DAY_S, null, undefined],
    [null, null, undefined],
  ])('a change from %s to %s deletes runs before %s', (from, to, before) => {
    expect(deletedBefore(tier(from), tier(to), NOW)).toBe(before);
  });
});
