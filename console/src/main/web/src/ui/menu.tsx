import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button that opens choices below it; Escape, a click or the focus elsewhere, and a `.menu-item` close them. */
export function Menu({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onClick = (event: Event): void => {
      if (element.current?.open && !element.current.contains(event.target as Node)) {
        element.current.open = false;
      }
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
  const close = (): void => {
    element.current!.open = false;
    element.current!.querySelector('summary')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && element.current?.open) {
      event.stopPropagation();
      close();
    }
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !element.current!.contains(relatedTarget as Node)) {
      element.current!.open = false;
    }
  };
  return (
    <details ref={element} class="menu" onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <summary class="button">{label}</summary>
      <div class="menu-body" onClick={(event) => (event.target as Element).closest('.menu-item') && close()}>
        {children}
      </div>
    </details>
  );
}

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly required?: boolean;
}

/** Checkboxes for the columns of a table. */
export function ColumnMenu({ choices, shown, onChange, onReset }: { choices: readonly Choice[]; shown: readonly string[]; onChange: (shown: readonly string[]) => void; onReset: (() => void) | undefined }) {
  const toggle = (id: string, isShown: boolean): void => onChange(choices.filter((one) => (one.id === id ? isShown : shown.includes(one.id))).map((one) => one.id));
  return (
    <Menu label="Columns">
      <fieldset>
        <legend class="visually-hidden">Columns of the table</legend>
        {choices
          .filter((one) => !one.required)
          .map((one) => (
            <label key={one.id} class="row">
              <input type="checkbox" name={one.id} checked={shown.includes(one.id)} onChange={(event) => toggle(one.id, event.currentTarget.checked)} /> {one.label}
            </label>
          ))}
      </fieldset>
      {onReset && (
        <button class="button quiet" type="button" onClick={onReset}>
          Default columns
        </button>
      )}
    </Menu>
  );
}
