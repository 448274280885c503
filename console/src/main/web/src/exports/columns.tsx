import { count } from '../ui/format';
import { ALL_FIELDS, DEFAULT_FIELDS, toggled } from './form-model';

interface Props {
  readonly chosen: readonly string[];
  readonly errors: readonly string[] | undefined;
  readonly onChange: (fields: readonly string[]) => void;
}

/** The columns of the files; an empty choice is the default of the service. */
export function Columns({ chosen, errors = [], onChange }: Props) {
  const shown = new Set<string>(chosen.length ? chosen : DEFAULT_FIELDS);
  // Names from the address that the service may reject.
  const unknown = chosen.filter((field) => !ALL_FIELDS.includes(field));
  return (
    <details class="chart-data columns" open={errors.length > 0 ? true : undefined}>
      <summary>
        Columns: {chosen.length ? `${count(chosen.length)} of ${count(ALL_FIELDS.length)}` : 'all'}
        {errors.length > 0 && <span class="error-text"> · {errors.join('; ')}</span>}
      </summary>
      <fieldset class="column-choices" aria-invalid={errors.length > 0}>
        <legend class="visually-hidden">Columns of the files</legend>
        {[...ALL_FIELDS, ...unknown].map((field) => (
          <label key={field} class="row">
            <input type="checkbox" name={`column-${field}`} checked={shown.has(field)} onChange={() => onChange(unknown.includes(field) ? chosen.filter((one) => one !== field) : toggled(chosen, field))} />
            <code>{field}</code>
          </label>
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <button class="button quiet" type="button" onClick={() => onChange([])}>
          All columns
        </button>
      )}
    </details>
  );
}
