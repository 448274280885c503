import { count, letter } from '../ui/format';
import { Icon } from '../ui/icons';
import { differenceText, edgeText } from '../ui/ranges';
import type { CompareState } from './compare';
import type { Compared, Selection } from './model';

interface Props {
  readonly candidates: readonly Compared[];
  readonly keys: readonly string[];
  readonly selection: Selection;
  readonly total: number | undefined;
  readonly isShown: boolean;
  readonly idOf: (candidate: Compared) => string;
  readonly set: CompareState['set'];
}

/** What the rows below show: their number, the score, and each condition as a chip that removes it. */
export function RowsBar({ candidates, keys, selection, total, isShown, idOf, set }: Props) {
  const { key, view, candidate, brushed, range, cell } = selection;
  const nameOf = (one: Compared | undefined): string => (one && candidates.length > 1 ? ` in ${letter(candidates.indexOf(one))}` : '');
  return (
    <div class="row wrap bar">
      <span class="strong" role="status">
        {total === undefined ? 'Loading …' : `${count(total)} ${view === 'all' ? '' : `${view} `}example${total === 1 ? '' : 's'}`}
      </span>
      {keys.length > 1 && (
        <label class="row">
          by
          <select class="field" aria-label="Score" value={key} onChange={(event) => set({ key: event.currentTarget.value, range: '', cell: '' })}>
            {keys.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      {candidates.length > 1 && candidate && (
        <label class="row">
          of
          <select class="field" aria-label="Experiment to sort and filter by" value={candidate.id} onChange={(event) => set({ by: idOf(candidates.find((one) => one.id === event.currentTarget.value)!) })}>
            {candidates.map((one, index) => (
              <option key={one.id} value={one.id}>
                {letter(index)}: {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {view !== 'all' && <Condition text={`only ${view}${nameOf(candidate)}`} onRemove={() => set({ view: 'all' })} />}
      {range && <Condition text={`difference${nameOf(brushed)}: ${differenceText(range)}`} onRemove={() => set({ range: '' })} />}
      {cell && <Condition text={`baseline ${edgeText(cell.baseline)}, ${brushed ? letter(candidates.indexOf(brushed)) : 'A'} ${edgeText(cell.score)}`} onRemove={() => set({ cell: '' })} />}
      <span class="grow" />
      {key && (
        <button class="button quiet" type="button" aria-expanded={isShown} title="Show or hide (d)" onClick={() => set({ charts: isShown ? 'hidden' : 'shown' })}>
          {isShown ? 'Hide' : 'Show'} distribution
        </button>
      )}
    </div>
  );
}

function Condition({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button class="chip condition" type="button" onClick={onRemove}>
      {text} <Icon name="close" size={12} />
      <span class="visually-hidden">Remove this condition</span>
    </button>
  );
}
