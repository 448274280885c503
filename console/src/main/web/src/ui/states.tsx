import type { ComponentChildren } from 'preact';
import { ApiError, isAway, unavailable } from '../api/client';
import type { Query } from '../api/query';
import { CopyButton } from './copy';

export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="skeleton" style={{ width: `${92 - ((index * 37) % 45)}%` }} />
      ))}
    </div>
  );
}

export function Loading({ what, rows = 6 }: { what: string; rows?: number }) {
  return (
    <div role="status">
      <span class="visually-hidden">Loading {what}</span>
      <Skeleton rows={rows} />
    </div>
  );
}

interface ErrorProps {
  readonly error: Error;
  readonly retry?: () => void;
  readonly back?: { readonly href: string; readonly label: string };
  /** Outside of the frame, whose banner reports services that do not respond. */
  readonly isAlone?: boolean;
}

export function ErrorState({ error, retry, back, isAlone = false }: ErrorProps) {
  if (!isAlone && unavailable.value !== null && isAway(error)) {
    return <Skeleton rows={4} />;
  }
  const api = error instanceof ApiError ? error : undefined;
  const title = api?.status === 404 ? 'Not found in this workspace' : api?.status === 403 ? 'This key may not do that' : 'This could not be loaded';
  return (
    <div class="state" role="alert">
      <h2>{title}</h2>
      <p class="text-content">{error.message}</p>
      {api?.requestId && <p class="faint mono">request {api.requestId}</p>}
      <div class="row">
        {retry && api?.status !== 404 && (
          <button class="button" type="button" onClick={retry}>
            Try again
          </button>
        )}
        {back && (
          <a class="button" href={back.href}>
            {back.label}
          </a>
        )}
      </div>
    </div>
  );
}

interface PendingProps extends Pick<ErrorProps, 'back'> {
  readonly query: Query<unknown>;
  readonly what: string;
  readonly rows?: number;
}

/** Shows that a query is being read, or its error. */
export function Pending({ query, what, rows = 6, ...back }: PendingProps) {
  return query.error ? <ErrorState error={query.error} retry={query.reload} {...back} /> : <Loading what={what} rows={rows} />;
}

export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
      {command && (
        <>
          <pre class="code" tabIndex={0}>
            {command}
          </pre>
          <div class="row">
            <CopyButton text={command} label="Copy the command" />
          </div>
        </>
      )}
    </div>
  );
}
