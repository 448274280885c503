import { useEffect, useState } from 'preact/hooks';
import { seconds } from '../ui/format';
import { When } from '../ui/when';
import { State } from './badge';
import { isInProgress, phases, reason, revisionMeaning, revisionName, type Revision } from './model';

interface Props {
  readonly revisions: readonly Revision[];
  readonly active: string | null | undefined;
  readonly selected: string;
  readonly hrefOf: (revision: Revision, view: 'select' | 'log' | 'cause' | 'compare' | 'settings') => string;
  readonly onRedeploy: (revision: Revision) => void;
  readonly onInterrupt: (revision: Revision) => void;
  readonly canChange: boolean;
}

/** The time of now, once a second while something runs. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = isRunning ? setInterval(() => setNow(Date.now()), 1_000) : undefined;
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

/** Revisions with their commits, the time in each phase, and why one failed. */
export function Timeline({ revisions, active, selected, hrefOf, onRedeploy, onInterrupt, canChange }: Props) {
  const now = useNow(revisions.some(isInProgress));
  const serving = revisions.find((one) => one.id === active);
  return (
    <ol class="timeline card" aria-label="Revisions">
      {revisions.map((one, index) => {
        const failed = reason(one);
        const config = one.source_revision_config;
        const isActive = one.id === active;
        const name = config?.image_uri || revisionName(one);
        const isBad = revisionMeaning(one.status).tone === 'bad';
        return (
          <li key={one.id} class={one.id === selected ? 'selected' : ''}>
            <div class="revision-main">
              <div class="row wrap">
                <State {...revisionMeaning(one.status)} />
                {isActive && <span class="badge better">serves requests</span>}
              </div>
              <a class="revision-title" href={hrefOf(one, 'select')} {...(one.id === selected ? { 'aria-current': 'true' as const } : {})}>
                <span class="mono">{name}</span> <bdi>{one.commit?.message?.split('\n')[0] ?? (config?.repo_commit_sha || config?.image_uri ? '' : isInProgress(one) ? 'no commit known yet' : 'no commit')}</bdi>
              </a>
              <div class="muted small row wrap">
                {one.commit?.author && <bdi>{one.commit.author}</bdi>}
                {config?.repo_ref && (
                  <span>
                    on <bdi>{config.repo_ref}</bdi>
                  </span>
                )}
                {one.created_at && <When time={one.created_at} />}
              </div>
            </div>
            <PhaseBar revision={one} now={now} />
            <div class="row revision-actions">
              <a class="button quiet" href={hrefOf(one, 'log')} aria-label={`Log of ${name}`}>
                Log
              </a>
              {index < revisions.length - 1 && (
                <a class="button quiet" href={hrefOf(one, 'compare')} aria-label={`Changes of ${name}`}>
                  Changes
                </a>
              )}
              {canChange && isInProgress(one) && (
                <button class="button" type="button" aria-label={`Interrupt ${name}`} onClick={() => onInterrupt(one)}>
                  Interrupt
                </button>
              )}
              {canChange && !isInProgress(one) && (
                <button class="button" type="button" aria-label={`${isRollback(one, isActive) ? 'Roll back to' : 'Redeploy'} ${name}`} onClick={() => onRedeploy(one)}>
                  {isRollback(one, isActive) ? 'Roll back' : 'Redeploy'}
                </button>
              )}
            </div>
            {failed && (
              <div class={`reason ${revisionMeaning(one.status).tone}`}>
                <p>
                  <span class="strong">{failed.title}</span>
                  {failed.cause && <>: <bdi class="text-content">{failed.cause}</bdi></>}
                </p>
                {failed.details && <p class="muted text-content">{failed.details}</p>}
                {isBad && index === 0 && active && (
                  <p>
                    {serving ? <>Revision <span class="mono">{revisionName(serving)}</span></> : 'An earlier revision'} still serves requests; no rollback is needed.
                  </p>
                )}
                {isBad && <a href={hrefOf(one, 'cause')}>Show the line in the log</a>} {isBad && failed.isOfSettings && <a href={hrefOf(one, 'settings')}>Open the settings</a>}
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const isRollback = (one: Revision, isActive: boolean): boolean => one.status === 'DEPLOYED' && !isActive;

function PhaseBar({ revision, now }: { revision: Revision; now: number }) {
  const shown = phases(revision, now);
  if (shown.length === 0) {
    return <div class="phases muted small">No times known</div>;
  }
  const text = shown.map((phase) => `${phase.label} ${seconds(phase.seconds)}`).join(', ');
  const whole = shown.reduce((sum, phase) => sum + phase.seconds, 0);
  return (
    <div class="phases" role="img" aria-label={`Time in each phase: ${text}`} title={text}>
      <div class="phase-bar">
        {shown.map((phase) => (
          <span key={phase.name} class={`phase ${phase.name} ${phase.isRunning ? 'running' : ''}`} style={{ flexGrow: String(Math.max(phase.share, 0.004)) }} />
        ))}
      </div>
      <div class="phase-names">
        {shown.map((phase) => (
          <span key={phase.name}>
            <span class={`swatch ${phase.name}`} />
            {phase.label} <span class="strong">{seconds(phase.seconds)}</span>
          </span>
        ))}
        <span class="whole">{seconds(whole)}</span>
      </div>
    </div>
  );
}
