import type { ProbeStep } from './form-model';

const LABELS: Readonly<Record<string, string>> = { address: 'Address', connect: 'Connection', signature: 'Key and signature', bucket: 'Bucket', write: 'Write', read: 'Read', multipart: 'Write in parts', delete: 'Delete' };
const MARKS = { passed: '✓', denied: '–', failed: '✕', skipped: '·' } as const;
const WORDS = { passed: 'passed', denied: 'not permitted', failed: 'failed', skipped: 'not reached' } as const;
/** What the service cannot do without an optional permission. */
const WITHOUT: Readonly<Record<string, string>> = { read: 'sizes of files are not compared, and exports cannot be verified', delete: 'the test object under tmp/ remains', multipart: 'abandoned parts remain' };

/** The steps of a test, in their order. */
export function ProbeSteps({ steps }: { steps: readonly ProbeStep[] }) {
  const denied = steps.filter((one) => one.state === 'denied' && WITHOUT[one.step]);
  return (
    <>
      <ol class="probe" aria-label="Steps of the test">
        {steps.map(({ step, state }) => (
          <li key={step} class={`probe-step ${state}`} data-step={step}>
            <span aria-hidden="true">{MARKS[state]}</span> {LABELS[step] ?? step}
            <span class={state === 'passed' || state === 'skipped' ? 'visually-hidden' : 'muted'}> {WORDS[state]}</span>
          </li>
        ))}
      </ol>
      {denied.map(({ step }) => (
        <p key={step} class="muted">
          Without permission to {step}, {WITHOUT[step]}.
        </p>
      ))}
    </>
  );
}
