import { describe, expect, it } from 'vitest';
import { chosenColumns, columnState, DEFAULT_COLUMNS, fieldsOf } from '../src/projects/run-columns';

const ids = (chosen: readonly string[]): string[] => chosenColumns(chosen).map((column) => column.id);

describe('columns', () => {
  it('are the usual ones without a choice', () => {
    expect(ids([])).toEqual(DEFAULT_COLUMNS);
    expect(ids(['of-a-newer-release'])).toEqual(DEFAULT_COLUMNS);
  });

  it('keep their order and always have the name', () => {
    expect(ids(['tags', 'input'])).toEqual(['name', 'input', 'tags']);
    expect(ids(['name'])).toEqual(['name']);
  });

  it('are in the address only if they are not the usual ones', () => {
    expect(columnState(DEFAULT_COLUMNS)).toEqual([]);
    expect(columnState(['name', 'tags'])).toEqual(['name', 'tags']);
  });

  it('select only the fields that they show', () => {
    expect(fieldsOf(chosenColumns(['tags']))).toEqual(['error', 'id', 'name', 'status', 'tags', 'trace_id']);
    expect(fieldsOf(chosenColumns([]))).toContain('inputs_preview');
    expect(fieldsOf(chosenColumns([]))).not.toContain('tags');
  });
});
