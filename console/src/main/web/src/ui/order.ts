/** Orders of tables whose rows are all loaded. */

type Value = string | number | null | undefined;
export type Values<T> = Readonly<Record<string, (row: T) => Value>>;

/** The column of an order: `-cost` sorts `cost`, the highest first. */
export const columnOf = (sort: string): string => sort.replace(/^-/, '');

/** The order after a click on a column: first the one of its two orders that is listed first, then the other. */
export function clicked<S extends string>(orders: readonly S[], order: S, column: string): S {
  const own = orders.filter((one) => columnOf(one) === columnOf(column));
  return own.find((one) => one !== order) ?? order;
}

/** Sorts rows by the value of the order's column. Rows without a value are last in both directions; equal rows keep their order. */
export function ordered<T>(rows: readonly T[], sort: string, values: Values<T>): readonly T[] {
  const valueOf = values[columnOf(sort)];
  if (!valueOf) {
    return rows;
  }
  const direction = sort.startsWith('-') ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: valueOf(row) ?? null }));
  keyed.sort((a, b) => (a.value === null || b.value === null ? Number(a.value === null) - Number(b.value === null) : direction * compare(a.value, b.value)));
  return keyed.map((one) => one.row);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
}
