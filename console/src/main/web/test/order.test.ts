import { describe, expect, it } from 'vitest';
import { clicked, ordered } from '../src/ui/order';

const ROWS = [
  { id: 'a', cost: 2, name: 'B' },
  { id: 'b', cost: null, name: 'a' },
  { id: 'c', cost: 10, name: 'C' },
  { id: 'd', cost: 2, name: 'b' },
];
const ids = (sort: string): string => ordered(ROWS, sort, { cost: (row) => row.cost, name: (row) => row.name }).map((row) => row.id).join('');

describe('orders', () => {
  it('have rows without a value last in both directions', () => {
    expect([ids('cost'), ids('-cost')]).toEqual(['adcb', 'cadb']);
  });

  it('compare texts as people do', () => {
    expect(ids('name')).toBe('bdac');
  });

  it('of unknown columns are those of the rows', () => {
    expect(ids('-other')).toBe('abcd');
  });

  it('change with a click: first the one listed first, then the other', () => {
    const orders = ['-start', 'start', 'name', '-name'] as const;
    expect(clicked(orders, 'start', 'name')).toBe('name');
    expect(clicked(orders, 'name', '-name')).toBe('-name');
    expect(clicked(orders, 'name', 'start')).toBe('-start');
    expect(clicked(orders, '-start', '-start')).toBe('start');
    expect(clicked(orders, 'name', 'other')).toBe('name');
  });
});
