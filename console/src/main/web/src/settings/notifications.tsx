import { useState } from 'preact/hooks';
import { patch, post, remove, workspace } from '../api/client';
import { text, useUrlState } from '../app/router';
import { session } from '../app/session';
import { Empty, ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { useDeliveries, useNotificationRules, type NotificationRule } from './data';
import { Confirm, SecretCard } from './form';
import { EVENTS } from './model';
import { CreateRule, UpdateRule, type CreatedRule } from './notification-form';

const CODECS = { rule: text() };

export function Notifications() {
  const { state, href } = useUrlState(CODECS);
  const isAdmin = session.value?.role === 'admin';
  const list = useNotificationRules();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedRule>();
  const [changed, setChanged] = useState<NotificationRule>();
  const [removed, setRemoved] = useState<NotificationRule>();
  const selected = list.data?.find((one) => one.id === state.rule);
  return (
    <>
      <div class="settings-head">
        <p class="muted">A rule reports failed exports, paused schedules and failed revisions to a webhook or by e-mail.{!isAdmin && ' Only admins change rules.'}</p>
        {isAdmin && (
          <button class="button primary" type="button" onClick={() => setCreating(true)}>
            Add rule
          </button>
        )}
      </div>
      {created?.webhook_secret && (
        <SecretCard title={`The secret of ${created.name}`} secret={created.webhook_secret} onDone={() => setCreated(undefined)}>
          <p class="muted">The receiver verifies the header webhook-signature with it; every library of Standard Webhooks can.</p>
        </SecretCard>
      )}
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.reload} />
      ) : !list.data ? (
        <Loading what="the notification rules" />
      ) : list.data.length === 0 ? (
        <Empty
          title="There is no notification rule in this workspace"
          command={`curl ${window.location.protocol}//${window.location.hostname}:8080/v1/notification-rules -H "X-Api-Key: $WAYBILL_API_KEY" \\\n  -H "X-Tenant-Id: ${workspace.value}" -H "Content-Type: application/json" \\\n  -d '{"name":"Exports","events":["export.failed","schedule.paused"],"webhook_url":"https://hooks.example.com/waybill"}'`}
        />
      ) : (
        <RuleTable rules={list.data} selected={state.rule} hrefOf={(rule) => href({ rule })} actions={isAdmin ? { change: setChanged, remove: setRemoved } : undefined} />
      )}
      {selected && <Deliveries key={selected.id} rule={selected} isAdmin={isAdmin} close={href({ rule: '' })} onChanged={list.reload} />}
      {list.data && state.rule && !selected && <p class="muted">The rule of this address is not in this workspace.</p>}
      {creating && (
        <CreateRule
          onClose={() => setCreating(false)}
          onCreated={(rule) => {
            setCreating(false);
            setCreated(rule);
            toast('The rule was added');
            list.reload();
          }}
        />
      )}
      {changed && (
        <UpdateRule
          rule={changed}
          onClose={() => setChanged(undefined)}
          onChanged={() => {
            setChanged(undefined);
            toast('The rule was changed');
            list.reload();
          }}
        />
      )}
      {removed && (
        <Confirm
          title="Delete this rule?"
          action="Delete rule"
          onClose={() => setRemoved(undefined)}
          run={async () => {
            await remove('/v1/notification-rules/{rule_id}', { path: { rule_id: removed.id! } });
            toast('The rule was deleted');
            setRemoved(undefined);
            list.reload();
          }}
        >
          <p class="text-content">
            <span class="strong">{removed.name}</span> reports nothing more, and its deliveries are deleted as well.
          </p>
        </Confirm>
      )}
    </>
  );
}

interface TableProps {
  readonly rules: readonly NotificationRule[];
  readonly selected: string;
  readonly hrefOf: (id: string) => string;
  readonly actions: { change: (rule: NotificationRule) => void; remove: (rule: NotificationRule) => void } | undefined;
}

