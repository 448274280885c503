import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { unavailable, workspace } from '../api/client';
import { Icon, type IconName } from '../ui/icons';
import { scrollToSelected } from '../ui/scroll';
import { Toasts } from '../ui/toast';
import { KeyHelp, showHelp, useKeys } from './keys';
import { location, navigate } from './router';
import { session, signOut, type Workspace } from './session';
import { nextTheme, theme } from './theme';

const NAVIGATION: readonly { path: string; label: string; icon: IconName; key: string }[] = [
  { path: '', label: 'Home', icon: 'home', key: 'g h' },
  { path: '/projects', label: 'Projects', icon: 'projects', key: 'g p' },
  { path: '/datasets', label: 'Datasets', icon: 'datasets', key: 'g d' },
  { path: '/exports', label: 'Exports', icon: 'exports', key: 'g e' },
  { path: '/deployments', label: 'Deployments', icon: 'deployments', key: 'g o' },
  { path: '/settings', label: 'Settings', icon: 'settings', key: 'g s' },
];

export const home = (id = workspace.value): string => `/w/${id}`;

/** The frame around every page. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path } = location.value;
  useKeys(
    NAVIGATION.map((item) => ({ keys: item.key, what: `Go to ${item.label.toLowerCase()}`, run: () => navigate(home() + item.path) })),
    [],
  );
  const sidebar = useRef<HTMLElement>(null);
  // In narrow windows the navigation scrolls.
  useEffect(() => scrollToSelected(sidebar.current, '.nav [aria-current]'), [path]);
  const current = (item: string): boolean => (item === '' ? path === home() : path.startsWith(home() + item) || (item === '/projects' && path.includes('/traces/')));
  return (
    <div class="shell">
      <a class="button skip" href="#main">
        Skip to the content
      </a>
      <nav ref={sidebar} class="sidebar" aria-label="Main">
        <a class="brand" href={home()} aria-label="Waybill">
          <img src="/icon.svg" alt="" />
          <span>Waybill</span>
        </a>
        <div class="nav">
          {NAVIGATION.map((item) => (
            <a key={item.path} href={home() + item.path} {...(current(item.path) ? { 'aria-current': 'page' as const } : {})}>
              <Icon name={item.icon} />
              {item.label}
            </a>
          ))}
        </div>
        <div class="foot">
          <WorkspaceSwitch workspaces={session.value?.workspaces ?? []} />
          <div class="row">
            <button class="button quiet icon" type="button" title={`Theme: ${theme.value}`} aria-label={`Theme: ${theme.value}`} onClick={nextTheme}>
              <Icon name="theme" />
            </button>
            <button class="button quiet icon" type="button" title="Keys (?)" aria-label="Show the keys" onClick={showHelp}>
              <Icon name="keys" />
            </button>
            <button class="button quiet icon" type="button" title="Sign out" aria-label="Sign out" onClick={() => signOut()}>
              <Icon name="out" />
            </button>
          </div>
        </div>
      </nav>
      <div class="main">
        {unavailable.value && (
          <div class="banner" role="status">
            <Icon name="error" />
            <span>{unavailable.value} does not respond. The page reads again by itself as soon as it does.</span>
          </div>
        )}
        {children}
      </div>
      <Toasts />
      <KeyHelp />
    </div>
  );
}

function WorkspaceSwitch({ workspaces }: { workspaces: readonly Workspace[] }) {
  if (workspaces.length < 2) {
    return workspaces[0]?.name ? <span class="muted ellipsis">{workspaces[0].name}</span> : null;
  }
  return (
    <select class="field" aria-label="Workspace" value={workspace.value} onChange={(event) => navigate(home(event.currentTarget.value))}>
      {workspaces.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name ?? one.id}
        </option>
      ))}
    </select>
  );
}

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

interface PageProps {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  readonly subtitle?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The page fills the window, and parts of it scroll. */
  readonly fill?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, crumbs = [], subtitle, actions, fill, children }: PageProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 80)} · Waybill`;
  }, [title]);
  return (
    <main id="main" class={`page ${fill ? 'fill' : ''}`} tabIndex={-1}>
      <header class="page-head">
        <div class="titles">
          {crumbs.length > 0 && (
            <nav class="crumbs" aria-label="Path">
              {crumbs.map((crumb, index) => (
                <span key={crumb.href} class="row">
                  {index > 0 && <span aria-hidden="true">/</span>}
                  <a class="ellipsis" href={crumb.href}>
                    {crumb.label}
                  </a>
                </span>
              ))}
            </nav>
          )}
          <h1 title={title.length > 100 ? title.slice(0, 1000) : undefined}>
            <bdi>{title.slice(0, 1000)}</bdi>
          </h1>
          {subtitle && <div class="muted">{subtitle}</div>}
        </div>
        {actions && <div class="row wrap">{actions}</div>}
      </header>
      {children}
    </main>
  );
}
