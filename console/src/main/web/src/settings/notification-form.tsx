import { useState } from 'preact/hooks';
import { patch, post } from '../api/client';
import type { FieldErrors } from '../ui/errors';
import type { NotificationRule } from './data';
import { Field, FormDialog } from './form';
import type { FormProps } from './list';
import { EVENTS, filled } from './model';

const CREATED = ['name', 'events', 'webhook_url', 'email_to'];
const UPDATED = [...CREATED, 'webhook_secret'];

/** Returns the members of the form: a list of events and, by the channel, a list of addresses. */
function bodyOf(form: FormData): Record<string, unknown> {
  const { email_to: addresses, ...members } = filled(form, ['name', 'webhook_url', 'webhook_secret', 'email_to']);
  return { ...members, events: form.getAll('events'), ...(addresses === undefined ? {} : { email_to: addresses.split(/[\s,;]+/).filter(Boolean) }) };
}

export function CreateRule({ onClose, onSaved }: FormProps) {
  const submit = async (form: FormData): Promise<void> => {
    const { name, webhook_secret: secret } = await post('/v1/notification-rules', { body: bodyOf(form) as never });
    onSaved('The rule was added', secret ? { title: `The secret of ${name}`, secret, hint: 'The receiver verifies the header webhook-signature with it; every library of Standard Webhooks can.' } : undefined);
  };
  const [channel, setChannel] = useState<'webhook' | 'email'>('webhook');
  return (
    <FormDialog title="Add notification rule" action="Add rule" names={CREATED} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Name" errors={errors} input={{ placeholder: 'Failed exports to the data team', autofocus: true }} />
          <Events errors={errors} />
          <fieldset class="credential">
            <legend class="label">Sent to</legend>
            <label class="row">
              <input type="radio" name="channel" checked={channel === 'webhook'} onChange={() => setChannel('webhook')} /> Webhook
            </label>
            <label class="row">
              <input type="radio" name="channel" checked={channel === 'email'} onChange={() => setChannel('email')} /> E-mail
            </label>
          </fieldset>
          {channel === 'webhook' ? <Url errors={errors} /> : <Addresses errors={errors} />}
        </>
      )}
    </FormDialog>
  );
}

export function UpdateRule({ item: rule, onClose, onSaved }: FormProps & { item: NotificationRule }) {
  const submit = async (form: FormData): Promise<void> => {
    await patch('/v1/notification-rules/{rule_id}', { path: { rule_id: rule.id! }, body: bodyOf(form) as never });
    onSaved('The rule was changed');
  };
  return (
    <FormDialog title={`Change ${rule.name}`} action="Save" names={UPDATED} submit={submit} onClose={onClose}>
      {(errors) => (
        <>
          <Field name="name" label="Name" errors={errors} input={{ defaultValue: rule.name }} />
          <Events errors={errors} selected={rule.events} />
          {rule.email_to ? (
            <Addresses errors={errors} value={rule.email_to.join(', ')} />
          ) : (
            <>
              <Url errors={errors} hint={`Leave empty to keep the present one at ${rule.webhook_origin}.`} />
              <Field name="webhook_secret" label="New secret" errors={errors} input={{ type: 'password' }} hint="whsec_ and 24 to 64 bytes in base64; leave empty to keep the present one." />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

function Url({ errors, hint = 'Each event is posted as JSON. The URL is stored encrypted.' }: { errors: FieldErrors; hint?: string }) {
  return <Field name="webhook_url" label="URL" errors={errors} input={{ placeholder: 'https://hooks.example.com/waybill' }} hint={hint} />;
}

function Addresses({ errors, value = '' }: { errors: FieldErrors; value?: string }) {
  return <Field name="email_to" label="Addresses" errors={errors} input={{ defaultValue: value, placeholder: 'team@example.com' }} hint="At most 10, separated by commas." />;
}

function Events({ errors, selected = ['export.failed', 'schedule.paused', 'revision.failed'] }: { errors: FieldErrors; selected?: readonly string[] | undefined }) {
  const messages = errors.fields['events'] ?? [];
  return (
    <fieldset class="credential" aria-describedby={messages.length ? 'events-error' : undefined}>
      <legend class="label">Events</legend>
      {Object.entries(EVENTS).map(([event, label]) => (
        <label key={event} class="row">
          <input type="checkbox" name="events" value={event} defaultChecked={selected.includes(event)} aria-invalid={messages.length ? 'true' : undefined} /> {label}
        </label>
      ))}
      {messages.length > 0 && (
        <ul class="error-text" id="events-error">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
