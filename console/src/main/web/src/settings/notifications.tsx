import { patch, post, remove } from '../api/client';
import { session } from '../app/session';
import { postCommand } from '../ui/command';
import { Empty, Pending } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { useDeliveries, useNotificationRules, type NotificationRule } from './data';
import { CREATED, SettingsList, Table } from './list';
import { EVENTS } from './model';
import { CreateRule, UpdateRule } from './notification-form';

export function Notifications() {
  const isAdmin = session.value?.role === 'admin';
  const list = useNotificationRules();
  return (
    <SettingsList
      what="notification rules"
      noun="rule"
      about={`A rule reports failed exports, paused schedules and failed revisions to a webhook or by e-mail.${isAdmin ? '' : ' Only admins change rules.'}`}
      list={list}
      empty={
        <Empty
          title="There is no notification rule in this workspace"
          command={postCommand('CONTROL_PLANE', '/v1/notification-rules', '{"name": "Exports", "events": ["export.failed", "schedule.paused"],\n       "webhook_url": "https://hooks.example.com/waybill"}')}
        />
      }
      badge={(one) => !one.enabled && <span class="badge">disabled</span>}
      columns={[
        ['Events', (one) => (one.events ?? []).map((event) => EVENTS[event]).join(', ')],
        ['Sent to', (one) => (one.webhook_origin ? <span class="mono">{one.webhook_origin}</span> : (one.email_to ?? []).join(', ')), 'whole'],
        CREATED,
      ]}
      details={['rule', (one, close) => <Deliveries key={one.id} rule={one} isAdmin={isAdmin} close={close} onChanged={list.reload} />]}
      create={isAdmin && ['Add rule', CreateRule]}
      change={isAdmin && UpdateRule}
      deletion={
        isAdmin && {
          title: 'Delete this rule?',
          consequences: (one) => (
            <p class="text-content">
              <span class="strong">{one.name}</span> reports nothing more, and its deliveries are deleted as well.
            </p>
          ),
          run: (one) => remove('/v1/notification-rules/{rule_id}', { path: { rule_id: one.id! } }),
        }
      }
    />
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
      {!deliveries.data ? (
        <Pending query={deliveries} what="the deliveries" rows={3} />
      ) : deliveries.data.length === 0 ? (
        <p class="muted">Nothing was sent yet.</p>
      ) : (
        <Table
          rows={deliveries.data}
          columns={[
            ['Event', (one) => EVENTS[one.type as keyof typeof EVENTS] ?? 'Test', 'whole'],
            ['Status', (one) => <span class={`badge ${one.status === 'delivered' ? 'better' : one.status === 'failed' ? 'error' : ''}`}>{one.status}</span>],
            ['Attempts', (one) => one.attempts],
            ['When', CREATED[1]],
            [
              'Last error',
              (one) =>
                one.error && (
                  <>
                    <bdi>{one.error}</bdi>
                    {one.next_attempt_at && (
                      <span class="faint">
                        ; next attempt <When time={one.next_attempt_at} />
                      </span>
                    )}
                  </>
                ),
              'whole',
            ],
          ]}
        />
      )}
    </section>
  );
}
