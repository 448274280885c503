import { useState } from 'preact/hooks';
import { remove, workspace } from '../api/client';
import { text, useUrlState } from '../app/router';
import { Empty, ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { useIntegrations, type Integration } from './data';
import { Confirm, SecretCard } from './form';
import { IntegrationDetails } from './integration-details';
import { CreateIntegration, UpdateIntegration, type Created } from './integration-form';

const CODECS = { integration: text() };

export function Integrations() {
  const { state, href } = useUrlState(CODECS);
  const list = useIntegrations();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [changed, setChanged] = useState<Integration>();
  const [removed, setRemoved] = useState<Integration>();
  const selected = list.data?.find((one) => one.id === state.integration);
  return (
    <>
      <div class="settings-head">
        <p class="muted">Accounts at repository hosts from which deployments are built. Credentials are stored encrypted and never returned.</p>
        <button class="button primary" type="button" onClick={() => setCreating(true)}>
          Add integration
        </button>
      </div>
      {created && (
        <SecretCard title={`The webhook secret of ${created.name}`} secret={created.webhook_secret} onDone={() => setCreated(undefined)}>
          <p class="muted">Enter it at the host together with the address of the webhook, which the integration shows below.</p>
        </SecretCard>
      )}
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.reload} />
      ) : !list.data ? (
        <Loading what="the integrations" />
      ) : list.data.length === 0 ? (
        <Empty
          title="There is no integration in this workspace"
          command={`curl ${window.location.protocol}//${window.location.hostname}:8080/v1/integrations/repohost/install -H "X-Api-Key: $WAYBILL_API_KEY" \\\n  -H "X-Tenant-Id: ${workspace.value}" -H "Content-Type: application/json" \\\n  -d '{"name":"acme","installation_id":0,"base_url":"https://github.com/acme"}'`}
        />
      ) : (
        <div class="card table-scroll">
          <table class="table cards">
            <thead>
              <tr>
                {['Name', 'Host', 'Base URL', 'Installation', 'Created'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.map((one) => (
                <tr key={one.id} aria-current={one.id === state.integration ? 'true' : undefined}>
                  <td class="whole strong">
                    <a href={href({ integration: one.id === state.integration ? '' : one.id })}>
                      <bdi>{one.name}</bdi>
                    </a>
                  </td>
                  <td data-name="Host">{one.provider}</td>
                  <td class="mono whole">{one.base_url}</td>
                  <td data-name="Installation">{one.installation_id || <span class="faint">none</span>}</td>
                  <td data-name="Created">{one.created_at && <When time={one.created_at} />}</td>
                  <td class="actions whole">
                    <button class="button quiet" type="button" aria-label={`Change ${one.name}`} onClick={() => setChanged(one)}>
                      Change
                    </button>
                    <button class="button quiet" type="button" aria-label={`Delete ${one.name}`} onClick={() => setRemoved(one)}>
                      Delete
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {selected && <IntegrationDetails key={selected.id} integration={selected} close={href({ integration: '' })} />}
      {list.data && state.integration && !selected && <p class="muted">The integration of this address is not in this workspace.</p>}
      {creating && (
        <CreateIntegration
          onClose={() => setCreating(false)}
          onCreated={(one) => {
            setCreating(false);
            setCreated(one);
            list.reload();
          }}
        />
      )}
      {changed && (
        <UpdateIntegration
          integration={changed}
          onClose={() => setChanged(undefined)}
          onChanged={() => {
            setChanged(undefined);
            toast('The integration was changed');
            list.reload();
          }}
        />
      )}
      {removed && (
        <Confirm
          title="Delete this integration?"
          action="Delete integration"
          onClose={() => setRemoved(undefined)}
          run={async () => {
            await remove('/v1/integrations/repohost/{integration_id}', { path: { integration_id: removed.id } });
            toast('The integration was deleted');
            setRemoved(undefined);
            list.reload();
          }}
        >
          <p class="text-content">
            The credential of <span class="strong">{removed.name}</span> is deleted as well, and its webhook stops working. An integration that a deployment uses cannot be deleted.
          </p>
        </Confirm>
      )}
    </>
  );
}
