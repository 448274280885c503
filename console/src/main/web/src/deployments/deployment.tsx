import { useEffect, useState } from 'preact/hooks';
import { get, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { CopyLink, copyText } from '../ui/copy';
import { Tabs } from '../ui/dialog';
import { failureText } from '../ui/errors';
import { Icon } from '../ui/icons';
import { Menu } from '../ui/menu';
import { ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { DeleteDialog, RevisionDialog } from './actions';
import { Changes } from './changes';
import { LEVELS, LOG_PHASES, type LogPhase } from './logs';
import { LogPanel } from './log-panel';
import { activeRevision, deploymentTitle, isFailed, isInProgress, repositoryName, revisionName, webAddress, type Deployment, type Revision } from './model';
import { Address, Condition } from './overview';
import { Settings } from './settings';
import { Timeline } from './timeline';
import './deployments.css';

const TABS = ['revisions', 'log', 'changes', 'settings'] as const;
const STATE = { revision: text(), base: text(), tab: oneOf(TABS, 'revisions'), phase: oneOf(['', ...LOG_PHASES] as const, ''), q: text(), level: oneOf(['', ...LEVELS] as const, ''), cause: text() };
const PAGE = 50;
const ROLLOUT_POLL_MS = 2_500;
type Question = { readonly kind: 'delete' } | { readonly kind: 'interrupt' | 'redeploy'; readonly revision: Revision };

/** The part of the log that a person looks for first. */
function firstPhase(revision: Revision): LogPhase {
  if (revision.status === 'DEPLOYED') {
    return 'server';
  }
  return revision.phases?.deploying_at || revision.status === 'DEPLOY_FAILED' ? 'deploy' : 'build';
}

export default function DeploymentPage({ params }: RouteProps) {
  const id = params['id']!;
  const [shownRevisions, setShownRevisions] = useState(PAGE);
  const changes = { types: ['deployment', 'revision'] as const, deployment: id };
  const deployment = useQuery(`deployment ${workspace.value} ${id}`, (signal) => get('/v2/deployments/{deployment_id}', { path: { deployment_id: id }, signal }), { changes });
  const revisions = useQuery(
    `revisions ${workspace.value} ${id} ${shownRevisions}`,
    async (signal) => {
      const found: Revision[] = [];
      while (found.length < shownRevisions) {
        const page = (await get('/v2/deployments/{deployment_id}/revisions', { path: { deployment_id: id }, query: { limit: PAGE, offset: found.length }, signal })).resources ?? [];
        found.push(...page);
        if (page.length < PAGE) {
          break;
        }
      }
      return found;
    },
    { changes, keepPrevious: true },
  );
  const crumbs = [{ label: 'Deployments', href: `${home()}/deployments` }];
  const isRolling = deployment.data?.status === 'AWAITING_DELETE' || (revisions.data?.some(isInProgress) ?? false);
  const reload = (): void => {
    deployment.reload();
    revisions.reload();
  };
  useEffect(() => {
    const timer = isRolling ? setInterval(() => !document.hidden && reload(), ROLLOUT_POLL_MS) : undefined;
    return () => clearInterval(timer);
  }, [isRolling]);
  const error = deployment.error ?? revisions.error;
  const isGone = (deployment.error as { status?: number } | undefined)?.status === 404;
  if (error && (isGone || !deployment.data || !revisions.data)) {
    return (
      <Page title={deployment.data?.name ?? 'Deployment'} crumbs={crumbs}>
        <ErrorState error={error} retry={reload} back={{ href: crumbs[0]!.href, label: 'All deployments' }} />
      </Page>
    );
  }
  if (!deployment.data || !revisions.data) {
    return (
      <Page title="Deployment" crumbs={crumbs}>
        <Loading what="the deployment" rows={12} />
      </Page>
    );
  }
  return <Detail deployment={deployment.data} revisions={revisions.data} hasMore={revisions.data.length >= shownRevisions} onMore={() => setShownRevisions(shownRevisions + PAGE)} onChanged={reload} />;
}

function Subtitle({ deployment }: { deployment: Deployment }) {
  const config = deployment.source_config;
  const link = webAddress(config?.repo_url);
  const name = deployment.source_revision_config?.image_uri ?? repositoryName(config?.repo_url);
  return (
    <>
      {link ? (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ) : (
        <bdi title={config?.repo_url ?? undefined}>{name}</bdi>
      )}
      {deployment.source_revision_config?.repo_ref && (
        <>
          {' @ '}
          <bdi>{deployment.source_revision_config.repo_ref}</bdi>
        </>
      )}
    </>
  );
}

interface DetailProps {
  readonly deployment: Deployment;
  readonly revisions: readonly Revision[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onChanged: () => void;
}

function Detail({ deployment, revisions, hasMore, onMore, onChanged }: DetailProps) {
  const { state, set, href } = useUrlState(STATE);
  const [question, setQuestion] = useState<Question>();
  const id = deployment.id!;
  const selected = revisions.find((one) => one.id === state.revision) ?? revisions[0];
  const latest = revisions.find((one) => one.id === deployment.latest_revision_id) ?? revisions[0];
  const active = revisions.find((one) => one.id === activeRevision(deployment, latest));
  const isDeleted = deployment.status === 'AWAITING_DELETE';
  const before = revisions.find((one) => one.id === state.base) ?? (selected && revisions[revisions.indexOf(selected) + 1]);
  const tryAddress = `${home()}/deployments/${id}/try`;
  useKeys(
    [
      { keys: 'c', what: 'Copy the API address', run: () => deployment.url && void copyText(deployment.url, 'The API address was copied') },
      { keys: 't', what: 'Try it', run: () => navigate(tryAddress) },
      { keys: 'l', what: 'Show the log', run: () => set({ tab: 'log' }) },
    ],
    [deployment.url],
  );
  const onCreated = (revision: string | undefined): void => {
    set({ tab: 'revisions', revision: revision ?? '' });
    onChanged();
  };
  const deployNewest = async (): Promise<void> => {
    try {
      const created = await post('/v2/deployments/{deployment_id}/revisions', { path: { deployment_id: id }, body: {} as never });
      toast('A revision of the newest commit was created');
      onCreated(created.id);
    } catch (failure) {
      toast(failureText(failure), 'error');
    }
  };
  const hrefOf = (one: Revision, view: 'select' | 'log' | 'cause' | 'compare' | 'settings'): string => {
    const cleared = { revision: one.id!, base: '', q: '', level: '', cause: '' } as const;
    switch (view) {
      case 'select':
      case 'log':
        return href({ ...cleared, tab: 'log', phase: '' });
      case 'cause':
        return href({ ...cleared, tab: 'log', phase: one.status === 'DEPLOY_FAILED' ? 'deploy' : 'build', cause: '1' });
      case 'compare':
        return href({ ...cleared, tab: 'changes' });
      case 'settings':
        return href({ ...cleared, tab: 'settings' });
    }
  };
  return (
    <Page
      title={deploymentTitle(deployment)}
      crumbs={[{ label: 'Deployments', href: `${home()}/deployments` }]}
      subtitle={<Subtitle deployment={deployment} />}
      actions={
        !isDeleted && (
          <>
            {deployment.active_revision_id && (
              <a class="button primary" href={tryAddress} title="Try it (t)">
                <Icon name="play" size={14} /> Try it
              </a>
            )}
            <CopyLink />
            <button class="button" type="button" onClick={deployNewest}>
              Deploy the newest commit
            </button>
            <Menu label="More">
              <button class="button quiet menu-item" type="button" onClick={() => set({ tab: 'settings' })}>
                Settings
              </button>
              {active && (
                <button class="button quiet menu-item" type="button" onClick={() => setQuestion({ kind: 'redeploy', revision: active })}>
                  Redeploy the serving revision
                </button>
              )}
              <button class="button quiet menu-item error-text" type="button" onClick={() => setQuestion({ kind: 'delete' })}>
                Delete the deployment
              </button>
            </Menu>
          </>
        )
      }
    >
      {state.tab === 'revisions' && (
        <div class="deployment-top">
          <Address deployment={deployment} />
          <Condition deployment={deployment} latest={latest} active={active} />
        </div>
      )}
      <div class="tabs-bar">
        <Tabs
          label="Parts of the deployment"
          tabs={[
            { id: 'revisions', label: 'Revisions' },
            { id: 'log', label: 'Log' },
            { id: 'changes', label: 'Changes' },
            { id: 'settings', label: 'Settings' },
          ]}
          selected={state.tab}
          onSelect={(tab) => set({ tab })}
        />
        {selected && (state.tab === 'log' || state.tab === 'changes') && revisions.length > 0 && (
          <label class="row revision-choice">
            <span class="muted">Revision</span>
            <select class="field" value={selected.id} onChange={(event) => set({ revision: event.currentTarget.value, phase: '', cause: '', base: '' })}>
              {revisions.map((one) => (
                <option key={one.id} value={one.id}>
                  {revisionName(one)} {one.commit?.message?.split('\n')[0]?.slice(0, 60)} {one.id === deployment.active_revision_id ? '(serves)' : isFailed(one) ? '(failed)' : ''}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div hidden={state.tab !== 'settings'}>
        <Settings deployment={deployment} isDeleted={isDeleted} onChanged={onChanged} onDelete={() => setQuestion({ kind: 'delete' })} />
      </div>
      {state.tab === 'settings' ? null : !selected ? (
        <p class="muted">This deployment has no revisions.</p>
      ) : state.tab === 'revisions' ? (
        <>
          <Timeline revisions={revisions} active={deployment.active_revision_id} selected={state.revision} hrefOf={hrefOf} canChange={!isDeleted} onRedeploy={(revision) => setQuestion({ kind: 'redeploy', revision })} onInterrupt={(revision) => setQuestion({ kind: 'interrupt', revision })} />
          {hasMore && (
            <button class="button more" type="button" onClick={onMore}>
              Show older revisions
            </button>
          )}
        </>
      ) : state.tab === 'log' ? (
        <LogPanel deployment={id} revision={selected} isOver={!isInProgress(selected) && selected !== active} phase={state.phase || firstPhase(selected)} q={state.q} level={state.level} showCause={state.cause !== ''} onChange={(changed) => set(changed, { replace: true })} />
      ) : (
        <Changes revisions={revisions} before={before} after={selected} onChange={set} />
      )}
      {question?.kind === 'delete' && <DeleteDialog deployment={deployment} onClose={() => setQuestion(undefined)} />}
      {question && question.kind !== 'delete' && <RevisionDialog deployment={deployment} kind={question.kind} revision={question.revision} onClose={() => setQuestion(undefined)} onInterrupted={onChanged} onCreated={onCreated} />}
    </Page>
  );
}
