import { remove } from '../api/client';
import { postCommand } from '../ui/command';
import { Empty } from '../ui/states';
import { useIntegrations } from './data';
import { IntegrationDetails } from './integration-details';
import { CreateIntegration, UpdateIntegration } from './integration-form';
import { CREATED, SettingsList } from './list';

export function Integrations() {
  return (
    <SettingsList
      what="integrations"
      noun="integration"
      about="Accounts at repository hosts from which deployments are built. Credentials are stored encrypted and never returned."
      list={useIntegrations()}
      empty={
        <Empty
          title="There is no integration in this workspace"
          command={postCommand('CONTROL_PLANE', '/v1/integrations/repohost/install', '{"name": "acme", "installation_id": 0, "base_url": "https://github.com/acme"}')}
        />
      }
      columns={[
        ['Host', (one) => one.provider],
        ['Base URL', (one) => one.base_url, 'mono whole'],
        ['Installation', (one) => one.installation_id || <span class="faint">none</span>],
        CREATED,
      ]}
      details={['integration', (one, close) => <IntegrationDetails key={one.id} integration={one} close={close} />]}
      create={['Add integration', CreateIntegration]}
      change={UpdateIntegration}
      deletion={{
        title: 'Delete this integration?',
        consequences: (one) => (
          <p class="text-content">
            The credential of <span class="strong">{one.name}</span> is deleted as well, and its webhook stops working. An integration that a deployment uses cannot be deleted.
          </p>
        ),
        run: ({ id }) => remove('/v1/integrations/repohost/{integration_id}', { path: { integration_id: id } }),
      }}
    />
  );
}
