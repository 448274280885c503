import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState, type Codec } from '../app/router';
import { home, Page } from '../app/shell';
import { postCommand } from '../ui/command';
import { absolute, ago } from '../ui/format';
import { Icon } from '../ui/icons';
import { Empty, Pending } from '../ui/states';
import { Grid, place, type Column } from '../ui/table';
import { Health, State } from './badge';
import { activeRevision, deploymentMeaning, health, inWords, isInProgress, repositoryName, rolloutMeaning, shortCommit, type Deployment, type Revision, type Status } from './model';
import '../projects/projects.css';
import './deployments.css';

const page: Codec<number> = { initial: 0, parse: (value) => Math.max(0, Math.floor(Number(value)) || 0), format: String };
const STATE = { q: text(), status: oneOf(['', 'READY', 'UNUSED', 'AWAITING_DELETE', 'UNKNOWN'] as const, ''), page };
const SIZE = 50;
const DETAILS_AT_ONCE = 6;

interface Row {
  readonly deployment: Deployment;
  readonly revision: Revision | undefined;
  /** Null if it could not be read. */
  readonly status: Status | null | undefined;
}

const href = (id: string | undefined): string => `${home()}/deployments/${id ?? ''}`;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    title: 'Deployment',
    width: 'minmax(176px, 1.2fr)',
    narrow: place(1, 1, 8),
    cell: ({ deployment }) => (
      <a class="list-link ellipsis" tabIndex={-1} href={href(deployment.id)}>
        <bdi>{deployment.name}</bdi>
        {deployment.display_name && <bdi class="muted"> {deployment.display_name}</bdi>}
      </a>
    ),
  },
  {
    id: 'status',
    title: 'Rollout',
    width: '168px',
    narrow: place(2, 1, 6),
    cell: ({ deployment, revision }) => <State {...rolloutMeaning(deployment, revision?.status)} title={inWords(revision?.status_message ?? deployment.status_message)} />,
  },
  { id: 'health', title: 'Health', width: '118px', narrow: place(2, 7), cell: ({ deployment, revision, status }) => <Health status={status} active={activeRevision(deployment, revision)} /> },
  { id: 'address', title: 'Address', width: '184px', cell: ({ deployment }) => <span class="mono ellipsis block" title={deployment.url ?? undefined}>{deployment.url ?? '–'}</span> },
  {
    id: 'source',
    title: 'Source',
    width: 'minmax(146px, 1.4fr)',
    narrow: place(3, 1, 12),
    cell: ({ deployment }) => (
      <span class="ellipsis block muted" title={deployment.source_config?.repo_url ?? undefined}>
        <bdi>{deployment.source_revision_config?.image_uri ?? repositoryName(deployment.source_config?.repo_url)}</bdi>
        {deployment.source_revision_config?.repo_ref && <> @ <bdi>{deployment.source_revision_config.repo_ref}</bdi></>}
      </span>
    ),
  },
  {
    id: 'revision',
    title: 'Latest revision',
    width: 'minmax(140px, 1.5fr)',
    cell: ({ deployment, revision }) => (
      <span class="ellipsis block">
        <span class="mono">{shortCommit(revision?.source_revision_config?.repo_commit_sha ?? deployment.source_revision_config?.repo_commit_sha)}</span>{' '}
        <bdi class="muted">{revision?.commit?.message?.split('\n')[0] ?? ''}</bdi>
      </span>
    ),
  },
  { id: 'updated', title: 'Updated', width: '100px', end: true, narrow: place(1, 9), cell: ({ deployment }) => <span class="muted" title={deployment.updated_at ? absolute(deployment.updated_at) : ''}>{deployment.updated_at ? ago(deployment.updated_at) : ''}</span> },
];

/** Reads the latest revision and the health of each deployment, a few at a time; what fails stays unknown. */
async function details(deployments: readonly Deployment[], signal: AbortSignal, found: (id: string, detail: Omit<Row, 'deployment'>) => void): Promise<void> {
  const left = [...deployments];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one && !signal.aborted; one = left.shift()) {
      const path = { deployment_id: one.id!, revision_id: one.latest_revision_id ?? '' };
      const revision = one.latest_revision_id ? await get('/v2/deployments/{deployment_id}/revisions/{revision_id}', { path, signal }).catch(() => ({}) as Revision) : undefined;
      // Read after the revision, so that it is the status of one that was deployed meanwhile.
      const status = activeRevision(one, revision) ? await get('/v2/deployments/{deployment_id}/status', { path, signal }).catch(() => null) : undefined;
      if (!signal.aborted) {
        found(one.id!, { revision, status });
      }
    }
  };
  await Promise.all(Array.from({ length: DETAILS_AT_ONCE }, work));
}

/** Whether the revision is in progress, or another one than that of the status has become active. */
const isChanging = (deployment: Deployment, detail: Omit<Row, 'deployment'> | undefined): boolean =>
  detail !== undefined && (isInProgress(detail.revision ?? {}) || !health(detail.status, activeRevision(deployment, detail.revision)));

