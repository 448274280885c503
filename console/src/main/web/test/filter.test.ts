import { describe, expect, it } from 'vitest';
import { conjunction, marked, suggestions } from '../src/projects/filter';

const labels = (text: string, caret = text.length): string[] => suggestions(text, caret).map((item) => item.label);

describe('completion', () => {
  it('offers functions at the start and inside and, or, not', () => {
    expect(labels('')).toContain('and(…)');
    expect(labels('and(e')).toEqual(['eq(…)', 'exists(…)']);
    expect(labels('and(eq(name, "a"), l')).toEqual(['lt(…)', 'lte(…)', 'like(…)']);
  });

  it('offers the fields that a function supports', () => {
    expect(labels('gt(lat')).toEqual(['latency']);
    expect(labels('gt(run')).toEqual([]);
    expect(labels('has(')).toEqual(['tags']);
  });

  it('offers the values of a field', () => {
    expect(labels('eq(status, ')).toEqual(['"success"', '"error"', '"pending"']);
    expect(labels('and(eq(run_type, "llm"), eq(is_root, t')).toEqual(['true']);
  });

  it('offers nothing inside a string', () => {
    expect(labels('eq(name, "and(')).toEqual([]);
    expect(labels('eq(name, "a\\"b, ')).toEqual([]);
  });

  it('places the caret between the parentheses', () => {
    const [item] = suggestions('an', 2);
    expect([item!.insert, item!.from, item!.caret]).toEqual(['and()', 0, 4]);
  });
});

describe('errors and conditions', () => {
  it('marks the position of an error', () => {
    expect(marked('eq(foo, 1)', 4)).toBe('eq(foo, 1)\n   ^');
  });

  it('adds a condition to a filter', () => {
    expect(conjunction('', 'a')).toBe('a');
    expect(conjunction('eq(x, 1)', 'b')).toBe('and(eq(x, 1), b)');
    expect(conjunction('and(a, b)', 'c')).toBe('and(a, b, c)');
  });
});
