import type { Schemas } from '../api/client';
import { Icon } from '../ui/icons';
import type { CompareState } from './compare';
import { ALL_ROWS } from './model';

const MAX_CANDIDATES = 3;
/** What belongs to a candidate or a key, and ends when others are chosen. */
const NO_CHOICE = { ...ALL_ROWS, by: '', of: '', row: '' } as const;

/** Chooses the baseline and the candidates. */
export function ExperimentPicker({ experiments, base, candidates, set }: { experiments: readonly Schemas['SessionResponse'][]; base: string; candidates: readonly string[]; set: CompareState['set'] }) {
  const option = (one: Schemas['SessionResponse']) => (
    <option key={one.id} value={one.id}>
      {one.name}
    </option>
  );
  const others = experiments.filter((one) => one.id !== base && !candidates.includes(one.id));
  return (
    <span class="row wrap pick">
      <label class="row">
        compared with
        <select class="field" value={base} onChange={(event) => set({ ...NO_CHOICE, base: event.currentTarget.value, with: candidates.filter((one) => one !== event.currentTarget.value) })}>
          {experiments.map(option)}
        </select>
      </label>
      {candidates.length === 1 && (
        <button class="button quiet" type="button" onClick={() => set({ ...NO_CHOICE, base: candidates[0]!, with: [base] })}>
          Swap
        </button>
      )}
      {others.length > 0 && candidates.length < MAX_CANDIDATES && (
        <select class="field" aria-label="Add an experiment" value="" onChange={(event) => set({ base, with: [...candidates, event.currentTarget.value] })}>
          <option value="">Add an experiment …</option>
          {others.map(option)}
        </select>
      )}
      {candidates.length > 1 &&
        candidates.map((id) => (
          <button key={id} type="button" class="chip" onClick={() => set({ ...NO_CHOICE, base, with: candidates.filter((one) => one !== id) })}>
            <bdi class="ellipsis">{experiments.find((one) => one.id === id)?.name ?? id}</bdi>
            <Icon name="close" size={12} />
            <span class="visually-hidden">Remove</span>
          </button>
        ))}
    </span>
  );
}
