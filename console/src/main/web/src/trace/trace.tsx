import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { getTagged } from '../api/tagged';
import { useKeys } from '../app/keys';
import { list, navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { CopyLink } from '../ui/copy';
import { cost, count, plural, seconds } from '../ui/format';
import { Icon } from '../ui/icons';
import { Empty, ErrorState, Loading } from '../ui/states';
import { When } from '../ui/when';
import { useOrigin } from './experiment';
import { buildTrace, interesting, visible, type TraceRun } from './model';
import { RunDetails } from './run-details';
import './trace.css';
import { Tree } from './tree';

const STATE = { run: text(), q: text(), show: oneOf(['all', 'errors'] as const, 'all'), compare: list };
/** A trace whose last run ended so long ago does not change any more, or so rarely that a person reads it again. */
const SETTLED_MS = 300_000;

type Loaded = Schemas['TraceResponse'];

function isSettled(runs: readonly TraceRun[]): boolean {
  const now = Date.now();
  return runs.every((run) => run.status !== 'pending' && now - Date.parse(run.end_time ?? run.start_time) > SETTLED_MS);
}

/** Reads the runs of the trace in one request, without values; a trace that is still running is read again. */
function useTrace(id: string) {
  const [session, setSession] = useState<string>();
  const loaded = useQuery(`trace ${workspace.value} ${id}`, (signal) => getTagged('/api/v1/traces/{trace_id}', { path: { trace_id: id }, signal }), {
    changes: session === undefined ? undefined : { types: ['runs'], sessions: [session] },
  });
  const { data } = loaded;
  useEffect(() => setSession(data && !isSettled(data.runs as unknown as TraceRun[]) ? data.session_id : undefined), [data]);
  return loaded;
}

export default function TracePage({ params }: RouteProps) {
  const id = params['id']!;
  const { data, error, reload } = useTrace(id);
  const projects = { label: 'Projects', href: `${home()}/projects` };
  if (error && !data) {
    const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422);
    return (
      <Page title="Trace" crumbs={[projects]}>
        <ErrorState error={isMissing ? new ApiError(404, 'There is no such trace in this workspace.') : error} retry={reload} back={{ href: projects.href, label: 'All projects' }} />
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title="Trace" crumbs={[projects]}>
        <Loading what="the trace" rows={14} />
      </Page>
    );
  }
  return <TraceView loaded={data} />;
}

function TraceView({ loaded }: { loaded: Loaded }) {
  const { state, set } = useUrlState(STATE);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const trace = useMemo(() => buildTrace(loaded.runs as unknown as TraceRun[]), [loaded]);
  const rows = useMemo(() => visible(trace, collapsed, { text: state.q, onlyErrors: state.show === 'errors' }), [trace, collapsed, state.q, state.show]);
  const root = trace.roots[0]!;
  const selected = trace.byId.has(state.run) ? state.run : interesting(trace)!.run.id;
  const origin = useOrigin(loaded, state.compare);
  // A link to this view leads to the same run, also when an error is added.
  useEffect(() => {
    if (!state.run) {
      set({ run: selected }, { replace: true });
    }
  }, [state.run]);
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
      ...(origin ? [{ keys: 'b', what: 'To the comparison', run: () => navigate(origin.comparison) }] : []),
      { keys: 'u', what: 'To the project', run: () => navigate(`${home()}/projects/${loaded.session_id}`) },
    ],
    [rows, selected, collapsed, origin?.comparison],
  );
  return (
    <Page
      fill
      title={root.run.name}
      crumbs={[
        ...(origin ? [{ label: 'Datasets', href: `${home()}/datasets` }, origin.dataset] : [{ label: 'Projects', href: `${home()}/projects` }]),
        { label: loaded.session_name || 'Project', href: `${home()}/projects/${loaded.session_id}` },
      ]}
      actions={
        <>
          {origin && (
            <a class="button" href={origin.comparison} title="To the comparison (b)">
              Comparison
            </a>
          )}
          {origin?.example && (
            <a class="button" href={origin.example}>
              Example
            </a>
          )}
          <CopyLink />
        </>
      }
      subtitle={
        <dl class="stats">
          <Fact name="Duration" value={seconds(trace.duration / 1000)} />
          <Fact name="Runs" value={count(loaded.run_count)} />
          {trace.errors > 0 && <Fact name="Errors" value={count(trace.errors)} isError />}
          {trace.tokens !== null && <Fact name="Tokens" value={count(trace.tokens)} />}
          {trace.cost !== null && <Fact name="Cost" value={cost(trace.cost)} />}
          <Fact name="Started" value={<When time={root.run.start_time} />} />
        </dl>
      }
    >
      <div class="trace-page">
        <div class="trace-left">
          <div class="trace-tools">
            <input ref={search} class="field grow" type="search" placeholder="Search runs by name or type" aria-label="Search runs" value={state.q} onInput={(event) => set({ q: event.currentTarget.value }, { replace: true })} />
            {trace.errors > 0 && (
              <button class="chip" type="button" aria-pressed={state.show === 'errors'} onClick={() => set({ show: state.show === 'errors' ? 'all' : 'errors' })}>
                <Icon name="error" size={13} /> {plural(trace.errors, 'error')}
              </button>
            )}
            <span class="legend">
              <span>
                <i /> critical path
              </span>
            </span>
          </div>
          {loaded.truncated && <p class="trace-note muted">The first {count(trace.byId.size)} of {count(loaded.run_count)} runs, by their start.</p>}
          {rows.length ? <Tree trace={trace} rows={rows} selected={selected} collapsed={collapsed} onSelect={select} onToggle={toggle} /> : <Empty title="No run matches">Change the search, or show all runs.</Empty>}
        </div>
        <RunDetails key={selected} runId={selected} datasetId={origin?.datasetId} />
      </div>
    </Page>
  );
}

function Fact({ name, value, isError = false }: { name: string; value: ComponentChildren; isError?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isError ? 'error-text' : ''}>{value}</dd>
    </div>
  );
}
