import { useLayoutEffect, useRef } from 'preact/hooks';
import { fromField, toField } from './form-model';
import { Field } from './parts';

interface Props {
  readonly label: string;
  readonly name: string;
  readonly errors: readonly string[] | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A date and time in UTC. The browser reports an incomplete one as empty, and writing its value would discard what is being typed. */
export function DateField({ label, name, errors, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const text = toField(value);
  useLayoutEffect(() => {
    if (input.current!.value !== text) {
      input.current!.value = text;
    }
  }, [text]);
  return (
    <Field label={label} name={name} errors={errors}>
      {(attributes) => <input ref={input} class="field" type="datetime-local" max="9999-12-31T23:59" {...attributes} onChange={(event) => event.currentTarget.value && onChange(fromField(event.currentTarget.value))} />}
    </Field>
  );
}
