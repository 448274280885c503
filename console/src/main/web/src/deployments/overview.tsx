import { useState } from 'preact/hooks';
import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { copyText } from '../ui/copy';
import { Tabs } from '../ui/dialog';
import { absolute, bytes, count, DASH } from '../ui/format';
import { Icon } from '../ui/icons';
import { Health, State } from './badge';
import { activeRevision, inWords, isInProgress, revisionName, rolloutMeaning, shortCommit, webAddress, type Deployment, type Revision } from './model';
import { LANGUAGES, snippet, type Language } from './snippets';

/** The address that clients of the application use, with ready code. */
export function Address({ deployment }: { deployment: Deployment }) {
  const [language, setLanguage] = useState<Language>('curl');
  const url = deployment.url;
  const link = webAddress(url);
  if (!url) {
    return (
      <section class="card address" aria-label="API address">
        <h2>API address</h2>
        <p class="muted">The deployment has no address yet; it gets one with its first rollout.</p>
      </section>
    );
  }
  const code = snippet(language, url.replace(/\/+$/, ''));
  return (
    <section class="card address" aria-label="API address">
      <h2>API address</h2>
      <div class="row address-line">
        {link ? (
          <a class="mono ellipsis grow" href={link} target="_blank" rel="noopener noreferrer">
            {url}
          </a>
        ) : (
          <span class="mono ellipsis grow">{url}</span>
        )}
        <button class="button" type="button" title="Copy the API address (c)" onClick={() => copyText(url, 'The API address was copied')}>
          <Icon name="copy" size={14} /> Copy address
        </button>
      </div>
      <div class="row snippet-head">
        <div class="grow">
          <Tabs label="Language of the code" tabs={LANGUAGES} selected={language} onSelect={setLanguage} />
        </div>
        <button class="button quiet" type="button" onClick={() => copyText(code, 'The code was copied')}>
          <Icon name="copy" size={14} /> Copy code
        </button>
      </div>
      <pre class="code" tabIndex={0} aria-label={`Code: ${language}`}>
        {code}
      </pre>
    </section>
  );
}

const POLL_MS = 10_000;

function Figure({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div class="figure" title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The rollout of the newest revision, and apart from it the health of the application that serves. */
export function Condition({ deployment, latest, active }: { deployment: Deployment; latest: Revision | undefined; active: Revision | undefined }) {
  const serving = activeRevision(deployment, latest);
  const status = useQuery(`deployment status ${workspace.value} ${deployment.id} ${serving}`, (signal) => get('/v2/deployments/{deployment_id}/status', { path: { deployment_id: deployment.id! }, signal }), {
    changes: { types: ['deployment', 'revision'], deployment: deployment.id! },
    keepPrevious: true,
    pollMs: POLL_MS,
  });
  const known = status.data;
  return (
    <section class="card health" aria-label="State">
      <div class="health-pair">
        <div>
          <h2>Rollout</h2>
          <State {...rolloutMeaning(deployment, latest?.status)} />
          <p class="muted ellipsis" title={latest?.commit?.message ?? undefined}>
            <span class="mono">{shortCommit(latest?.source_revision_config?.repo_commit_sha)}</span> <bdi>{latest?.commit?.message?.split('\n')[0] ?? ''}</bdi>
          </p>
          {latest && isInProgress(latest) && latest.status_message && <p class="muted text-content">{inWords(latest.status_message)}</p>}
          {deployment.status_message && <p class="error-text text-content">{inWords(deployment.status_message)}</p>}
        </div>
        <div>
          <h2>Health</h2>
          <Health status={known ?? (status.error && null)} active={serving} />
          <p class="muted ellipsis">
            {active ? (
              <>
                serves <span class="mono">{revisionName(active)}</span>
              </>
            ) : (
              'no revision serves requests'
            )}
          </p>
        </div>
      </div>
      <dl class="usage">
        <Figure name="Instances" value={known?.instances === null || known?.instances === undefined ? DASH : `${count(known.ready_instances)} / ${count(known.instances)}`} title="Instances that pass their health check, of all" />
        <Figure name="Restarts" value={count(known?.restarts)} />
        <Figure name="CPU cores" value={known?.cpu_cores === null || known?.cpu_cores === undefined ? DASH : known.cpu_cores.toFixed(2)} />
        <Figure name="Memory" value={known?.memory_bytes === null || known?.memory_bytes === undefined ? DASH : bytes(known.memory_bytes)} />
        <Figure name="Requests / min" value={known?.requests_per_minute === null || known?.requests_per_minute === undefined ? DASH : count(known.requests_per_minute)} />
      </dl>
      {known?.observed_at && <p class="faint small">Measured at {absolute(known.observed_at)}</p>}
    </section>
  );
}
