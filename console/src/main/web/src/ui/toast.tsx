import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'info' | 'error';
}

const toasts = signal<readonly Toast[]>([]);
/** The one polite live region of the page. */
const announcement = signal('');
let next = 0;

export function announce(text: string): void {
  announcement.value = text;
}

export function toast(text: string, kind: Toast['kind'] = 'info'): void {
  const added = { id: next++, text, kind };
  toasts.value = [...toasts.value.slice(-2), added];
  announce(text);
  setTimeout(() => {
    toasts.value = toasts.value.filter((shown) => shown !== added);
  }, kind === 'error' ? 8000 : 3000);
}

export function Toasts() {
  return (
    <>
      <div class="visually-hidden" aria-live="polite">
        {announcement.value}
      </div>
      <div class="toasts">
        {toasts.value.map((shown) => (
          <div key={shown.id} class={`toast ${shown.kind}`}>
            {shown.text}
          </div>
        ))}
      </div>
    </>
  );
}
