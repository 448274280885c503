import { ApiError } from '../api/client';

export interface PlacedErrors {
  /** Messages by the name of their field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What belongs to no field of the form. */
  readonly other: readonly string[];
}

export const NO_ERRORS: PlacedErrors = { fields: {}, other: [] };

/** Assigns each violation of a rejected request to the field that it names; the rest belongs to the whole form. */
export function placeErrors(error: unknown, names: readonly string[]): PlacedErrors {
  const violations = error instanceof ApiError ? error.violations : [];
  const fields: Record<string, string[]> = {};
  const other: string[] = [];
  for (const { loc, message } of violations) {
    const name = loc.findLast((part) => names.includes(String(part)));
    if (name !== undefined) {
      (fields[String(name)] ??= []).push(message);
    } else {
      other.push(loc.length ? `${loc.join('.')} ${message}` : message);
    }
  }
  if (violations.length === 0) {
    const id = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
    other.push((error instanceof Error ? error.message : String(error)) + id);
  }
  return { fields, other };
}
