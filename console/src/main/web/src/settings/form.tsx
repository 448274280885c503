import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../ui/copy';
import { Dialog } from '../ui/dialog';
import { errorsOf, NO_ERRORS, type FieldErrors } from '../ui/errors';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly errors: FieldErrors;
  readonly hint?: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly control?: 'input' | 'textarea' | 'select';
  readonly input?: JSX.IntrinsicElements['input'];
  readonly onChange?: (value: string) => void;
}

/** A labelled field with its hint and the errors that the service reports for it. */
export function Field({ name, label, errors, hint, children, control = 'input', input = {}, onChange }: FieldProps) {
  const messages = errors.fields[name] ?? [];
  const described = [hint && `${name}-hint`, messages.length > 0 && `${name}-error`].filter(Boolean).join(' ');
  const shared = {
    id: `field-${name}`,
    name,
    class: 'field',
    ...(messages.length > 0 ? { 'aria-invalid': 'true' as const } : {}),
    ...(described ? { 'aria-describedby': described } : {}),
  };
  return (
    <div class="setting-field">
      <label class="label" for={shared.id}>
        {label}
      </label>
      {control === 'select' ? (
        <select {...shared} onChange={(event) => onChange?.(event.currentTarget.value)}>
          {children}
        </select>
      ) : control === 'textarea' ? (
        <textarea {...shared} rows={4} spellcheck={false} autocomplete="off" />
      ) : (
        <input {...shared} autocomplete="off" {...(input as object)} />
      )}
      {hint && (
        <p class="faint hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {messages.length > 0 && (
        <ul class="error-text" id={`${name}-error`}>
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FormProps {
  readonly title: string;
  readonly action: string;
  readonly names: readonly string[];
  readonly submit: (form: FormData) => Promise<void>;
  readonly onClose: () => void;
  readonly children: (errors: FieldErrors) => ComponentChildren;
}

/** A dialog with a form. Errors are placed at their fields, and the first of these gets the focus. */
export function FormDialog({ title, action, names, submit, onClose, children }: FormProps) {
  const [errors, setErrors] = useState(NO_ERRORS);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [errors]);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await submit(new FormData(form.current!));
    } catch (failure) {
      setErrors(errorsOf(failure, names));
    }
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} noValidate>
        {children(errors)}
        <Other errors={errors} />
        <div class="row dialog-foot">
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={busy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Other({ errors }: { errors: FieldErrors }) {
  return errors.other.length === 0 ? null : (
    <p class="error-text text-content" role="alert">
      {errors.other.join('\n')}
    </p>
  );
}

export interface Secret {
  readonly title: string;
  readonly secret: string;
  readonly hint: string;
}

/** A secret that only this response contains. It is part of the page, so that no stray click closes it. */
export function SecretCard({ title, secret, hint, onDone }: Secret & { onDone: () => void }) {
  return (
    <section class="card secret" aria-label={title}>
      <h2>{title}</h2>
      <p class="warn-text">Copy it now: it cannot be shown again.</p>
      <pre class="code" tabIndex={0}>
        {secret}
      </pre>
      <p class="muted">{hint}</p>
      <div class="row">
        <CopyButton text={secret} label="Copy the secret" done="The secret was copied" />
        <button class="button" type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
