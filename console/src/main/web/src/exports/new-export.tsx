import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, getList, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { list as listCodec, navigate, oneOf, text, useUrlState } from '../app/router';
import { Page } from '../app/shell';
import { FilterBar } from '../projects/filter-bar';
import { placed } from '../ui/errors';
import { count } from '../ui/format';
import { ErrorState } from '../ui/states';
import { toast } from '../ui/toast';
import { Columns } from './columns';
import { DateField } from './date-field';
import { incompleteDates, rangeOf, requestOf } from './form-model';
import { ALL_TIME, destinationsHref, exportHref, exportsHref } from './links';
import { everyText } from './model';
import { bucketOf, Field, shortId, useDestinations, useProjectNames } from './parts';
import { PreviewPanel, usePreview } from './preview';

const STATE = {
  project: text(),
  destination: text(),
  kind: oneOf(['range', 'schedule'] as const, 'range'),
  from: text(),
  to: text(),
  every: text('24'),
  filter: text(),
  version: oneOf(['v2_beta', 'v1'] as const, 'v2_beta'),
  compression: oneOf(['zstandard', 'gzip', 'snappy', 'none'] as const, 'zstandard'),
  fields: listCodec,
};
const NAMES = ['session_id', 'bulk_export_destination_id', 'start_time', 'end_time', 'interval_hours', 'filter', 'format_version', 'compression', 'export_fields'];
const INTERVALS = ['1', '6', '12', '24', '48', '168'];
const PROJECTS = 100;
const DAY_MS = 86_400_000;

