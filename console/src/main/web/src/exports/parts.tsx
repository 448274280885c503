import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { getList, workspace } from '../api/client';
import { useQuery, type Query } from '../api/query';
import { session } from '../app/session';
import { count } from '../ui/format';
import { labelOf, share, toneOf, type Status } from './model';
import type { Destination, Progress } from './types';
import '../projects/projects.css';
import './exports.css';

/** How often a running export is read. */
export const POLL_MS = 2_000;

/** Changes of destinations need this role; members may read and export. */
export const isAdmin = (): boolean => session.value?.role === 'admin';

export function StatusBadge({ status }: { status: Status }) {
  return (
    <span class={`status ${toneOf(status)}`}>
      <span class="dot" />
      {labelOf(status)}
    </span>
  );
}

/** A bar with its numbers as text. */
export function Bar({ label, value, total, unit }: { label: string; value: number; total: number; unit: string }) {
  const part = total > 0 ? Math.min(1, value / total) : 0;
  return (
    <span class="progress">
      <span class="progress-track" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={total} aria-valuenow={value} aria-valuetext={`${count(value)} of ${count(total)} ${unit}`}>
        <span class="progress-part" style={{ width: `${part * 100}%` }} />
      </span>
      <span class="muted nowrap">
        {count(value)} of {count(total)} {unit}
      </span>
    </span>
  );
}

export function ExportBar({ progress }: { progress: Progress | null }) {
  return share(progress) === null ? <span class="faint">not started</span> : <Bar label="Progress" value={progress!.runs_completed} total={progress!.runs_total} unit={progress!.runs_total === 1 ? 'day' : 'days'} />;
}

/** Reads a query again after the delay, as long as it is active and the page is visible. */
export function useRefresh(query: Query<unknown>, isActive: boolean, delay: number): void {
  useEffect(() => {
    if (!isActive || query.loading) {
      return;
    }
    const timer = setInterval(() => !document.hidden && query.reload(), delay);
    return () => clearInterval(timer);
  }, [isActive, query.loading, delay]);
}

export function useDestinations(): Query<{ items: Destination[]; total: number }> {
  return useQuery(`destinations ${workspace.value}`, (signal) => getList('/api/v1/bulk-exports/destinations', { signal }) as Promise<{ items: Destination[]; total: number }>);
}

/** The names of projects; those of up to 100 ids. */
export function useProjectNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort().slice(0, 100);
  const found = useQuery(wanted.length ? `project names ${workspace.value} ${wanted.join()}` : null, (signal) => getList('/api/v1/sessions', { query: { id: wanted, limit: 100 }, signal }), { keepPrevious: true });
  return new Map((found.data?.items ?? []).map((one) => [one.id, one.name]));
}

export const shortId = (id: string): string => id.slice(-12);

export const bucketOf = (one: Destination): string => `s3://${one.config.bucket_name}${one.config.prefix ? `/${one.config.prefix}` : ''}`;

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly errors?: readonly string[] | undefined;
  readonly hint?: ComponentChildren;
  readonly isWide?: boolean;
  /** The control gets these attributes, which connect it with its error and hint. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

export interface FieldAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

/** A labelled control with the errors of the service below it. */
export function Field({ label, name, errors = [], hint, isWide, children }: FieldProps) {
  const described = [errors.length ? `${name}-error` : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div class={`form-field ${isWide ? 'wide' : ''}`}>
      <label class="label" for={name}>
        {label}
      </label>
      {children({ id: name, name, 'aria-invalid': errors.length > 0, ...(described ? { 'aria-describedby': described } : {}) })}
      {errors.length > 0 && (
        <p class="field-error" id={`${name}-error`}>
          {errors.join('; ')}
        </p>
      )}
      {hint && (
        <p class="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Pages({ page, total, size, onPage }: { page: number; total: number; size: number; onPage: (page: number) => void }) {
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav class="row" aria-label="Pages">
      <button class="button" type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span class="muted">
        {count((page - 1) * size + 1)} to {count(Math.min(total, page * size))} of {count(total)}
      </span>
      <button class="button" type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
