import { useState } from 'preact/hooks';
import { get, patch, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { useKeys } from '../app/keys';
import { navigate, oneOf, text, useUrlState } from '../app/router';
import { home, Page } from '../app/shell';
import type { RouteProps } from '../main';
import { Confirm } from '../ui/confirm';
import { CopyLink } from '../ui/copy';
import { Tabs } from '../ui/dialog';
import { absolute, bytes, count, DASH, isolated, plural, seconds } from '../ui/format';
import { Pending } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { Days } from './days';
import { Files } from './files';
import { Late } from './late';
import { destinationsHref, exportHref, exportsHref, newExportHref } from './links';
import { canCancel, doneText, everyText, isActive, isSchedule, nextWindow, rangeText, statusOf } from './model';
import { bucketOf, ExportBar, POLL_MS, shortId, StatusBadge, useDestinations, useProjectNames, useRefresh } from './parts';
import { SnippetTabs } from './snippets';
import type { Export } from './types';
import { Verify } from './verify';
import { Windows } from './windows';

const TABS = ['days', 'files', 'read', 'verify'] as const;
const STATE = { tab: oneOf(TABS, 'days'), cell: text(), page: text('1'), tool: text() };

export default function ExportPage({ params }: RouteProps) {
  const id = params['id']!;
  const { state, set } = useUrlState(STATE);
  const [isAsking, setAsking] = useState(false);
  const found = useQuery(`export ${workspace.value} ${id}`, (signal) => get('/api/v1/bulk-exports/{export_id}', { path: { export_id: id }, signal }) as unknown as Promise<Export>, { changes: { types: ['export'] } });
  const one = found.data;
  useRefresh(found, one !== undefined && isActive(one), POLL_MS);
  const names = useProjectNames(one ? [one.session_id] : []);
  useKeys([{ keys: 'r', what: 'Read the export again', run: found.reload }], [found.reload]);
  const crumbs = [{ label: 'Exports', href: exportsHref() }];
  if (!one) {
    return (
      <Page title="Export" crumbs={crumbs}>
        <Pending query={found} what="the export" rows={10} back={{ href: exportsHref(), label: 'All exports' }} />
      </Page>
    );
  }
  const isRepeated = isSchedule(one);
  const project = names.get(one.session_id) ?? `Project ${shortId(one.session_id)}`;
  const cancel = async (): Promise<void> => {
    await patch('/api/v1/bulk-exports/{export_id}', { path: { export_id: id }, body: { status: 'Cancelled' } });
    toast(isRepeated ? 'The schedule was cancelled' : 'The export was cancelled');
    found.reload();
  };
  return (
    <Page
      title={`${project}: ${isRepeated ? everyText(one.interval_hours!) : rangeText(one.start_time, one.end_time)}`}
      crumbs={one.source_bulk_export_id ? [...crumbs, { label: `${isolated(project)}: schedule`, href: exportHref(one.source_bulk_export_id) }] : crumbs}
      subtitle={<Facts one={one} project={names.get(one.session_id)} />}
      actions={
        <>
          <a class="button" href={newExportHref(copied(one))}>
            Copy to a new export
          </a>
          <CopyLink />
          {canCancel(one) && (
            <button class="button" type="button" onClick={() => setAsking(true)}>
              {isRepeated ? 'Cancel the schedule' : 'Cancel'}
            </button>
          )}
        </>
      }
    >
      <Figures one={one} />
      <Notices one={one} />
      <div class="tabs-line">
        <Tabs
          label="Parts of the export"
          selected={state.tab}
          tabs={[
            { id: 'days', label: isRepeated ? 'Windows' : 'Days' },
            { id: 'files', label: 'Files' },
            { id: 'read', label: 'Read it' },
            { id: 'verify', label: 'Verify' },
          ]}
          onSelect={(tab) => set({ tab, page: '1' })}
        />
      </div>
      {state.tab === 'days' ? (
        isRepeated ? (
          <Windows one={one} selected={state.cell} page={pageOf(state.page)} onSelect={(cell) => set({ cell }, { replace: true })} onPage={(page) => set({ page: String(page) })} />
        ) : (
          <Days one={one} selected={state.cell} onSelect={(cell) => set({ cell }, { replace: true })} />
        )
      ) : state.tab === 'files' ? (
        <Files one={one} page={pageOf(state.page)} onPage={(page) => set({ page: String(page) })} />
      ) : state.tab === 'read' ? (
        <SnippetTabs one={one} tool={state.tool} onTool={(tool) => set({ tool }, { replace: true })} />
      ) : (
        <Verify one={one} />
      )}
      {isAsking && (
        <Confirm title={isRepeated ? 'Cancel the schedule?' : 'Cancel the export?'} action={isRepeated ? 'Cancel the schedule' : 'Cancel the export'} run={cancel} onClose={() => setAsking(false)}>
          <p>
            {isRepeated
              ? 'The schedule creates no further exports. Exports that it has created continue, and their files remain.'
              : 'The export stops and gets no manifest. Files of completed days remain in the bucket.'}{' '}
            It cannot be started again.
          </p>
        </Confirm>
      )}
    </Page>
  );
}

const pageOf = (value: string): number => Math.max(1, Number.parseInt(value, 10) || 1);

const copied = (one: Export): Record<string, string | null> => ({
  project: one.session_id,
  destination: one.bulk_export_destination_id,
  filter: one.filter,
  from: one.start_time,
  to: one.end_time,
  ...(isSchedule(one) ? { kind: 'schedule', every: String(one.interval_hours), to: null } : {}),
  version: one.format_version === 'v1' ? 'v1' : null,
  compression: one.compression,
  fields: one.export_fields?.join(',') ?? null,
});

function Facts({ one, project }: { one: Export; project: string | undefined }) {
  const destinations = useDestinations();
  const destination = destinations.data?.items.find((each) => each.id === one.bulk_export_destination_id);
  return (
    <span>
      <a href={`${home()}/projects/${one.session_id}`}>
        <bdi>{(project ?? 'project').slice(0, 100)}</bdi>
      </a>
      {' → '}
      {destination ? <a href={destinationsHref()} title={destination.display_name}><bdi>{bucketOf(destination).slice(0, 200)}</bdi></a> : <span>{destinations.data ? 'a deleted destination' : '…'}</span>}
      {` · ${one.format} ${one.format_version}, ${one.compression}`}
      {one.export_fields && ` · ${count(one.export_fields.length)} columns`}
      {one.filter && (
        <>
          {' · '}
          <code>{one.filter.slice(0, 1_000)}</code>
        </>
      )}
    </span>
  );
}

function Figures({ one }: { one: Export }) {
  const isRepeated = isSchedule(one);
  const next = isRepeated && one.status === 'IntervalScheduled' && !one.paused_at ? nextWindow(one.start_time, one.interval_hours!, Date.now()) : null;
  return (
    <dl class="figures export-figures">
      <div>
        <dt>Status</dt>
        <dd>
          <StatusBadge status={statusOf(one)} />
        </dd>
      </div>
      {!isRepeated && (
        <div>
          <dt>{isActive(one) ? 'Progress' : 'Days'}</dt>
          <dd class={isActive(one) ? 'with-bar' : ''}>
            {isActive(one) ? <ExportBar progress={one.progress} /> : doneText(one)}
          </dd>
        </div>
      )}
      <div>
        <dt>Rows</dt>
        <dd>{count(one.progress?.rows_exported)}</dd>
      </div>
      <div>
        <dt>Size of the files</dt>
        <dd>{one.progress ? bytes(one.progress.bytes_exported) : DASH}</dd>
      </div>
      {next && (
        <div>
          <dt>Next window is exported</dt>
          <dd>
            <When time={next.exportedAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>Created</dt>
        <dd>
          <When time={one.created_at} />
        </dd>
      </div>
      {one.finished_at && (
        <div>
          <dt>Finished after</dt>
          <dd title={absolute(one.finished_at)}>{seconds((Date.parse(one.finished_at) - Date.parse(one.created_at)) / 1000)}</dd>
        </div>
      )}
    </dl>
  );
}

function Notices({ one }: { one: Export }) {
  return (
    <>
      {one.paused_at && (
        <div class="notice failed">
          <p>
            <strong>Paused.</strong> The schedule creates no exports since <When time={one.paused_at} />: {one.pause_reason}
          </p>
          <p>
            It resumes by itself when a test of its destination passes, or its credentials are replaced: <a href={destinationsHref()}>open the destinations</a>.
          </p>
        </div>
      )}
      {one.last_failure && !one.paused_at && (
        <div class="notice failed">
          <p>
            <strong>{plural(one.failed_windows ?? 0, 'failed window')}.</strong>{' '}
            The newest, {rangeText(one.last_failure.start_time, one.last_failure.end_time)}: {one.last_failure.message}
          </p>
          <p>
            <a href={exportHref(one.last_failure.bulk_export_id)}>Open its export</a>
          </p>
        </div>
      )}
      {(one.warnings ?? []).map((warning) => (
        <div key={warning} class="notice">
          <p>{warning}</p>
        </div>
      ))}
      {one.late_rows ? <Late one={one} onCreated={(id) => navigate(exportHref(id))} /> : null}
    </>
  );
}
