import { describe, expect, it } from 'vitest';
import { closest, correction, indexAt } from '../src/projects/correction';

const FIELDS = 'a field that eq supports: id, name, run_type, status, error, latency, total_tokens, is_root';

describe('corrections', () => {
  it('replace a misspelled field at the position of the error', () => {
    expect(correction('and(eq(statsu, "error"))', 8, FIELDS)).toEqual({ name: 'status', filter: 'and(eq(status, "error"))' });
    expect(correction('eq(Run_Type, "llm")', 4, FIELDS)?.name).toBe('run_type');
    expect(correction('equals(name, "a")', 1, 'one of the functions and, or, not, eq, neq')?.filter).toBe('eq(name, "a")');
  });

  it('know other words for fields', () => {
    expect(closest('duration', ['latency', 'name'])).toBe('latency');
    expect(closest('duration', ['name'])).toBeNull();
  });

  it('remove the quotes of a field', () => {
    expect(correction('eq("name", "a")', 4, FIELDS)).toEqual({ name: 'name', filter: 'eq(name, "a")' });
  });

  it('are offered only for close names', () => {
    expect(correction('eq(colour, 1)', 4, FIELDS)).toBeNull();
    expect(correction('eq(name 1)', 9, 'a comma after the field')).toBeNull();
    expect(correction('eq(', 4, FIELDS)).toBeNull();
    expect(closest('idd', ['id', 'name'])).toBe('id');
  });

  it('count characters as the service does', () => {
    const filter = 'and(eq(name, "👍"), eq(nmae, "a"))';
    expect(indexAt(filter, 23)).toBe(filter.indexOf('nmae'));
    expect(correction(filter, 23, FIELDS)?.filter).toBe('and(eq(name, "👍"), eq(name, "a"))');
  });
});
