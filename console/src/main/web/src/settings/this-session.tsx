import { session } from '../app/session';
import { workspace } from '../api/client';
import { ErrorState, Loading } from '../ui/states';
import { When } from '../ui/when';
import { Expires } from './api-keys';
import { useKeyList, useWhoami } from './data';

export function ThisSession() {
  const known = session.value;
  const whoami = useWhoami();
  const keys = useKeyList(known?.role === 'admin').data;
  if (whoami.error && !whoami.data) {
    return <ErrorState error={whoami.error} retry={whoami.reload} />;
  }
  if (!whoami.data || !known) {
    return <Loading what="the session" />;
  }
  const me = whoami.data;
  const key = keys?.find((one) => one.id === me.api_key_id);
  const name = known.workspaces.find((one) => one.id === workspace.value)?.name;
  return (
    <section class="card facts" aria-label="Caller">
      <h2>Caller</h2>
      <dl>
        <dt>{me.api_key_id ? 'API key' : 'Signed in with'}</dt>
        <dd>{!me.api_key_id ? 'an access token (single sign-on)' : key ? <><bdi>{key.name}</bdi> <code>{key.prefix}</code></> : <code>{me.api_key_id}</code>}</dd>
        <dt>Role</dt>
        <dd>{me.role}</dd>
        <dt>Workspace</dt>
        <dd>
          {name && <bdi>{name} </bdi>}
          <code>{workspace.value}</code>
        </dd>
        <dt>Access to</dt>
        <dd>{known.tenant_id === null ? 'all workspaces of the organization' : 'this workspace only'}</dd>
        <dt>Organization</dt>
        <dd>
          <code>{me.organization_id}</code>
        </dd>
        <dt>Plan</dt>
        <dd>{me.plan}</dd>
        <dt>{me.api_key_id ? 'Key expires' : 'Token expires'}</dt>
        <dd>
          <Expires time={me.expires_at} />
        </dd>
        <dt>Session ends</dt>
        <dd>
          <When time={known.expires_at} />
        </dd>
      </dl>
    </section>
  );
}
