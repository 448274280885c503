import { home } from '../app/shell';

/** Earlier than any run; the service exports only days with runs. */
export const ALL_TIME = '2020-01-01T00:00:00Z';

export const exportsHref = (): string => `${home()}/exports`;
export const exportHref = (id: string): string => `${home()}/exports/${id}`;
export const destinationsHref = (): string => `${home()}/exports/destinations`;

/** The address of a form that is filled with these values. */
export function newExportHref(values: Readonly<Record<string, string | null>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value) {
      query.set(name, value);
    }
  }
  return `${home()}/exports/new${query.size ? `?${query}` : ''}`;
}