export default function NewExportPage() {
  const { state, set } = useUrlState(STATE);
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const [presets, setPresets] = useState(0);
  const change = (changes: Parameters<typeof set>[0]): void => {
    setIncomplete([]);
    set(changes, { replace: true });
  };
  const [now] = useState(() => Date.now());
  const [failure, setFailure] = useState<{ body: string; error: Error }>();
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const destinations = useDestinations();
  const projects = useQuery(`export projects ${workspace.value}`, (signal) => getList('/api/v1/sessions', { query: { reference_free: true, limit: PROJECTS, sort_by: 'name', sort_by_desc: false }, signal }));
  const isListed = projects.data?.items.some((one) => one.id === state.project) ?? true;
  const unread = [destinations, projects].find((one) => one.error && !one.data);
  const names = useProjectNames(isListed ? [] : [state.project]);
  // The only destination needs no choice.
  const only = destinations.data?.items.length === 1 ? destinations.data.items[0]!.id : '';
  const destination = state.destination || only;
  const range = rangeOf(state.from, state.to, now);
  const body = useMemo(() => requestOf({ ...state, destination, start: range.start, end: range.end }), [JSON.stringify([state, destination, range])]);
  const signature = JSON.stringify(body);
  const preview = usePreview(body, !destinations.loading && (state.project !== '' || state.filter !== ''));
  const error = failure?.body === signature ? failure.error : preview.error;
  const violations = (error instanceof ApiError ? error.violations : []).filter((one) => isSent || one.type !== 'missing');
  const errors = placed(violations, NAMES);
  const filterErrors = violations.filter((one) => one.loc[0] === 'filter');
  const filterError = filterErrors.length ? new ApiError(422, `The filter ${filterErrors[0]!.message}.`, undefined, filterErrors) : undefined;
  const others = failure?.body === signature ? [...errors.other, ...(violations.length ? [] : [failure.error.message])] : [];
  useEffect(() => {
    if (failure) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [failure]);

  const create = async (): Promise<void> => {
    const dates = incompleteDates(new FormData(form.current!));
    if (dates.length) {
      setIncomplete(dates);
      form.current!.querySelector<HTMLElement>(`#${dates[0]}`)!.focus();
      return;
    }
    setBusy(true);
    setSent(true);
    try {
      const created = await post('/api/v1/bulk-exports', { body });
      toast(state.kind === 'schedule' ? 'The schedule was created' : 'The export was created');
      navigate(exportHref(created.id));
    } catch (failed) {
      setFailure({ body: signature, error: failed as Error });
      setBusy(false);
    }
  };
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const preset = (from: string, to: string): void => {
    // New fields, because an incomplete one would stay if its value is the same as before.
    setPresets((number) => number + 1);
    change({ from, to });
  };
  const lastDays = (days: number): void => preset(new Date(today - days * DAY_MS).toISOString().replace('.000', ''), new Date(today).toISOString().replace('.000', ''));
  const dateErrors = (name: string): readonly string[] | undefined => (incomplete.includes(name) ? ['Enter a complete date and time.'] : errors.fields[name]);

  return (
    <Page title="New export" crumbs={[{ label: 'Exports', href: exportsHref() }]} subtitle="Writes the runs of a project to a bucket as Parquet files.">
      {unread && <ErrorState error={unread.error!} retry={unread.reload} />}
      <div class="export-form">
        <form
          ref={form}
          class="card stack form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <div class="form-grid">
            <Field label="Project" name="session_id" errors={errors.fields['session_id']} hint={projects.data && projects.data.total > PROJECTS ? `The first ${PROJECTS} of ${count(projects.data.total)} projects by name; "Export these" of a project selects it here.` : undefined}>
              {(attributes) => (
                <select class="field" {...attributes} value={state.project} onChange={(event) => change({ project: event.currentTarget.value })}>
                  <option value="">Choose a project</option>
                  {!isListed && <option value={state.project}>{names.get(state.project) ?? shortId(state.project)}</option>}
                  {projects.data?.items.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.name.slice(0, 100)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field
              label="Destination"
              name="bulk_export_destination_id"
              errors={errors.fields['bulk_export_destination_id']}
              hint={destinations.data?.items.length === 0 ? <>There is no destination yet: <a href={`${destinationsHref()}?form=new`}>create one</a>.</> : undefined}
            >
              {(attributes) => (
                <select class="field" {...attributes} value={destination} onChange={(event) => change({ destination: event.currentTarget.value })}>
                  <option value="">Choose a destination</option>
                  {destinations.data?.items.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.display_name.slice(0, 80)} ({bucketOf(one).slice(0, 80)})
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <fieldset class="choices">
            <legend class="label">Runs of</legend>
            <div class="row wrap">
              {(['range', 'schedule'] as const).map((kind) => (
                <label key={kind} class="row choice">
                  <input type="radio" name="kind" value={kind} checked={state.kind === kind} onChange={() => change({ kind })} />
                  {kind === 'range' ? 'a time range, once' : 'every window, on a schedule'}
                </label>
              ))}
            </div>
          </fieldset>
          <div class="form-grid" key={presets}>
            <DateField label={state.kind === 'range' ? 'From (UTC)' : 'First window starts (UTC)'} name="start_time" errors={dateErrors('start_time')} value={range.start} onChange={(from) => change({ from, to: state.kind === 'range' ? range.end : state.to })} />
            {state.kind === 'range' ? (
              <DateField label="To (UTC, exclusive)" name="end_time" errors={dateErrors('end_time')} value={range.end} onChange={(to) => change({ from: range.start, to })} />
            ) : (
              <Field label="Length of a window" name="interval_hours" errors={errors.fields['interval_hours']} hint="Each window is exported 10 minutes after its end, by an export of its own.">
                {(attributes) => (
                  <select class="field" {...attributes} value={state.every} onChange={(event) => change({ every: event.currentTarget.value })}>
                    {[...new Set([...INTERVALS, state.every])].map((hours) => (
                      <option key={hours} value={hours}>
                        {everyText(Number(hours))}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )}
          </div>
          {state.kind === 'range' && (
            <div class="row wrap presets">
              {[1, 7, 30].map((days) => (
                <button key={days} class="chip" type="button" onClick={() => lastDays(days)}>
                  {days === 1 ? 'Yesterday' : `Last ${days} days`}
                </button>
              ))}
              <button class="chip" type="button" onClick={() => preset(ALL_TIME, '')}>
                All until now
              </button>
            </div>
          )}
          <div class="form-field wide">
            <span class="label">Filter (all runs without one)</span>
            <FilterBar value={state.filter} onApply={(filter) => change({ filter })} error={filterError} appliesOnBlur />
            <p class="field-hint">It selects single runs, also those below the roots of traces; add eq(is_root, true) for roots only.</p>
          </div>
          <div class="form-grid">
            <Field label="Columns and types" name="format_version" errors={errors.fields['format_version']} hint={state.version === 'v1' ? 'All columns are texts, as in the format of LangSmith.' : 'Numbers, times and lists have their own types.'}>
              {(attributes) => (
                <select class="field" {...attributes} value={state.version} onChange={(event) => change({ version: event.currentTarget.value as 'v1' })}>
                  <option value="v2_beta">Parquet v2_beta, typed columns</option>
                  <option value="v1">Parquet v1, text columns</option>
                </select>
              )}
            </Field>
            <Field label="Compression" name="compression" errors={errors.fields['compression']}>
              {(attributes) => (
                <select class="field" {...attributes} value={state.compression} onChange={(event) => change({ compression: event.currentTarget.value as 'gzip' })}>
                  <option value="zstandard">zstandard (smallest)</option>
                  <option value="gzip">gzip</option>
                  <option value="snappy">snappy</option>
                  <option value="none">none</option>
                </select>
              )}
            </Field>
          </div>
          <Columns chosen={state.fields} errors={errors.fields['export_fields']} onChange={(fields) => change({ fields })} />
          {others.length > 0 && (
            <p class="error-text" role="alert">
              {others.join(' ')}
            </p>
          )}
          <div class="row form-foot">
            <a class="button" href={exportsHref()}>
              Cancel
            </a>
            <button class="button primary" type="submit" disabled={isBusy}>
              {isBusy ? 'Creating …' : state.kind === 'schedule' ? 'Create the schedule' : 'Create the export'}
            </button>
          </div>
        </form>
        <PreviewPanel preview={preview} isReady={state.project !== ''} isSchedule={state.kind === 'schedule'} />
      </div>
    </Page>
  );
}
