import { workspace } from '../api/client';
import { useQuery } from '../api/query';
import { letter } from '../ui/format';
import { Histogram } from '../ui/histogram';
import type { NumberRange } from '../ui/ranges';
import { cellText, Scatter } from '../ui/scatter';
import { ErrorState, Skeleton } from '../ui/states';
import type { Compared, Comparison, Request, ScoreCell } from './model';

interface Props {
  readonly datasetId: string;
  readonly basis: Request;
  readonly read: (body: Request, signal: AbortSignal) => Promise<Comparison>;
  readonly candidates: readonly Compared[];
  readonly feedbackKey: string;
  /** The candidate to which range and cell apply. */
  readonly brushed: Compared | undefined;
  readonly range: NumberRange | null;
  readonly cell: ScoreCell | null;
  readonly onRange: (candidate: Compared, range: NumberRange | null) => void;
  readonly onCell: (candidate: Compared, cell: ScoreCell | null) => void;
}

/** The differences of each candidate from the baseline, and its scores against those of the baseline; both select rows. */
export function Distribution({ datasetId, basis, read, candidates, feedbackKey, brushed, range, cell, onRange, onCell }: Props) {
  const ids = candidates.map((candidate) => candidate.id);
  const loaded = useQuery(
    `distribution ${workspace.value} ${datasetId} ${JSON.stringify(basis)} ${ids} ${feedbackKey}`,
    async (signal) => {
      const found = await Promise.all(ids.map((id) => read({ ...basis, parts: ['distribution'], feedback_key: feedbackKey, experiment_id: id }, signal)));
      return found.map((one) => one.distribution);
    },
    { changes: { types: ['experiment', 'feedback', 'runs'], sessions: [...ids, basis.baseline_experiment_id ?? ''] } },
  );
  if (loaded.error && !loaded.data) {
    return <ErrorState error={loaded.error} retry={loaded.reload} />;
  }
  if (!loaded.data) {
    return (
      <div class="distribution" role="status">
        <span class="visually-hidden">Loading the distribution</span>
        <Skeleton rows={5} />
      </div>
    );
  }
  return (
    <div class="distribution">
      {candidates.map((candidate, index) => {
        const distribution = loaded.data![index];
        const higher = candidate.feedback[feedbackKey]?.higher_is_better ?? true;
        if (!distribution || distribution.n === 0) {
          return (
            <p key={candidate.id} class="muted">
              {letter(index)}: no example has a score in both experiments.
            </p>
          );
        }
        const isBrushed = candidate.id === brushed?.id;
        return (
          <div key={candidate.id} class="distribution-pair">
            <Histogram
              bins={distribution.differences}
              higherIsBetter={higher}
              title={`${letter(index)}: differences in ${feedbackKey}`}
              selected={isBrushed ? range : null}
              onSelect={(next) => onRange(candidate, next)}
            />
            <Scatter
              cells={distribution.scores}
              higherIsBetter={higher}
              title={`${letter(index)} against the baseline`}
              xLabel="baseline"
              yLabel={letter(index)}
              selected={isBrushed && cell ? cellText(cell) : ''}
              onSelect={(next) => onCell(candidate, next)}
            />
          </div>
        );
      })}
    </div>
  );
}
