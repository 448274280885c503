import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { get, workspace, type Reply } from '../api/client';
import { useQuery } from '../api/query';
import { oneOf, text, useUrlState } from '../app/router';
import { session } from '../app/session';
import { home } from '../app/shell';
import { CopyButton } from '../ui/copy';
import { Dialog } from '../ui/dialog';
import { Empty, Pending } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { isDone, pageOf, phraseOf } from './audit-model';
import { useKeyList } from './data';
import { Table, type Column } from './list';

type EventPage = Reply<'/v1/audit-events', 'get'>;
type AuditEvent = NonNullable<EventPage['items']>[number];

const OUTCOMES = ['', 'done', 'replayed', 'refused', 'failed'] as const;
const CODECS = { actor: text(), outcome: oneOf(OUTCOMES, ''), from: text(), to: text(), event: text() };
const PAGE = 50;

/** Who changed what in the workspace, from where, and what was refused. */
export function AuditLog() {
  const isAdmin = session.value?.role === 'admin';
  const { state, set } = useUrlState(CODECS);
  const list = useKeyList(isAdmin).data;
  const keys = list ?? [];
  const isUnknown = list !== undefined && state.actor !== '' && !list.some((one) => one.id === state.actor);
  // Events keep the name of a deleted key.
  const deleted = useQuery(isUnknown ? `events of ${state.actor} in ${workspace.value}` : null, (signal) => get('/v1/audit-events', { query: { actor_id: state.actor, limit: 1 }, signal }));
  if (!isAdmin) {
    return <Empty title="Only admins see the audit log">The key of this session has the role member. Sign in with an admin key to see who changed what.</Empty>;
  }
  const query = { ...(state.actor && { actor_id: state.actor }), ...(state.outcome && { outcome: state.outcome }), ...(state.from && { start_time: state.from }), ...(state.to && { end_time: state.to }) };
  return (
    <>
      <p class="muted">Requests that changed something in this workspace, and those that were refused. Ingested runs and feedback are not listed.</p>
      <div class="row wrap">
        <select class="field actor" aria-label="Who" value={state.actor} onChange={(event) => set({ actor: event.currentTarget.value })}>
          <option value="">Anyone</option>
          {keys.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
          {isUnknown && <option value={state.actor}>{deleted.data?.items?.[0]?.actor_name ?? state.actor}</option>}
        </select>
        <select class="field" aria-label="Outcome" value={state.outcome} onChange={(event) => set({ outcome: event.currentTarget.value as never })}>
          {OUTCOMES.map((one) => (
            <option key={one} value={one}>
              {one || 'Any outcome'}
            </option>
          ))}
        </select>
        {(['from', 'to'] as const).map((name) => (
          <label key={name} class="row muted">
            {name === 'from' ? 'From' : 'To'} (UTC)
            <input class="field" type="datetime-local" value={state[name].replace(/Z$/, '')} onChange={({ currentTarget: { value, validity } }) => validity.badInput || set({ [name]: value && `${value}Z` })} />
          </label>
        ))}
      </div>
      <Events key={JSON.stringify([workspace.value, query])} query={query} isFiltered={Object.keys(query).length > 0} />
    </>
  );
}

function Events({ query, isFiltered }: { query: Readonly<Record<string, string>>; isFiltered: boolean }) {
  const { state, href, set } = useUrlState(CODECS);
  const read = (signal?: AbortSignal, cursor?: string) => get('/v1/audit-events', { query: { ...query, limit: PAGE, cursor }, ...(signal && { signal }) });
  const first = useQuery(`audit events of ${workspace.value} ${JSON.stringify(query)}`, read);
  const [more, setMore] = useState<readonly EventPage[]>([]);
  const [busy, setBusy] = useState(false);
  const pages = [...(first.data ? [first.data] : []), ...more];
  const events = pages.flatMap((page) => page.items ?? []);
  const loaded = events.find((one) => one.id === state.event);
  // An address can name an event of a page that is not loaded.
  const linked = useQuery(state.event && first.data && !loaded ? `audit event of ${workspace.value} ${state.event}` : null, (signal) => get('/v1/audit-events', { query: { event_id: state.event }, signal }));
  if (!first.data) {
    return <Pending query={first} what="the audit log" />;
  }
  const cursor = pages.at(-1)!.next_cursor;
  const load = async (): Promise<void> => {
    setBusy(true);
    await read(undefined, cursor!).then(
      (page) => setMore([...more, page]),
      (failure: Error) => toast(failure.message),
    );
    setBusy(false);
  };
  const selected = loaded ?? linked.data?.items?.[0];
  if (events.length === 0 && !selected) {
    return <Empty title={isFiltered ? 'No event matches' : 'Nothing was changed yet'} />;
  }
  const columns: readonly Column<AuditEvent>[] = [
    ['When', (one) => <a href={href({ event: one.id! })}>{one.occurred_at && <When time={one.occurred_at} />}</a>],
    ['Who', (one) => <a href={href({ actor: one.actor_id ?? '' })}><bdi>{one.actor_name ?? one.actor_id ?? one.actor}</bdi></a>],
    ['What', phraseOf, 'whole strong'],
    ['Resource', resource],
    ['Outcome', (one) => <span class={`badge ${isDone(one.outcome) ? 'better' : 'error'}`}>{one.outcome} {isDone(one.outcome) ? '' : one.status}</span>],
    ['Address', (one) => <span class="mono">{one.client_address}</span>],
  ];
  return (
    <>
      <div class="card table-scroll">
        <Table columns={columns} rows={events} selected={state.event} />
      </div>
      {cursor && (
        <button class="button" type="button" disabled={busy} onClick={load}>
          Load more
        </button>
      )}
      {selected ? <Details event={selected} onClose={() => set({ event: '' })} /> : state.event && !linked.loading && <p class="muted">The event of this address is not in this workspace.</p>}
    </>
  );
}

function resource(event: AuditEvent) {
  const page = pageOf(event);
  const id = event.resource_name ? <bdi>{event.resource_name}</bdi> : <span class="mono">{event.resource_id}</span>;
  return page ? <a href={`${home()}/${page}`}>{id}</a> : id;
}

function Details({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const facts = { Operation: `${event.method} ${event.path}`, Service: event.service, Caller: [event.actor_name, event.actor, event.actor_id].filter(Boolean).join(' '), Resource: [event.resource_name, event.resource_id].filter(Boolean).join(' '), Status: event.status, Address: event.client_address, Program: event.user_agent, Request: event.request_id };
  return (
    <Dialog title={phraseOf(event)} onClose={onClose}>
      <div class="facts stack">
        <dl>
          {Object.entries(facts).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value || 'unknown'}</dd>
            </Fragment>
          ))}
        </dl>
        <div class="row">
          <CopyButton text={event.request_id ?? ''} label="Copy the request id" />
        </div>
      </div>
    </Dialog>
  );
}
