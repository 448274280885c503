import { patch, post } from '../api/client';
import { useState } from 'preact/hooks';
import type { FieldErrors } from '../ui/errors';
import type { Integration } from './data';
import { Field, FormDialog } from './form';
import type { FormProps } from './list';
import { filled } from './model';

const CREATED = ['name', 'provider', 'base_url', 'installation_id', 'token', 'deploy_key', 'ssh_known_hosts'];
const UPDATED = ['name', 'token', 'deploy_key', 'ssh_known_hosts', 'webhook_secret'];
const PASSWORD = { type: 'password' as const };

export function CreateIntegration({ onClose, onSaved }: FormProps) {
  const submit = async (form: FormData): Promise<void> => {
    const { installation_id: id, ...members } = filled(form, CREATED);
    const created = await post('/v1/integrations/repohost/install', { body: { ...members, ...(id === undefined ? {} : { installation_id: Number.isFinite(Number(id)) ? Number(id) : id }) } as never });
    onSaved('', { title: `The webhook secret of ${created.name}`, secret: created.webhook_secret, hint: 'Enter it at the host together with the address of the webhook, which the integration shows below.' });
  };
  return (
    <FormDialog title="Add integration" action="Add integration" names={CREATED} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Account name" errors={errors} input={{ placeholder: 'acme', autofocus: true }} />
          <Field name="provider" label="Host" errors={errors} control="select">
            <option value="">By the base URL</option>
            <option value="github">GitHub</option>
            <option value="gitlab">GitLab</option>
            <option value="gitea">Gitea</option>
            <option value="other">Other</option>
          </Field>
          <Field name="base_url" label="Base URL" errors={errors} input={{ placeholder: 'https://github.com/acme' }} hint="All repositories of the integration are below it." />
          <Field name="installation_id" label="Installation id" errors={errors} input={{ defaultValue: '0', inputMode: 'numeric' }} hint="0 if the host has none." />
          <Credential errors={errors} />
        </>
      )}
    </FormDialog>
  );
}

function Credential({ errors, isReplaced = false }: { errors: FieldErrors; isReplaced?: boolean }) {
  const [kind, setKind] = useState<'token' | 'key'>('token');
  return (
    <>
      <fieldset class="credential">
        <legend class="label">{isReplaced ? 'Replace the credential' : 'Credential'}</legend>
        <label class="row">
          <input type="radio" name="kind" checked={kind === 'token'} onChange={() => setKind('token')} /> Token (https)
        </label>
        <label class="row">
          <input type="radio" name="kind" checked={kind === 'key'} onChange={() => setKind('key')} /> Deploy key (ssh)
        </label>
      </fieldset>
      {kind === 'token' ? (
        <Field name="token" label="Token" errors={errors} input={PASSWORD} hint={isReplaced ? 'Leave empty to keep the present one.' : 'Leave empty for public repositories.'} />
      ) : (
        <>
          <Field name="deploy_key" label="Private key" errors={errors} control="textarea" hint="ed25519, ecdsa or rsa, in OpenSSH or PEM format, without a passphrase." />
          <Field name="ssh_known_hosts" label="Public keys of the host" errors={errors} control="textarea" hint="Lines of known_hosts. A host with another key is rejected." />
        </>
      )}
    </>
  );
}

export function UpdateIntegration({ item, onClose, onSaved }: FormProps & { item: Integration }) {
  const submit = async (form: FormData): Promise<void> => {
    await patch('/v1/integrations/repohost/{integration_id}', { path: { integration_id: item.id }, body: filled(form, UPDATED) as never });
    onSaved('The integration was changed');
  };
  return (
    <FormDialog title={`Change ${item.name}`} action="Save" names={UPDATED} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Account name" errors={errors} input={{ defaultValue: item.name }} />
          <Credential errors={errors} isReplaced />
          <Field name="webhook_secret" label="New webhook secret" errors={errors} input={PASSWORD} hint="32 to 255 visible characters; leave empty to keep the present one. It applies from the next push: set it at the host as well." />
        </>
      )}
    </FormDialog>
  );
}
