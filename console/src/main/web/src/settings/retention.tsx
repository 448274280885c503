import { useState } from 'preact/hooks';
import { get, getList, patch, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { oneOf, text, useUrlState } from '../app/router';
import { home } from '../app/shell';
import { Confirm } from '../ui/confirm';
import { absolute } from '../ui/format';
import { Empty, ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { Table } from './list';
import { deletedBefore, fateOf, sessionsOf } from './retention-model';

type Session = Schemas['SessionResponse'];

const TIERS = ['shortlived', 'longlived'] as const;
const CODECS = { q: text(), tier: oneOf(['', ...TIERS], '') };
const LIMIT = 100;

/** The tiers, and the tier of each project. */
export function Retention() {
  const { state, set } = useUrlState(CODECS);
  const [change, setChange] = useState<{ project: Session; tier: string }>();
  const changes = { types: ['session' as const] };
  const retention = useQuery(`retention of ${workspace.value}`, (signal) => get('/api/v1/retention', { signal }), { changes });
  const query = { reference_free: true, limit: LIMIT, sort_by: 'name', sort_by_desc: false, ...(state.q && { name_contains: state.q }), ...(state.tier && { trace_tier: state.tier }) };
  const list = useQuery(`retention of projects ${workspace.value} ${state.q} ${state.tier}`, (signal) => getList('/api/v1/sessions', { query, signal }), { changes, keepPrevious: true });
  const tiers = retention.data?.tiers;
  const find = (name: string | undefined) => tiers?.find((one) => one.trace_tier === name);
  const before = change && deletedBefore(find(change.project.trace_tier), find(change.tier));
  const save = async (project: Session, tier: string): Promise<void> => {
    await patch('/api/v1/sessions/{session_id}', { path: { session_id: project.id! }, body: { trace_tier: tier } });
    toast(`The retention of ${project.name} was changed`);
    retention.reload();
    list.reload();
  };
  const select = (project: Session, tier: string): void => {
    if (deletedBefore(find(project.trace_tier), find(tier))) {
      setChange({ project, tier });
    } else {
      save(project, tier).catch((failure: Error) => (toast(failure.message, 'error'), list.reload()));
    }
  };
  const failed = retention.error && !tiers ? retention : list.error && !list.data ? list : undefined;
  if (failed) {
    return <ErrorState error={failed.error!} retry={failed.reload} />;
  }
  if (!tiers || !list.data) {
    return <Loading what="the retention" />;
  }
  return (
    <>
      <p class="muted">The tier of a project determines how long its runs are kept, with their feedback and attachments. The operator of this installation configures the tiers (<code>waybill.retention.*</code>).</p>
      <section class="card facts" aria-label="Tiers">
        <dl>
          {tiers.map((tier) => (
            <>
              <dt>
                <code>{tier.trace_tier}</code>
              </dt>
              <dd>
                Runs are {fateOf(tier.retention_seconds)}. {sessionsOf(tier)}
                {tier.is_default && '; the default of new ones'}
              </dd>
            </>
          ))}
        </dl>
      </section>
      <div class="row tools">
        <input class="field" type="search" placeholder="Search by name" aria-label="Search projects" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
        <select class="field" aria-label="Projects with the tier" value={state.tier} onChange={(event) => set({ tier: event.currentTarget.value as '' })}>
          <option value="">All tiers</option>
          {TIERS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      {list.data.items.length === 0 ? (
        <Empty title="There is no such project" />
      ) : (
        <div class="card table-scroll">
          <Table
            rows={list.data.items}
            columns={[
              ['Project', (one) => <a href={`${home()}/projects/${one.id}`}><bdi>{one.name}</bdi></a>, 'whole strong'],
              [
                'Tier',
                (one) => (
                  <select class="field" aria-label={`Tier of ${one.name}`} value={one.trace_tier} onChange={(event) => select(one, event.currentTarget.value)}>
                    {TIERS.map((tier) => (
                      <option key={tier}>{tier}</option>
                    ))}
                  </select>
                ),
              ],
              ['Runs', (one) => fateOf(find(one.trace_tier)?.retention_seconds)],
            ]}
          />
        </div>
      )}
      {list.data.total > LIMIT && <p class="faint">The first {LIMIT} are shown; search for others.</p>}
      {change && before && (
        <Confirm title="Delete older runs?" action="Change the tier" isDangerous run={() => save(change.project, change.tier)} onClose={() => setChange(undefined)}>
          <p class="text-content">
            Within an hour, the runs of <bdi class="strong">{change.project.name}</bdi> that started and arrived before <time dateTime={before}>{absolute(before)}</time> are deleted, with their feedback and attachments. <span class="warn-text strong">This cannot be undone.</span> Later runs are {fateOf(find(change.tier)?.retention_seconds)}.
          </p>
        </Confirm>
      )}
    </>
  );
}
