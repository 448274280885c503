import { useState } from 'preact/hooks';
import { getList, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';

type Feedback = Pick<Schemas['FeedbackResponse'], 'run_id' | 'key' | 'comment'>;
/** The reasons of each feedback key, by run. */
export type Reasons = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const LIMIT = 100;
const MAX_TEXT = 280;

/** Collects the comments by key and run; several of one evaluator stay in their order, equal ones are shown once. */
export function reasonsOf(items: readonly Feedback[]): Reasons {
  const byKey = new Map<string, Map<string, string[]>>();
  for (const { run_id: run, key, comment } of items) {
    const text = comment?.trim();
    if (!run || !text) {
      continue;
    }
    const byRun = byKey.get(key) ?? new Map<string, string[]>();
    const texts = byRun.get(run) ?? [];
    byKey.set(key, byRun.set(run, texts.includes(text) ? texts : [...texts, text]));
  }
  return byKey;
}

/** Reads what evaluators wrote about these runs. Scores are shown without it, so an error is not. */
export function useReasons(runs: readonly string[], experiments: readonly string[]): Reasons | undefined {
  const { data } = useQuery(
    runs.length ? `reasons ${workspace.value} ${runs.join()}` : null,
    async (signal) => reasonsOf((await getList('/api/v1/feedback', { query: { run: runs, limit: LIMIT }, signal })).items),
    { changes: { types: ['feedback'], sessions: experiments } },
  );
  return data;
}

/** A reason; a long one is shown completely on request. */
export function Reason({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > MAX_TEXT;
  return (
    <span class="text-content muted">
      <bdi>{isCut ? `${text.slice(0, MAX_TEXT)}…` : text}</bdi>
      {isCut && (
        <button class="button quiet" type="button" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </span>
  );
}
