import type { Tone } from './model';

/** A state as a word with a dot; the dot of work in progress pulses. */
export function State({ label, tone, title }: { label: string; tone: Tone; title?: string | null | undefined }) {
  return (
    <span class={`state-badge tone-${tone}`} {...(title ? { title } : {})}>
      <span class="dot" />
      {label}
    </span>
  );
}
