import { useState } from 'preact/hooks';
import { ApiError, post, remove, workspace } from '../api/client';
import { session } from '../app/session';
import { absolute } from '../ui/format';
import { Empty, ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { useKeyList, useWhoami, useWorkspaces, type ApiKey } from './data';
import { Confirm, Field, FormDialog, SecretCard } from './form';
import { EXPIRIES, expiryOf, expiryState } from './model';

export function ApiKeys() {
  const isAdmin = session.value?.role === 'admin';
  const keys = useKeyList(isAdmin);
  const own = useWhoami().data?.api_key_id;
  const workspaces = useWorkspaces(isAdmin).data ?? [];
  const [creating, setCreating] = useState(false);
  const [removed, setRemoved] = useState<ApiKey>();
  const [secret, setSecret] = useState<{ name: string; key: string }>();
  if (!isAdmin) {
    return <Empty title="Only admins manage API keys">The key of this session has the role member. Sign in with an admin key to see and create keys.</Empty>;
  }
  return (
    <>
      <div class="settings-head">
        <p class="muted">Keys for tracing, for the APIs and for this console. The secret of a key is shown once, when it is created.</p>
        <button class="button primary" type="button" onClick={() => setCreating(true)}>
          Create API key
        </button>
      </div>
      {secret && (
        <SecretCard title={`The secret of ${secret.name}`} secret={secret.key} onDone={() => setSecret(undefined)}>
          <p class="muted">Send it in the header X-Api-Key.</p>
        </SecretCard>
      )}
      {keys.error && !keys.data ? (
        <ErrorState error={keys.error} retry={keys.reload} />
      ) : !keys.data ? (
        <Loading what="the API keys" />
      ) : keys.data.length === 0 ? (
        <Empty title="There is no API key in this workspace" command={`curl ${window.location.origin.replace(/:\d+$/, ':8080')}/v1/api-keys -H "X-Api-Key: $WAYBILL_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"name":"CI"}'`} />
      ) : (
        <KeyTable keys={keys.data} own={own} nameOf={(id) => workspaces.find((one) => one.id === id)?.name ?? id} onRemove={setRemoved} />
      )}
      {creating && (
        <CreateKey
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setSecret(created);
            keys.reload();
          }}
        />
      )}
      {removed && (
        <Confirm
          title="Delete this API key?"
          action="Delete key"
          onClose={() => setRemoved(undefined)}
          run={async () => {
            await remove('/v1/api-keys/{id}', { path: { id: removed.id } });
            toast('The key was deleted');
            setRemoved(undefined);
            keys.reload();
          }}
        >
          <p class="text-content">
            <span class="strong">{removed.name}</span> (<code>{removed.prefix}</code>) stops working everywhere within 30 seconds. This cannot be undone.
          </p>
          {removed.id === own && <p class="warn-text strong">This is the key of your session: deleting it signs you out.</p>}
        </Confirm>
      )}
    </>
  );
}

function KeyTable({ keys, own, nameOf, onRemove }: { keys: readonly ApiKey[]; own: string | undefined; nameOf: (id: string) => string; onRemove: (key: ApiKey) => void }) {
  return (
    <div class="card table-scroll">
      <table class="table cards">
        <thead>
          <tr>
            {['Name', 'Prefix', 'Role', 'Workspace', 'Created', 'Expires', 'Last used'].map((title) => (
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
          {keys.map((key) => (
            <tr key={key.id}>
              <td class="whole strong">
                <bdi>{key.name}</bdi>
                {key.id === own && <span class="badge better">this session</span>}
              </td>
              <td class="mono">{key.prefix}</td>
              <td data-name="Role">{key.role}</td>
              <td data-name="Workspace">{key.workspace_id ? nameOf(key.workspace_id) : 'All'}</td>
              <td data-name="Created">
                <When time={key.created_at} />
              </td>
              <td data-name="Expires">
                <Expires time={key.expires_at} />
              </td>
              <td data-name="Last used">{key.last_used_at ? <When time={key.last_used_at} /> : <span class="faint">Never</span>}</td>
              <td class="actions whole">
                <button class="button quiet" type="button" aria-label={`Delete ${key.name}`} onClick={() => onRemove(key)}>
                  Delete
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Expires({ time }: { time: string | null | undefined }) {
  const state = expiryState(time);
  if (!time) {
    return <span class="faint">Never</span>;
  }
  return (
    <span class={state === 'expired' ? 'error-text' : state === 'soon' ? 'warn-text' : ''}>
      {state === 'expired' && 'Expired '}
      <time dateTime={time}>{absolute(time)}</time>
    </span>
  );
}

const NAMES = ['name', 'role', 'workspace_id', 'expires_at'];

function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (created: { name: string; key: string }) => void }) {
  const [expiry, setExpiry] = useState('');
  const known = session.value;
  const workspaces = known?.workspaces ?? [];
  const submit = async (form: FormData): Promise<void> => {
    const expires = expiryOf(expiry, String(form.get('time') ?? ''));
    if (expires === undefined) {
      throw new ApiError(422, 'Enter a time.', undefined, [{ loc: ['expires_at'], message: 'must be a time, or select another expiry' }]);
    }
    const created = await post('/v1/api-keys', {
      body: { name: String(form.get('name')), role: form.get('role') === 'admin' ? 'admin' : 'member', workspace_id: String(form.get('workspace_id') ?? '') || null, expires_at: expires } as never,
    });
    onCreated(created);
  };
  return (
    <FormDialog title="Create API key" action="Create key" names={NAMES} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Name" errors={errors} input={{ placeholder: 'CI', autofocus: true }} />
          <Field name="role" label="Role" errors={errors} control="select" hint="Only admins manage keys, workspaces and destinations.">
            <option value="member">Member</option>
            <option value="admin">Admin</option>
          </Field>
          <Field name="workspace_id" label="Workspace" errors={errors} control="select">
            {workspaces.map((one) => (
              <option key={one.id} value={one.id} selected={one.id === workspace.value}>
                {one.name ?? one.id}
              </option>
            ))}
            {known?.tenant_id === null && <option value="">All workspaces of the organization</option>}
          </Field>
          <Field name="expires_at" label="Expires" errors={errors} control="select" onChange={setExpiry}>
            {EXPIRIES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Field>
          {expiry === 'date' && <input class="field" type="datetime-local" name="time" aria-label="Time of expiry" />}
        </>
      )}
    </FormDialog>
  );
}