function RuleTable({ rules, selected, hrefOf, actions }: TableProps) {
  return (
    <div class="card table-scroll">
      <table class="table cards">
        <thead>
          <tr>
            {['Name', 'Events', 'Sent to', 'Created'].map((title) => (
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
          {rules.map((one) => (
            <tr key={one.id} aria-current={one.id === selected ? 'true' : undefined}>
              <td class="whole strong">
                <a href={hrefOf(one.id === selected ? '' : one.id!)}>
                  <bdi>{one.name}</bdi>
                </a>
                {!one.enabled && <span class="badge">disabled</span>}
              </td>
              <td data-name="Events">{(one.events ?? []).map((event) => EVENTS[event]).join(', ')}</td>
              <td class="whole">{one.webhook_origin ? <span class="mono">{one.webhook_origin}</span> : (one.email_to ?? []).join(', ')}</td>
              <td data-name="Created">{one.created_at && <When time={one.created_at} />}</td>
              <td class="actions whole">
                {actions && (
                  <>
                    <button class="button quiet" type="button" aria-label={`Change ${one.name}`} onClick={() => actions.change(one)}>
                      Change
                    </button>
                    <button class="button quiet" type="button" aria-label={`Delete ${one.name}`} onClick={() => actions.remove(one)}>
                      Delete
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The deliveries of a rule, with a test that shows its result there. */
function Deliveries({ rule, isAdmin, close, onChanged }: { rule: NotificationRule; isAdmin: boolean; close: string; onChanged: () => void }) {
  const deliveries = useDeliveries(rule.id!);
  const act = (action: () => Promise<unknown>, done: string) => async (): Promise<void> => {
    try {
      await action();
      toast(done);
      deliveries.reload();
      onChanged();
    } catch (failure) {
      toast((failure as Error).message, 'error');
    }
  };
  const path = { rule_id: rule.id! };
  const setEnabled = (enabled: boolean) => act(() => patch('/v1/notification-rules/{rule_id}', { path, body: { enabled } as never }), enabled ? 'The rule was enabled' : 'The rule was disabled');
  return (
    <section class="card details" aria-label={`Notification rule ${rule.name}`}>
      <div class="row wrap">
        <h2 class="grow ellipsis">
          <bdi>{rule.name}</bdi>
        </h2>
        {isAdmin && (
          <>
            <button class="button" type="button" disabled={!rule.enabled} onClick={act(() => post('/v1/notification-rules/{rule_id}/test', { path }), 'A test was sent; its delivery shows the result')}>
              Send a test
            </button>
            <button class="button" type="button" onClick={setEnabled(!rule.enabled)}>
              {rule.enabled ? 'Disable' : 'Enable'}
            </button>
          </>
        )}
        <a class="button quiet" href={close}>
          Close
        </a>
      </div>
      <h3>Last deliveries</h3>
      {deliveries.error && !deliveries.data ? (
        <ErrorState error={deliveries.error} retry={deliveries.reload} />
      ) : !deliveries.data ? (
        <Loading what="the deliveries" rows={3} />
      ) : deliveries.data.length === 0 ? (
        <p class="muted">Nothing was sent yet.</p>
      ) : (
        <table class="table cards">
          <thead>
            <tr>
              {['Event', 'Status', 'Attempts', 'When', 'Last error'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {deliveries.data.map((one) => (
              <tr key={one.id}>
                <td class="whole">{EVENTS[one.type as keyof typeof EVENTS] ?? 'Test'}</td>
                <td data-name="Status">
                  <span class={`badge ${one.status === 'delivered' ? 'better' : one.status === 'failed' ? 'error' : ''}`}>{one.status}</span>
                </td>
                <td data-name="Attempts">{one.attempts}</td>
                <td data-name="When">{one.created_at && <When time={one.created_at} />}</td>
                <td class="whole">
                  {one.error && <bdi>{one.error}</bdi>}
                  {one.next_attempt_at && one.error && (
                    <span class="faint">
                      ; next attempt <When time={one.next_attempt_at} />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
