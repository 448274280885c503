import { ApiError, get } from '../api/client';
import { useQuery } from '../api/query';
import { home } from '../app/shell';
import { CopyButton } from '../ui/copy';
import { Pending } from '../ui/states';
import { When } from '../ui/when';
import { useWebhookDeliveries, type Integration } from './data';
import { webhookSteps } from './model';

/** Repositories of an integration, and how its host sends pushes. */
export function IntegrationDetails({ integration, close }: { integration: Integration; close: string }) {
  const repositories = useQuery(`repositories of ${integration.id}`, (signal) => get('/v1/integrations/repohost/{integration_id}/repos', { path: { integration_id: integration.id }, signal }));
  return (
    <section class="card details" aria-label={`Integration ${integration.name}`}>
      <div class="row">
        <h2 class="grow ellipsis">
          <bdi>{integration.name}</bdi>
        </h2>
        <a class="button quiet" href={close}>
          Close
        </a>
      </div>
      {integration.webhook_path && <Webhook path={integration.webhook_path} provider={integration.provider ?? 'other'} />}
      <LastDeliveries integration={integration.id} />
      <section aria-label="Repositories">
        <h3>Repositories</h3>
        {repositories.error instanceof ApiError && repositories.error.status === 409 ? (
          <p class="muted text-content" role="note">
            {repositories.error.message}
          </p>
        ) : !repositories.data ? (
          <Pending query={repositories} what="the repositories" rows={3} />
        ) : repositories.data.length === 0 ? (
          <p class="muted">The host lists no repository. A repository that is not listed can still be deployed by its URL.</p>
        ) : (
          <ul class="stack">
            {repositories.data.map((one) => (
              <li key={one.url} class="row wrap">
                <RepositoryLink url={one.url} label={one.owner ? `${one.owner}/${one.name}` : one.name} />
                {one.default_branch && <span class="faint">{one.default_branch}</span>}
                {one.private && <span class="badge">private</span>}
              </li>
            ))}
          </ul>
        )}
      </section>
    </section>
  );
}

function LastDeliveries({ integration }: { integration: string }) {
  const deliveries = useWebhookDeliveries(integration);
  return (
    <section aria-label="Last pushes">
      <h3>Last pushes</h3>
      {!deliveries.data ? (
        <Pending query={deliveries} what="the deliveries" rows={2} />
      ) : deliveries.data.length === 0 ? (
        <p class="muted">The host has delivered no push with a valid signature in the last 30 days.</p>
      ) : (
        <ul class="stack">
          {deliveries.data.map((one) => (
            <li key={one.id} class="row wrap">
              {one.received_at && <When time={one.received_at} />}
              {one.ref && <bdi class="mono">{one.ref}</bdi>}
              {one.deployments?.length ? (
                one.deployments.map((id) => (
                  <a key={id} href={`${home()}/deployments/${id}`}>
                    rebuilt {id.slice(0, 8)}
                  </a>
                ))
              ) : (
                <span class="faint">rebuilt nothing</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RepositoryLink({ url, label }: { url: string; label: string }) {
  return /^https?:\/\//.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      <bdi>{label}</bdi>
    </a>
  ) : (
    <bdi>{label}</bdi>
  );
}

function Webhook({ path, provider }: { path: string; provider: string }) {
  return (
    <section aria-label="Webhook">
      <h3>Webhook</h3>
      <p class="muted">A push to the branch of a deployment with build_on_push creates a revision. The host sends pushes to this path at the address of the control plane, not of this console:</p>
      <pre class="code" tabIndex={0}>
        {path}
      </pre>
      <div class="row">
        <CopyButton text={path} label="Copy the path" />
      </div>
      <ol>
        {webhookSteps(provider).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="faint">The secret was shown when the integration was added and cannot be read again. If it is lost, set a new one with Change and at the host. A GitHub App has one webhook for all accounts: it uses /v1/integrations/repohost/webhook.</p>
    </section>
  );
}
