import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';

export const datasetHref = (dataset: string): string => `/w/${workspace.value}/datasets/${dataset}`;

export const exampleHref = (dataset: string, example: string): string => `${datasetHref(dataset)}/examples/${example}`;

/** The comparison of an experiment with the dataset's baseline, or of the baseline with the newest experiment. */
export function comparisonHref(dataset: string, baseline: string | null, experiment: string, example?: string | null): string {
  return `${datasetHref(dataset)}/compare?${experiment === baseline ? 'base' : 'with'}=${experiment}${example ? `&row=${example}` : ''}`;
}

interface DatasetLink {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  /** The experiment to compare with. */
  readonly baseline: string | null;
}

/** Reads the dataset of an experiment; null for a project, and until the dataset is read. */
export function useDataset(id: string | null): DatasetLink | null {
  const { data } = useQuery(id ? `dataset ${workspace.value} ${id}` : null, (signal) => get('/api/v1/datasets/{dataset_id}', { path: { dataset_id: id! }, signal }));
  return id && data ? { id, label: data.name, href: datasetHref(id), baseline: data.baseline_experiment_id ?? null } : null;
}
