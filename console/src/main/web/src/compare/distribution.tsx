import { post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { Histogram, Scatter, type Point } from '../ui/charts';
import { count, letter } from '../ui/format';
import { ErrorState, Skeleton } from '../ui/states';
import type { Compared } from './model';

/** Until the service returns bins, the page reads the scores of this many examples itself. */
const MAX_EXAMPLES = 2_000;
const PAGE = 100;

type Scores = ReadonlyMap<string, number>;

async function scores(experiment: string, key: string, signal: AbortSignal): Promise<Scores> {
  const sums = new Map<string, { sum: number; n: number }>();
  let cursor: string | undefined;
  do {
    const page = await post('/api/v1/runs/query', {
      body: { session: [experiment], is_root: true, limit: PAGE, select: ['id', 'reference_example_id', 'feedback_stats'], ...(cursor ? { cursor } : {}) },
      signal,
    });
    for (const run of page.runs as unknown as Record<string, any>[]) {
      const average = run['feedback_stats']?.[key]?.avg;
      const example = run['reference_example_id'];
      if (typeof average === 'number' && typeof example === 'string') {
        const before = sums.get(example) ?? { sum: 0, n: 0 };
        sums.set(example, { sum: before.sum + average, n: before.n + 1 });
      }
    }
    cursor = page.cursors.next ?? undefined;
  } while (cursor && sums.size < MAX_EXAMPLES);
  return new Map([...sums].map(([example, { sum, n }]) => [example, sum / n]));
}

export function Distribution({ baseline, candidates, name, hrefOfRow }: { baseline: Compared; candidates: readonly Compared[]; name: string; hrefOfRow: (id: string) => string }) {
  const ids = [baseline.id, ...candidates.map((candidate) => candidate.id)];
  const loaded = useQuery(`scores ${workspace.value} ${ids.join()} ${name}`, (signal) => Promise.all(ids.map((id) => scores(id, name, signal))));
  if (loaded.error) {
    return <ErrorState error={loaded.error} retry={loaded.reload} />;
  }
  if (!loaded.data) {
    return (
      <div class="distribution" role="status">
        <span class="visually-hidden">Loading the scores</span>
        <Skeleton rows={5} />
      </div>
    );
  }
  const [base, ...others] = loaded.data;
  return (
    <div class="distribution">
      {candidates.map((candidate, index) => {
        const points: Point[] = [...(others[index] ?? [])].flatMap(([id, y]) => {
          const x = base?.get(id);
          return x === undefined ? [] : [{ id, x, y }];
        });
        const higher = candidate.feedback[name]?.higher_is_better ?? true;
        const incomplete = points.length >= MAX_EXAMPLES ? ` (first ${count(points.length)} examples)` : '';
        return (
          <div key={candidate.id} class="distribution-pair">
            <Histogram values={points.map((point) => point.y - point.x)} higherIsBetter={higher} title={`${letter(index)}: differences in ${name}${incomplete}`} />
            <Scatter points={points} higherIsBetter={higher} title={`${letter(index)} against the baseline`} xLabel="baseline" yLabel={letter(index)} hrefOf={hrefOfRow} />
          </div>
        );
      })}
    </div>
  );
}
