import type { Schemas } from '../api/client';
import { comparisonHref, datasetHref, exampleHref, useDataset } from '../datasets/links';

/** Where a trace of an experiment belongs to. */
export interface Origin {
  readonly datasetId: string;
  readonly dataset: { readonly label: string; readonly href: string };
  readonly comparison: string;
  /** Null for a run without an example. */
  readonly example: string | null;
}

type Trace = Pick<Schemas['TraceResponse'], 'session_id' | 'reference_dataset_id' | 'reference_example_id'>;

/**
 * Reads the dataset of a trace; null for a trace of a project, and until it is read. A link of a comparison names its
 * experiments, the baseline first, so that the way back leads to the same one.
 */
export function useOrigin(trace: Trace, compared: readonly string[]): Origin | null {
  const id = trace.reference_dataset_id ?? null;
  const dataset = useDataset(id);
  if (!id || !dataset) {
    return null;
  }
  const row = trace.reference_example_id ?? null;
  const [base, ...candidates] = compared;
  return {
    datasetId: id,
    dataset,
    comparison: base && candidates.length ? `${datasetHref(id)}/compare?base=${base}&with=${candidates.join()}${row ? `&row=${row}` : ''}` : comparisonHref(id, dataset.baseline, trace.session_id, row),
    example: row && exampleHref(id, row),
  };
}
