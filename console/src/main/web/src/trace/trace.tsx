import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ApiError, post, workspace } from '../api/client';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { absolute, ago, cost, count, seconds } from '../ui/format';
import { Icon } from '../ui/icons';
import { Empty, ErrorState, Loading } from '../ui/states';
import { buildTrace, interesting, visible, type TraceRun } from './model';
import { RunDetails } from './run-details';
import './trace.css';
import { Tree } from './tree';

const STATE = { run: text(), q: text(), show: oneOf(['all', 'errors'] as const, 'all') };
const FIELDS = ['id', 'name', 'run_type', 'status', 'start_time', 'end_time', 'first_token_time', 'parent_run_id', 'dotted_order', 'session_id', 'session_name', 'total_tokens', 'total_cost'];
const MAX_RUNS = 20_000;

interface Loaded {
  readonly runs: readonly TraceRun[];
  readonly project: string;
  readonly complete: boolean;
}

/** Reads the runs of the trace page by page, without values; the tree grows while they arrive. */
function useTrace(id: string) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<Error>();
  const [attempt, retry] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const controller = new AbortController();
    const runs: TraceRun[] = [];
    let project = '';
    const read = async (): Promise<void> => {
      let cursor: string | undefined;
      do {
        const page = await post('/api/v1/runs/query', { body: { trace: id, select: FIELDS, limit: 100, order: 'asc', ...(cursor ? { cursor } : {}) }, signal: controller.signal });
        const found = page.runs as unknown as (TraceRun & { session_name: string })[];
        runs.push(...found);
        project = found[0]?.session_name ?? project;
        cursor = page.cursors.next ?? undefined;
        if (runs.length === found.length || !cursor || runs.length % 1000 < 100) {
          setLoaded({ runs: [...runs], project, complete: !cursor });
        }
      } while (cursor && runs.length < MAX_RUNS);
    };
    setError(undefined);
    read().catch((failure: Error) => failure.name !== 'AbortError' && setError(failure));
    return () => controller.abort();
  }, [id, attempt]);
  return { loaded, error, retry: () => retry(0) };
}

export default function TracePage({ params }: RouteProps) {
  const id = params['id']!;
  const { loaded, error, retry } = useTrace(id);
  const projects = { label: 'Projects', href: `${home()}/projects` };
  if (error && !loaded) {
    return (
      <Page title="Trace" crumbs={[projects]}>
        <ErrorState error={error instanceof ApiError && error.status === 422 ? new ApiError(404, 'The address contains no id of a trace.') : error} retry={retry} back={{ href: projects.href, label: 'All projects' }} />
      </Page>
    );
  }
  if (!loaded) {
    return (
      <Page title="Trace" crumbs={[projects]}>
        <Loading what="the trace" rows={14} />
      </Page>
    );
  }
  if (loaded.runs.length === 0) {
    return (
      <Page title="Trace" crumbs={[projects]}>
        <Empty title="There is no such trace in this workspace">
          <a class="button" href={projects.href}>
            All projects
          </a>
        </Empty>
      </Page>
    );
  }
  return <TraceView loaded={loaded} />;
}

function TraceView({ loaded }: { loaded: Loaded }) {
  const { state, set } = useUrlState(STATE);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const trace = useMemo(() => buildTrace(loaded.runs), [loaded]);
  const rows = useMemo(() => visible(trace, collapsed, { text: state.q, onlyErrors: state.show === 'errors' }), [trace, collapsed, state.q, state.show]);
  const root = trace.roots[0]!;
  const selected = trace.byId.has(state.run) ? state.run : interesting(trace)!.run.id;
  const toggle = (id: string): void => {
    const next = new Set(collapsed);
    next.has(id) ? next.delete(id) : next.add(id);
    setCollapsed(next);
  };
  const select = (run: string): void => set({ run }, { replace: true });
  const step = (by: number, matches: (index: number) => boolean = () => true): void => {
    const at = rows.findIndex((node) => node.run.id === selected);
    for (let index = at + by; index >= 0 && index < rows.length; index += by) {
      if (matches(index)) {
        select(rows[index]!.run.id);
        return;
      }
    }
  };
  const isError = (index: number): boolean => rows[index]!.run.status === 'error';
  useKeys(
    [
      { keys: '/', what: 'Search in the tree', run: () => search.current?.focus() },
      { keys: 'j', what: 'Next run', run: () => step(1) },
      { keys: 'k', what: 'Previous run', run: () => step(-1) },
      { keys: 'e', what: 'Next error', run: () => step(1, isError) },
      { keys: 'E', what: 'Previous error', run: () => step(-1, isError) },
      { keys: 'c', what: 'Collapse everything, or expand it', run: () => setCollapsed(collapsed.size ? new Set() : new Set([...trace.byId.values()].filter((node) => node.children.length && node.depth > 0).map((node) => node.run.id))) },
      { keys: 'u', what: 'To the project', run: () => navigate(`${home()}/projects/${root.run.session_id}`) },
    ],
    [rows, selected, collapsed],
  );
  return (
    <Page
      fill
      title={root.run.name}
      crumbs={[
        { label: 'Projects', href: `${home()}/projects` },
        { label: loaded.project || 'Project', href: `${home(workspace.value)}/projects/${root.run.session_id}` },
      ]}
      subtitle={
        <dl class="stats">
          <Fact name="duration" value={seconds(trace.duration / 1000)} />
          <Fact name="runs" value={`${count(trace.byId.size)}${loaded.complete ? '' : ' so far'}`} />
          {root.errors > 0 && <Fact name="errors" value={count(root.errors)} isError />}
          {root.run.total_tokens !== null && <Fact name="tokens" value={count(root.run.total_tokens)} />}
          {root.run.total_cost !== null && <Fact name="cost" value={cost(root.run.total_cost)} />}
          <Fact name="started" value={ago(root.run.start_time)} title={absolute(root.run.start_time)} />
        </dl>
      }
    >
      <div class="trace">
        <div class="trace-left">
          <div class="trace-tools">
            <input ref={search} class="field grow" type="search" placeholder="Search runs by name or type" aria-label="Search runs" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
            {root.errors > 0 && (
              <button class="chip" type="button" aria-pressed={state.show === 'errors'} onClick={() => set({ show: state.show === 'errors' ? 'all' : 'errors' })}>
                <Icon name="error" size={13} /> {count(root.errors)} {root.errors === 1 ? 'error' : 'errors'}
              </button>
            )}
            <span class="legend">
              <span>
                <i /> critical path
              </span>
            </span>
          </div>
          {rows.length ? <Tree trace={trace} rows={rows} selected={selected} collapsed={collapsed} onSelect={select} onToggle={toggle} /> : <Empty title="No run matches">Change the search, or show all runs.</Empty>}
        </div>
        <RunDetails key={selected} runId={selected} />
      </div>
    </Page>
  );
}

function Fact({ name, value, isError = false, title }: { name: string; value: string; isError?: boolean; title?: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class={isError ? 'error-text' : ''}>{value}</dd>
    </div>
  );
}