function rowOf(deployment: Deployment, detail: Omit<Row, 'deployment'> | undefined, before: Row | undefined): Row {
  return before?.deployment === deployment && before.revision === detail?.revision && before.status === detail?.status ? before : { deployment, revision: detail?.revision, status: detail?.status };
}

const CREATE = postCommand(
  'CONTROL_PLANE',
  '/v2/deployments',
  `{"name": "support-agent", "source": "repohost",
       "source_config": {"repo_url": "https://github.com/acme/agent"},
       "source_revision_config": {"repo_ref": "main"}}`,
);

export default function DeploymentsPage() {
  const { state, set, href: to } = useUrlState(STATE);
  const search = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<ReadonlyMap<string, Omit<Row, 'deployment'>>>(new Map());
  useKeys(
    [
      { keys: '/', what: 'Search', run: () => search.current?.focus() },
      { keys: 'n', what: 'New deployment', run: () => navigate(`${home()}/deployments/new`) },
    ],
    [],
  );
  const list = useQuery(
    `deployments ${workspace.value} ${state.q} ${state.status} ${state.page}`,
    (signal) =>
      get('/v2/deployments', {
        query: { limit: SIZE + 1, offset: state.page * SIZE, ...(state.q ? { name_contains: state.q } : {}), ...(state.status ? { status: state.status } : {}) },
        signal,
      }),
    { changes: { types: ['deployment', 'revision'] }, keepPrevious: true },
  );
  const all = list.data?.resources;
  const shown = useMemo(() => all?.slice(0, SIZE), [all]);
  useEffect(() => {
    const controller = new AbortController();
    const arrived = new Map<string, Omit<Row, 'deployment'>>();
    let frame = 0;
    const show = (): void => {
      frame = 0;
      setFound((before) => new Map([...before, ...arrived]));
    };
    void details(shown ?? [], controller.signal, (id, detail) => {
      arrived.set(id, detail);
      frame ||= requestAnimationFrame(show);
    });
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
    };
  }, [shown]);
  const isRolling = shown?.some((one) => one.status === 'AWAITING_DELETE' || isChanging(one, found.get(one.id!))) ?? false;
  useEffect(() => {
    const timer = isRolling ? setInterval(() => !document.hidden && list.reload(), 5_000) : undefined;
    return () => clearInterval(timer);
  }, [isRolling, shown]);
  // Details arrive one by one: the rows of other deployments stay the same and are not rendered again.
  const known = useRef<readonly Row[]>([]);
  const rows = useMemo(() => shown?.map((deployment, index) => rowOf(deployment, found.get(deployment.id!), known.current[index])), [shown, found]);
  known.current = rows ?? [];
  const isFiltered = state.q !== '' || state.status !== '' || state.page > 0;
  const hasMore = (all?.length ?? 0) > SIZE;
  return (
    <Page
      fill
      title="Deployments"
      actions={
        <a class="button primary" href={`${home()}/deployments/new`} title="New deployment (n)">
          New deployment
        </a>
      }
    >
      <div class="row wrap tools">
        <input ref={search} class="field" type="search" placeholder="Search by name" aria-label="Search deployments" value={state.q} onInput={(event) => set({ q: event.currentTarget.value, page: 0 }, { replace: true })} />
        <select class="field" aria-label="Status" value={state.status} onChange={(event) => set({ status: event.currentTarget.value as typeof state.status, page: 0 })}>
          <option value="">Any status</option>
          {(['READY', 'UNUSED', 'AWAITING_DELETE', 'UNKNOWN'] as const).map((one) => (
            <option key={one} value={one}>
              {deploymentMeaning(one).label}
            </option>
          ))}
        </select>
      </div>
      {!rows ? (
        <Pending query={list} what="the deployments" rows={12} />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <Empty title="No deployment matches">
            <a class="button" href={`${home()}/deployments`}>
              Show all deployments
            </a>
          </Empty>
        ) : (
          <Empty title="No deployments yet" command={CREATE}>
            Choose New deployment, or create one of a git repository with langgraph.json by the API of the control plane.
          </Empty>
        )
      ) : (
        <Grid label="Deployments" columns={COLUMNS} total={rows.length} row={(index) => rows[index]} rowKey={(one) => one.deployment.id!} rowHeight={36} cardHeight={84} onOpen={(one) => navigate(href(one.deployment.id))} />
      )}
      {(hasMore || state.page > 0) && (
        <nav class="grid-foot" aria-label="Pages of the list">
          {state.page > 0 && (
            <a class="button" href={to({ page: state.page - 1 })}>
              Newer
            </a>
          )}
          {hasMore && (
            <a class="button" href={to({ page: state.page + 1 })}>
              Older <Icon name="right" size={14} />
            </a>
          )}
        </nav>
      )}
    </Page>
  );
}
