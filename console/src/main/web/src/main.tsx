import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { effect } from '@preact/signals';
import './ui/tokens.css';
import './ui/base.css';
import './ui/components.css';
import './app/shell.css';
import { sessionLost, workspace } from './api/client';
import { startKeys } from './app/keys';
import { lazy } from './app/lazy';
import { location, match, navigate, startRouter, type Params } from './app/router';
import { loadSession, redeemCode, session, sessionError } from './app/session';
import { home, Page, Shell } from './app/shell';
import { returnTarget, SignIn } from './app/sign-in';
import { applyTheme } from './app/theme';
import { Empty, ErrorState, Loading } from './ui/states';

export interface RouteProps {
  readonly params: Params;
}

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
] as const;

function App() {
  const { path, search } = location.value;
  const known = session.value;
  if (path.startsWith('/gallery')) {
    return <Gallery />;
  }
  if (sessionError.value && !known) {
    return <ErrorState error={sessionError.value} retry={loadSession} />;
  }
  if (known === undefined) {
    return <div class="page"><Loading what="the session" /></div>;
  }
  if (known === null) {
    return path === '/sign-in' ? <SignIn /> : <Redirect to={`/sign-in?return=${encodeURIComponent(path + (search.size ? `?${search}` : ''))}`} />;
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
        <Empty title="This address leads nowhere">
          <a class="button" href="/">
            To the start page
          </a>
        </Empty>
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
    session.value = null;
  }
});
void redeemCode().then(() => (session.peek() ? undefined : loadSession()));
render(<App />, document.getElementById('app')!);
