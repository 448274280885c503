import { oneOf, useUrlState } from '../app/router';
import { Page } from '../app/shell';
import { Tabs } from '../ui/dialog';
import { ApiKeys } from './api-keys';
import { AuditLog } from './audit-log';
import { Integrations } from './integrations';
import { TABS } from './model';
import { Notifications } from './notifications';
import { Retention } from './retention';
import { ThisSession } from './this-session';
import { Workspaces } from './workspaces';
import './settings.css';

const CODECS = { tab: oneOf(TABS, 'keys') };
const LABELS = { keys: 'API keys', integrations: 'Integrations', notifications: 'Notifications', workspaces: 'Workspaces', retention: 'Retention', audit: 'Audit log', session: 'This session' };
const VIEWS = { keys: ApiKeys, integrations: Integrations, notifications: Notifications, workspaces: Workspaces, retention: Retention, audit: AuditLog, session: ThisSession };

export default function Settings() {
  const { state, set } = useUrlState(CODECS);
  const View = VIEWS[state.tab];
  return (
    <Page title="Settings">
      <Tabs label="Settings" tabs={TABS.map((id) => ({ id, label: LABELS[id] }))} selected={state.tab} onSelect={(tab) => set({ tab })} />
      <div class="settings" role="tabpanel" aria-label={LABELS[state.tab]}>
        <View />
      </div>
    </Page>
  );
}
