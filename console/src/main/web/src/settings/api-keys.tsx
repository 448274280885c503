import { useState } from 'preact/hooks';
import { ApiError, patch, post, remove, workspace } from '../api/client';
import { loadSession, session } from '../app/session';
import { postCommand } from '../ui/command';
import type { FieldErrors } from '../ui/errors';
import { absolute } from '../ui/format';
import { Empty } from '../ui/states';
import { When } from '../ui/when';
import { useKeyList, useWhoami, useWorkspaces, type ApiKey } from './data';
import { Field, FormDialog } from './form';
import { CREATED, SettingsList, type FormProps } from './list';
import { EXPIRIES, expiryOf, expiryState } from './model';
import { Roles } from './roles';

export function ApiKeys() {
  const isAdmin = session.value?.role === 'admin';
  const keys = useKeyList(isAdmin);
  const own = useWhoami().data?.api_key_id;
  const workspaces = useWorkspaces(isAdmin).data;
  if (!isAdmin) {
    return (
      <>
        <Empty title="Only admins manage API keys">The key of this session has the role member. Sign in with an admin key to see and create keys.</Empty>
        <Roles />
      </>
    );
  }
  return (
    <>
      <SettingsList
        what="API keys"
        noun="key"
        about="Keys for tracing, for the APIs and for this console. The secret of a key is shown once, when it is created."
        list={keys}
        empty={<Empty title="There is no API key in this workspace" command={postCommand('CONTROL_PLANE', '/v1/api-keys', '{"name": "CI"}')} />}
        badge={(key) => key.id === own && <span class="badge better">this session</span>}
        columns={[
          ['Prefix', (key) => key.prefix, 'mono'],
          ['Role', (key) => key.role],
          ['Workspace', ({ workspace_id: id }) => (id ? (workspaces?.find((one) => one.id === id)?.name ?? id) : 'All')],
          CREATED,
          ['Expires', (key) => <Expires time={key.expires_at} />],
          ['Last used', (key) => (key.last_used_at ? <When time={key.last_used_at} /> : <span class="faint">Never</span>)],
        ]}
        create={['Create API key', CreateKey]}
        change={ChangeKey}
        deletion={{
          title: 'Delete this API key?',
          consequences: (key) => (
            <>
              <p class="text-content">
                <span class="strong">{key.name}</span> (<code>{key.prefix}</code>) stops working everywhere within 30 seconds. This cannot be undone.
              </p>
              {key.id === own && <p class="warn-text strong">This is the key of your session: deleting it signs you out.</p>}
            </>
          ),
          run: ({ id }) => remove('/v1/api-keys/{id}', { path: { id } }),
        }}
      />
      <Roles />
    </>
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

function RoleField({ errors, role, onChange }: { errors: FieldErrors; role?: string; onChange?: (role: string) => void }) {
  return (
    <Field name="role" label="Role" errors={errors} control="select" hint="Only admins manage keys, workspaces and destinations." {...(onChange && { onChange })}>
      <option value="member">Member</option>
      <option value="admin" selected={role === 'admin'}>
        Admin
      </option>
    </Field>
  );
}

/** The time after which every service applies a new role. */
const ROLE_APPLIES_MS = 30_000;

function ChangeKey({ item, onClose, onSaved }: FormProps & { readonly item: ApiKey }) {
  const [role, setRole] = useState<string>(item.role!);
  const isOwn = useWhoami().data?.api_key_id === item.id;
  const submit = async (form: FormData): Promise<void> => {
    const name = String(form.get('name'));
    // Only changes: somebody else may have changed the other value meanwhile.
    await patch('/v1/api-keys/{id}', { path: { id: item.id! }, body: { ...(name !== item.name && { name }), ...(role !== item.role && { role: role as 'admin' }) } });
    isOwn && setTimeout(loadSession, ROLE_APPLIES_MS);
    onSaved('The key was changed');
  };
  return (
    <FormDialog title="Change API key" action="Save" names={NAMES} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Name" errors={errors} input={{ defaultValue: item.name, autofocus: true }} />
          <RoleField errors={errors} role={item.role} onChange={setRole} />
          {role !== item.role && <p class="muted">The new role applies everywhere within 30 seconds.</p>}
          {role !== item.role && isOwn && <p class="warn-text strong">This is the key of your session: you will no longer manage keys, and cannot undo this with it.</p>}
        </>
      )}
    </FormDialog>
  );
}

const NAMES = ['name', 'role', 'workspace_id', 'expires_at'];

function CreateKey({ onClose, onSaved }: FormProps) {
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
    onSaved('', { title: `The secret of ${created.name}`, secret: created.key, hint: 'Send it in the header X-Api-Key.' });
  };
  return (
    <FormDialog title="Create API key" action="Create key" names={NAMES} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Name" errors={errors} input={{ placeholder: 'CI', autofocus: true }} />
          <RoleField errors={errors} />
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
