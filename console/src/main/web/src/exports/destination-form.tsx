import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, patch, post } from '../api/client';
import { Dialog } from '../ui/dialog';
import { placed } from '../ui/errors';
import { toast } from '../ui/toast';
import { credentialsOf, destinationOf, failedSteps, formOf } from './form-model';
import { Field } from './parts';
import { ProbeSteps } from './probe';
import type { Destination } from './types';

const NAMES = ['display_name', 'config.bucket_name', 'config.prefix', 'config.region', 'config.endpoint_url', 'config.acl', 'config.server_side_encryption', 'config.server_side_encryption.kms_key_id', 'config.include_bucket_in_prefix', 'credentials.access_key_id', 'credentials.secret_access_key', 'credentials.session_token'];
const ACLS = ['private', 'bucket-owner-full-control', 'bucket-owner-read', 'authenticated-read', 'aws-exec-read', 'public-read', 'public-read-write'];

interface Props {
  /** Null for a new one; of an existing one, the credentials can be replaced. */
  readonly destination: Destination | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates a destination, or replaces its credentials. The service tests both before it stores anything. */
export function DestinationDialog({ destination, onClose, onSaved }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<ApiError | Error>();
  const [isBusy, setBusy] = useState(false);
  const api = error instanceof ApiError ? error : undefined;
  const errors = placed(api?.violations ?? [], NAMES);
  const at = (name: string): readonly string[] => errors.fields[name] ?? [];
  useEffect(() => {
    if (error) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [error]);
  const save = async (): Promise<void> => {
    const values = formOf(new FormData(form.current!));
    setBusy(true);
    setError(undefined);
    try {
      if (destination) {
        const credentials = credentialsOf(values) ?? { access_key_id: '', secret_access_key: '' };
        await patch('/api/v1/bulk-exports/destinations/{id}', { path: { id: destination.id }, body: { credentials } });
      } else {
        await post('/api/v1/bulk-exports/destinations', { body: destinationOf(values) });
      }
      toast(destination ? 'The credentials were replaced' : 'The destination was created');
      onSaved();
    } catch (failure) {
      setError(failure as Error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={destination ? `Credentials of ${destination.display_name.slice(0, 100)}` : 'New destination'} onClose={onClose}>
      <form
        ref={form}
        class="stack"
        noValidate
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!destination && <Location at={at} />}
        <div class="form-grid">
          <Field label="Access key id" name="credentials.access_key_id" errors={at('credentials.access_key_id')}>
            {(attributes) => <input class="field mono" {...attributes} autocomplete="off" spellcheck={false} autofocus={destination !== null} />}
          </Field>
          <Field label="Secret access key" name="credentials.secret_access_key" errors={at('credentials.secret_access_key')} hint="Stored encrypted, and never shown again.">
            {(attributes) => <input class="field mono" type="password" {...attributes} autocomplete="new-password" />}
          </Field>
          <Field label="Session token (temporary credentials only)" name="credentials.session_token" errors={at('credentials.session_token')} isWide>
            {(attributes) => <input class="field mono" type="password" {...attributes} autocomplete="new-password" />}
          </Field>
        </div>
        {!destination && <Advanced at={at} />}
        {error && (violationless(api) || errors.other.length > 0) && (
          <div class="notice failed" role="alert">
            <p>{errors.other.length ? errors.other.join(' ') : error.message}</p>
            {api?.step && <ProbeSteps steps={failedSteps(api.step)} />}
            {api?.requestId && <p class="faint mono">request {api.requestId}</p>}
          </div>
        )}
        <div class="row dialog-foot">
          <span class="muted grow">{isBusy ? 'Writing a test object under tmp/ …' : 'Saving tests the bucket first.'}</span>
          <button class="button" type="button" onClick={onClose}>
            Close
          </button>
          <button class="button primary" type="submit" disabled={isBusy}>
            {isBusy ? 'Testing …' : destination ? 'Replace' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const violationless = (error: ApiError | undefined): boolean => error === undefined || error.violations.length === 0;

type At = (name: string) => readonly string[];

function Location({ at }: { at: At }) {
  return (
    <div class="form-grid">
      <Field label="Name" name="display_name" errors={at('display_name')} isWide>
        {(attributes) => <input class="field" {...attributes} placeholder="Trace archive" autofocus />}
      </Field>
      <Field label="Bucket" name="config.bucket_name" errors={at('config.bucket_name')}>
        {(attributes) => <input class="field mono" {...attributes} placeholder="acme-traces" spellcheck={false} />}
      </Field>
      <Field label="Prefix (may be empty)" name="config.prefix" errors={at('config.prefix')}>
        {(attributes) => <input class="field mono" {...attributes} placeholder="waybill/exports" spellcheck={false} />}
      </Field>
      <Field label="Region" name="config.region" errors={at('config.region')} hint="Required for AWS.">
        {(attributes) => <input class="field mono" {...attributes} placeholder="eu-central-1" spellcheck={false} />}
      </Field>
      <Field label="Endpoint" name="config.endpoint_url" errors={at('config.endpoint_url')} hint="Of an S3-compatible store; empty for AWS.">
        {(attributes) => <input class="field mono" {...attributes} placeholder="https://storage.example.com" spellcheck={false} />}
      </Field>
    </div>
  );
}

function Advanced({ at }: { at: At }) {
  const [encryption, setEncryption] = useState('');
  return (
    <details class="chart-data">
      <summary>Encryption, access control, keys of objects</summary>
      <div class="form-grid">
        <Field label="Encryption" name="config.server_side_encryption" errors={at('config.server_side_encryption')}>
          {(attributes) => (
            <select class="field" {...attributes} value={encryption} onChange={(event) => setEncryption(event.currentTarget.value)}>
              <option value="">The bucket's default</option>
              <option value="AES256">AES256</option>
              <option value="aws:kms">aws:kms</option>
              <option value="aws:kms:dsse">aws:kms:dsse</option>
            </select>
          )}
        </Field>
        <Field label="Access control list" name="config.acl" errors={at('config.acl')}>
          {(attributes) => (
            <select class="field" {...attributes}>
              <option value="">The bucket's default</option>
              {ACLS.map((acl) => (
                <option key={acl}>{acl}</option>
              ))}
            </select>
          )}
        </Field>
        {encryption.startsWith('aws:kms') && (
          <Field label="KMS key (the account's default if empty)" name="config.server_side_encryption.kms_key_id" errors={at('config.server_side_encryption.kms_key_id')} isWide>
            {(attributes) => <input class="field mono" {...attributes} spellcheck={false} />}
          </Field>
        )}
        <label class="row choice form-field wide">
          <input type="checkbox" name="config.include_bucket_in_prefix" /> Every object key begins with the name of the bucket
        </label>
      </div>
    </details>
  );
}
