import type { ComponentChildren } from 'preact';
import type { FieldErrors } from '../ui/errors';
import { Icon } from '../ui/icons';
import type { Values, Variable } from './form';

interface FormProps {
  readonly values: Values;
  readonly errors: FieldErrors;
  readonly set: (path: string, text: string) => void;
}

interface FieldProps extends FormProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isMono?: boolean;
  readonly isNumber?: boolean;
  readonly suggestions?: readonly string[];
}

const idOf = (path: string): string => `field-${path.replaceAll('.', '-')}`;

function describedBy(path: string, hasError: boolean, hasHint: boolean) {
  const ids = [hasError ? `${idOf(path)}-error` : '', hasHint ? `${idOf(path)}-hint` : ''].filter(Boolean).join(' ');
  return ids ? { 'aria-describedby': ids } : {};
}

export function FieldError({ path, errors }: { path: string; errors: FieldErrors }) {
  const error = errors.fields[path];
  return error ? (
    <p class="error-text small" id={`${idOf(path)}-error`}>
      {error.join('; ')}
    </p>
  ) : null;
}

export function Field({ path, label, hint, placeholder, isRequired = false, isMono = false, isNumber = false, suggestions, values, errors, set }: FieldProps) {
  const id = idOf(path);
  return (
    <div class="form-field">
      <label class="label" for={id}>
        {label}
        {!isRequired && <span class="faint"> (optional)</span>}
      </label>
      <input
        id={id}
        type="text"
        class={`field wide ${isMono ? 'mono' : ''}`}
        value={values[path] ?? ''}
        placeholder={placeholder}
        required={isRequired}
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        spellcheck={false}
        list={suggestions?.length ? `${id}-list` : undefined}
        aria-invalid={errors.fields[path] !== undefined}
        {...describedBy(path, errors.fields[path] !== undefined, hint !== undefined)}
        onInput={(event) => set(path, event.currentTarget.value)}
      />
      {suggestions && suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <FieldError path={path} errors={errors} />
      {hint && (
        <p class="muted small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Flag({ path, label, hint, values, errors, set }: FormProps & { path: string; label: string; hint?: string }) {
  return (
    <div class="form-field">
      <label class="row flag">
        <input type="checkbox" checked={values[path] === 'true'} onChange={(event) => set(path, String(event.currentTarget.checked))} /> {label}
      </label>
      <FieldError path={path} errors={errors} />
      {hint && <p class="muted small">{hint}</p>}
    </div>
  );
}

const RESOURCES = [
  ['min_scale', 'Minimum instances'],
  ['max_scale', 'Maximum instances'],
  ['cpu', 'CPU (cores)'],
  ['cpu_limit', 'CPU limit (cores)'],
  ['memory_mb', 'Memory (MB)'],
  ['memory_limit_mb', 'Memory limit (MB)'],
] as const;

/** Commands and resources: what most deployments leave at the default. */
export function Advanced({ isImage, isOpen, ...form }: FormProps & { isImage: boolean; isOpen: boolean }) {
  return (
    <details class="advanced" open={isOpen}>
      <summary>Build commands and resources</summary>
      <div class="stack">
        {!isImage && (
          <>
            <Field {...form} path="source_config.install_command" label="Install command" isMono hint="Replaces the default installation of dependencies." />
            <Field {...form} path="source_config.build_command" label="Build command" isMono hint="Runs after the install command." />
          </>
        )}
        <div class="form-grid">
          {RESOURCES.map(([name, label]) => (
            <Field key={name} {...form} path={`source_config.resource_spec.${name}`} label={label} isNumber />
          ))}
        </div>
      </div>
    </details>
  );
}

/** Names and values of environment variables. Values are not shown after they were stored. */
export function Variables({ variables, errors, onChange }: { variables: readonly Variable[]; errors: FieldErrors; onChange: (variables: readonly Variable[]) => void }) {
  const change = (index: number, changed: Partial<Variable>): void => onChange(variables.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <div class="stack variables">
      {variables.map((one, index) => {
        const [name, value] = [`secrets.${index}.name`, `secrets.${index}.value`];
        return (
          <div key={index}>
            <div class="row">
              <input class="field mono grow" placeholder="NAME" aria-label={`Name of variable ${index + 1}`} aria-invalid={errors.fields[name] !== undefined} {...describedBy(name, errors.fields[name] !== undefined, false)} autoComplete="off" spellcheck={false} value={one.name} onInput={(event) => change(index, { name: event.currentTarget.value })} />
              <input class="field mono grow" type="password" placeholder="Value" aria-label={`Value of variable ${index + 1}`} aria-invalid={errors.fields[value] !== undefined} {...describedBy(value, errors.fields[value] !== undefined, false)} autoComplete="new-password" value={one.value} onInput={(event) => change(index, { value: event.currentTarget.value })} />
              <button class="button quiet icon" type="button" aria-label={`Remove variable ${index + 1}`} onClick={() => onChange(variables.filter((_, at) => at !== index))}>
                <Icon name="close" />
              </button>
            </div>
            <FieldError path={name} errors={errors} />
            <FieldError path={value} errors={errors} />
          </div>
        );
      })}
      <div>
        <button class="button" type="button" onClick={() => onChange([...variables, { name: '', value: '' }])}>
          Add a variable
        </button>
      </div>
    </div>
  );
}

/** The paths of all fields that a form can show. */
export function pathsOf(values: Values, variables: readonly Variable[]): readonly string[] {
  return [
    ...new Set([
      ...Object.keys(values),
      'source_config.integration_id',
      'source_config.repo_url',
      'source_config.build_on_push',
      'source_config.install_command',
      'source_config.build_command',
      'source_revision_config.image_uri',
      ...RESOURCES.map(([name]) => `source_config.resource_spec.${name}`),
      ...variables.flatMap((_, index) => [`secrets.${index}.name`, `secrets.${index}.value`]),
    ]),
  ];
}

export function OtherErrors({ errors, failure }: { errors: FieldErrors; failure: string }) {
  if (!failure && errors.other.length === 0) {
    return null;
  }
  return (
    <div class="form-failure" role="alert">
      {failure && <p class="text-content">{failure}</p>}
      {errors.other.map((one) => (
        <p key={one} class="text-content">
          {one}
        </p>
      ))}
    </div>
  );
}
