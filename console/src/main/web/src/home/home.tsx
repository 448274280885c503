import type { ComponentChildren } from 'preact';
import { get, getList, workspace, type Schemas } from '../api/client';
import { useQuery, type Query } from '../api/query';
import { home, Page } from '../app/shell';
import { session } from '../app/session';
import { absolute, ago, count, percent, plural, seconds, shortCount } from '../ui/format';
import { ErrorState, Skeleton } from '../ui/states';
import { State } from '../deployments/badge';
import { byUrgency, deploymentTitle, rolloutMeaning, type Deployment } from '../deployments/model';
import { daysText, everyText, isSchedule, statusOf } from '../exports/model';
import { shortId, StatusBadge, useProjectNames } from '../exports/parts';
import type { Export } from '../exports/types';
import { traceCommand } from '../projects/project';
import '../deployments/deployments.css';
import '../projects/projects.css';
import { CopyButton } from '../ui/copy';
import { failures, searched, type FailedRun, type Failures } from './failures';

type Session = Schemas['SessionResponse'];
const SHOWN = 8;
/** Deployments among which the failed ones are found. */
const MAX_DEPLOYMENTS = 100;

export default function HomePage() {
  const projects = useQuery(`home projects ${workspace.value}`, (signal) => getList('/api/v1/sessions', { query: { reference_free: true, include_stats: true, limit: SHOWN, sort_by: 'last_run_start_time', sort_by_desc: true }, signal }), { changes: { types: ['runs', 'session'] } });
  const datasets = useQuery(`home datasets ${workspace.value}`, (signal) => getList('/api/v1/datasets', { query: { limit: SHOWN }, signal }), { changes: { types: ['experiment', 'dataset', 'session'] } });
  const deployments = useQuery(`home deployments ${workspace.value}`, (signal) => get('/v2/deployments', { query: { limit: MAX_DEPLOYMENTS }, signal }), { changes: { types: ['deployment', 'revision'] } });
  const exports = useQuery(`home exports ${workspace.value}`, (signal) => getList('/api/v1/bulk-exports', { query: { window: 'false', limit: SHOWN }, signal }) as unknown as Promise<{ items: Export[] }>, { changes: { types: ['export'] } });
  const failed = useQuery(projects.data ? `home failures ${workspace.value} ${projects.data.items.map((one) => one.id)}` : null, (signal) => failures(projects.data!.items.map((one) => one.id), SHOWN, signal), { changes: { types: ['runs'] } });
  const name = session.value?.workspaces.find((one) => one.id === workspace.value)?.name;
  return (
    <Page title={name ?? 'Home'}>
      <div class="card-list">
        <div class="cards-column">
          <Card title="Projects" href={`${home()}/projects`} query={projects}>
            {projects.data?.items.length ? <Projects items={projects.data.items} /> : <Start />}
          </Card>
          <Card title="Datasets" href={`${home()}/datasets`} query={datasets}>
            {datasets.data?.items.length ? (
              <table class="table cards">
                <tbody>
                  {datasets.data.items.map((one) => (
                    <tr key={one.id}>
                      <td class="whole">
                        <a class="list-link" href={`${home()}/datasets/${one.id}`}>
                          <bdi>{one.name.slice(0, 100)}</bdi>
                        </a>
                        <div class="muted">{plural(one.example_count, 'example')}</div>
                      </td>
                      <td class="end nowrap whole">
                        {one.session_count > 1 ? <a href={`${home()}/datasets/${one.id}/compare`}>Compare {count(one.session_count)} experiments</a> : <span class="muted">{plural(one.session_count, 'experiment')}</span>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : (
              <p class="muted">Upload an experiment with POST /api/v1/datasets/upload-experiment.</p>
            )}
          </Card>
          <Card title="Exports" href={`${home()}/exports`} query={exports}>
            {exports.data?.items.length ? <Exports items={exports.data.items} /> : <p class="muted">Nothing was exported yet.</p>}
          </Card>
        </div>
        <div class="cards-column">
          <Card title="Deployments" href={`${home()}/deployments`} query={deployments}>
            {deployments.data?.resources?.length ? <Entries items={byUrgency(deployments.data.resources).slice(0, SHOWN).map(deploymentEntry)} /> : <p class="muted">Deploy an agent from a repository with New deployment.</p>}
          </Card>
          <Card title="Newest failed traces" query={failed}>
            {failed.data && <FailedTraces found={failed.data} />}
          </Card>
        </div>
      </div>
    </Page>
  );
}

function Card({ title, href, query, children }: { title: string; href?: string; query: Query<unknown>; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2 class="row">
        <span class="grow">{title}</span>
        {href && <a href={href}>All</a>}
      </h2>
      {query.data !== undefined ? <div class="table-scroll">{children}</div> : query.error ? <ErrorState error={query.error} retry={query.reload} /> : <Skeleton rows={5} />}
    </section>
  );
}

function Projects({ items }: { items: readonly Session[] }) {
  return (
    <table class="table cards">
      <thead>
        <tr>
          <th>Project</th>
          <th class="end">Traces</th>
          <th class="end">Errors</th>
          <th class="end">p50</th>
          <th class="end">Last run</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.id}>
            <td class="whole">
              <a class="list-link" href={`${home()}/projects/${one.id}`}>
                <bdi>{one.name.slice(0, 100)}</bdi>
              </a>
            </td>
            <td class="end" data-name="Traces">{shortCount(one.run_count)}</td>
            <td class={`end ${one.error_rate ? 'error-text' : 'muted'}`} data-name="Errors">{percent(one.error_rate)}</td>
            <td class="end muted" data-name="p50">{seconds(one.latency_p50)}</td>
            <td class="end muted nowrap" data-name="Last run">{one.last_run_start_time ? <span title={absolute(one.last_run_start_time)}>{ago(one.last_run_start_time)}</span> : 'never'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Entry {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly below: ComponentChildren;
  readonly at: string;
  readonly aside?: ComponentChildren;
}

/** A line with a name and a time, and a line of details. */
function Entries({ items }: { items: readonly Entry[] }) {
  return (
    <table class="table">
      <tbody>
        {items.map(({ id, href, name, below, at, aside }) => (
          <tr key={id}>
            <td>
              <a class="list-link" href={`${home()}/${href}`}>
                <bdi>{name.slice(0, 80)}</bdi>
              </a>
              <div class="ellipsis">{below}</div>
            </td>
            <td class="end muted nowrap">
              <span title={absolute(at)}>{ago(at)}</span>
              <div class="faint source">{aside}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const deploymentEntry = (one: Deployment): Entry => ({ id: one.id!, href: `deployments/${one.id}`, name: deploymentTitle(one), below: <State {...rolloutMeaning(one)} />, at: one.updated_at! });
const failureEntry = (run: FailedRun): Entry => ({ id: run.id, href: `traces/${run.trace_id}`, name: run.name, below: <span class="error-text">{run.error?.slice(0, 140)}</span>, at: run.start_time, aside: run.session_name });

function FailedTraces({ found }: { found: Failures }) {
  const sentence = searched(found, SHOWN);
  return (
    <>
      {found.runs.length > 0 && <Entries items={found.runs.map(failureEntry)} />}
      {sentence && <p class="muted">{sentence}</p>}
    </>
  );
}

function Exports({ items }: { items: readonly Export[] }) {
  const names = useProjectNames(items.map((one) => one.session_id));
  return (
    <Entries
      items={items.map((one) => ({
        id: one.id,
        href: `exports/${one.id}`,
        name: names.get(one.session_id) ?? `project ${shortId(one.session_id)}`,
        below: <span class="muted">{isSchedule(one) ? everyText(one.interval_hours!) : daysText(one.start_time, one.end_time)}</span>,
        at: one.created_at,
        aside: <StatusBadge status={statusOf(one)} />,
      }))}
    />
  );
}

function Start() {
  return (
    <>
      <p class="muted">No traces yet. Set LANGSMITH_ENDPOINT and LANGSMITH_API_KEY in your agent, or send a run with curl.</p>
      <CopyButton label="Copy the command" text={traceCommand('my-agent')} />
    </>
  );
}
