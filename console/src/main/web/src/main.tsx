import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { effect } from '@preact/signals';
import './ui/tokens.css';
import './ui/base.css';
import './ui/components.css';
import './app/shell.css';
import { ApiError, sessionLost, workspace } from './api/client';
import { startKeys } from './app/keys';
import { lazy } from './app/lazy';
import { location, match, navigate, startRouter, type Params } from './app/router';
import { loadSession, redeemCode, session, sessionError, signInReason } from './app/session';
import { home, Page, Shell } from './app/shell';
import { returnTarget, SignIn } from './app/sign-in';
import { applyTheme } from './app/theme';
import { Empty, ErrorState, Loading } from './ui/states';

export interface RouteProps {
  readonly params: Params;
}

const RETRY_MS = 5_000;
const Gallery = lazy(() => import('./gallery/gallery'));
const ROUTES = [
  ['/w/:workspace', lazy(() => import('./home/home'))],
  ['/w/:workspace/projects', lazy(() => import('./projects/projects'))],
  ['/w/:workspace/projects/:id', lazy(() => import('./projects/project'))],
  ['/w/:workspace/traces/:id', lazy(() => import('./trace/trace'))],
  ['/w/:workspace/datasets', lazy(() => import('./datasets/datasets'))],
  ['/w/:workspace/datasets/:id', lazy(() => import('./datasets/dataset'))],
  ['/w/:workspace/datasets/:id/compare', lazy(() => import('./compare/compare'))],
  ['/w/:workspace/datasets/:id/examples/:example', lazy(() => import('./datasets/example'))],
  ['/w/:workspace/exports', lazy(() => import('./exports/exports'))],
  ['/w/:workspace/exports/new', lazy(() => import('./exports/new-export'))],
  ['/w/:workspace/exports/destinations', lazy(() => import('./exports/destinations'))],
  ['/w/:workspace/exports/:id', lazy(() => import('./exports/export'))],
  ['/w/:workspace/deployments', lazy(() => import('./deployments/deployments'))],
  ['/w/:workspace/deployments/new', lazy(() => import('./deployments/new'))],
  ['/w/:workspace/deployments/:id', lazy(() => import('./deployments/deployment'))],
  ['/w/:workspace/deployments/:id/try', lazy(() => import('./run/try'))],
  ['/w/:workspace/settings', lazy(() => import('./settings/settings'))],
] as const;

function App() {
  const { path, search } = location.value;
  const known = session.value;
  const isWithoutSession = sessionError.value !== null && !known;
  useEffect(() => {
    const timer = isWithoutSession ? setInterval(loadSession, RETRY_MS) : undefined;
    return () => clearInterval(timer);
  }, [isWithoutSession]);
  if (path.startsWith('/gallery')) {
    return <Gallery />;
  }
  if (sessionError.value && !known) {
    return <ErrorState error={sessionError.value} retry={loadSession} isAlone />;
  }
  if (known === undefined) {
    return <div class="page"><Loading what="the session" /></div>;
  }
  if (known === null) {
    return path === '/sign-in' ? <SignIn /> : <Redirect to={`/sign-in?return=${encodeURIComponent(path + window.location.search)}`} />;
  }
  if (path === '/' || path === '/sign-in') {
    const first = known.tenant_id ?? known.workspaces[0]?.id;
    const target = path === '/sign-in' ? returnTarget(search) : '/';
    return first ? <Redirect to={target === '/' ? home(first) : target} /> : <Empty title="This key has no workspace">Create one with POST /v1/workspaces.</Empty>;
  }
  for (const [pattern, Component] of ROUTES) {
    const params = match(pattern, path);
    if (params) {
      const id = params['workspace'] ?? '';
      if (known.tenant_id && known.tenant_id !== id) {
        workspace.value = known.tenant_id;
        return <NoWorkspace own={known.tenant_id} />;
      }
      if (workspace.peek() !== id) {
        workspace.value = id;
      }
      return (
        <Shell>
          <Component key={`${pattern} ${Object.values(params).join(' ')}`} params={params} />
        </Shell>
      );
    }
  }
  return (
    <Shell>
      <Page title="There is no such page">
        <Empty title="No page has this address">
          <div class="row">
            <a class="button" href="/">
              Home
            </a>
          </div>
        </Empty>
      </Page>
    </Shell>
  );
}

/** A key of one workspace has no access to others. */
function NoWorkspace({ own }: { own: string }) {
  return (
    <Shell>
      <Page title="No access to this workspace">
        <ErrorState error={new ApiError(404, 'The key of this session belongs to another workspace, or there is no such workspace.')} back={{ href: home(own), label: 'To your workspace' }} />
      </Page>
    </Shell>
  );
}

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

applyTheme();
startRouter();
startKeys();
effect(() => {
  if (sessionLost.value > 0) {
    signInReason.value = 'The session has ended: it or its key has expired, or the key was deleted. Sign in again.';
    session.value = null;
  }
});
void redeemCode().then(() => (session.peek() ? undefined : loadSession()));
render(<App />, document.getElementById('app')!);
