import { ApiError, type Violation } from '../api/client';

/** Errors of a rejected form. */
export interface FieldErrors {
  /** Messages by the name of the field, which is the path of its member (`config.bucket_name`). */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Messages about members without a field. */
  readonly other: readonly string[];
}

export const NO_ERRORS: FieldErrors = { fields: {}, other: [] };

/** Returns the field of a member: the closest that contains it, else the first inside of it, else the first with its last name. */
function fieldOf(path: string, names: readonly string[]): string | undefined {
  const [closest] = names.filter((name) => `${path}.`.startsWith(`${name}.`)).sort((a, b) => b.length - a.length);
  return closest ?? names.find((name) => name.startsWith(`${path}.`)) ?? names.find((name) => name.endsWith(`.${path}`));
}

/** Assigns each violation to its field. */
export function placed(violations: readonly Violation[], names: readonly string[]): FieldErrors {
  const fields: Record<string, string[]> = {};
  const other: string[] = [];
  for (const { loc, message } of violations) {
    const path = loc.filter((part) => part !== 'body').join('.');
    const name = fieldOf(path, names);
    if (name) {
      (fields[name] ??= []).push(message);
    } else {
      other.push(path ? `${path} ${message}` : message);
    }
  }
  return { fields, other };
}

/** Returns the message of a failed request with the id that the logs of the services contain. */
export function failureText(error: unknown): string {
  const { message, requestId } = error as ApiError;
  return requestId ? `${message} (request ${requestId})` : message;
}

/** Returns the errors of a form; a failure without violations belongs to the whole form. */
export function errorsOf(error: unknown, names: readonly string[]): FieldErrors {
  return error instanceof ApiError && error.violations.length ? placed(error.violations, names) : { fields: {}, other: [failureText(error)] };
}
