import { health, type Status, type Tone } from './model';

/** A state as a word with a dot; the dot of work in progress pulses. */
export function State({ label, tone, title }: { label: string; tone: Tone; title?: string | null | undefined }) {
  return (
    <span class={`state-badge tone-${tone}`} {...(title ? { title } : {})}>
      <span class="dot" />
      {label}
    </span>
  );
}

/** The health of the active revision. */
export function Health({ status, active }: { status: Status | null | undefined; active: string | null | undefined }) {
  const meaning = health(status, active);
  return meaning ? <State {...meaning} /> : <span class="skeleton" />;
}
