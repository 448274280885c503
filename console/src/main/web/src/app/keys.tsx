import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from '../ui/dialog';

interface Binding {
  readonly keys: string;
  readonly what: string;
  readonly run: () => void;
}

const bindings = signal<readonly Binding[]>([]);
const helpOpen = signal(false);

export function showHelp(): void {
  helpOpen.value = true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

let prefix = '';

/** Handles keys of the page: single keys and sequences such as `g p`. Fields and dialogs keep their keys. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
      return;
    }
    // A dialog closes itself on Escape.
    if (document.querySelector('dialog[open]') || (isTyping(event.target) && event.key !== 'Escape')) {
      return;
    }
    if (event.key === '?') {
      showHelp();
      return;
    }
    const pressed = prefix ? `${prefix} ${event.key}` : event.key;
    const found = bindings.peek().findLast((binding) => binding.keys === pressed);
    prefix = '';
    if (found) {
      event.preventDefault();
      found.run();
    } else if (bindings.peek().some((binding) => binding.keys.startsWith(`${pressed} `))) {
      prefix = pressed;
    }
  });
}

/** Adds keys while the component is shown; they are listed in the help. */
export function useKeys(added: readonly Binding[], deps: readonly unknown[]): void {
  useEffect(() => {
    bindings.value = [...bindings.peek(), ...added];
    return () => {
      bindings.value = bindings.peek().filter((binding) => !added.includes(binding));
    };
  }, deps);
}

export function KeyHelp() {
  if (!helpOpen.value) {
    return null;
  }
  const listed = new Map(bindings.value.map((binding) => [binding.what, binding.keys]));
  return (
    <Dialog title="Keys" onClose={() => (helpOpen.value = false)}>
      <table class="table">
        <tbody>
          {[...listed, ['Move in a table', '↑ ↓ PgUp PgDn'] as const, ['Open the row', 'Enter'] as const, ['Show this list', '?'] as const].map(([what, keys]) => (
            <tr key={what}>
              <td>{what}</td>
              <td class="end">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
