import { useState } from 'preact/hooks';
import { getList, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { bytes, count, DASH } from '../ui/format';
import { Empty, Pending } from '../ui/states';
import { When } from '../ui/when';
import { exportHref } from './links';
import { isSchedule, counts } from './model';
import { Bar, useRefresh } from './parts';
import { ReceiptCard } from './receipt';
import type { Export, Verification, VerificationResult } from './types';

const SHOWN = 10;
const POLL_MS = 1_000;

const isUnfinished = (one: Verification): boolean => one.status === 'Created' || one.status === 'Running';

/** Compares the bucket with the export: start, progress, result and receipt. */
export function Verify({ one }: { one: Export }) {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const list = useQuery(
    isSchedule(one) ? null : `verifications ${workspace.value} ${one.id}`,
    (signal) => getList('/api/v1/bulk-exports/{export_id}/verifications', { path: { export_id: one.id }, query: { limit: SHOWN }, signal }) as unknown as Promise<{ items: Verification[]; total: number }>,
    { changes: { types: ['export'] } },
  );
  const newest = list.data?.items[0];
  const isRunning = newest !== undefined && isUnfinished(newest);
  useRefresh(list, isRunning, POLL_MS);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await post('/api/v1/bulk-exports/{export_id}/verify', { path: { export_id: one.id } });
      list.reload();
    } catch (failure) {
      setError(failure as Error);
    }
    setBusy(false);
  };
  if (isSchedule(one)) {
    return <NoFiles schedule={one.id} />;
  }
  if (one.status !== 'Completed') {
    return <Empty title="Only completed exports can be verified">The manifest, against which the bucket is compared, is written last.</Empty>;
  }
  if (!list.data) {
    return <Pending query={list} what="the verifications" />;
  }
  return (
    <>
      <section class="card part">
        <div class="row wrap strip-head">
          <p class="grow muted">Reads every file in the bucket once, compares size, SHA-256 and rows with the export and its manifest, and searches its folder for other objects. An intact export gets a signed receipt.</p>
          <button class="button primary" type="button" disabled={isBusy || isRunning} onClick={() => void start()}>
            {isRunning ? 'Verifying …' : newest ? 'Verify again' : 'Verify'}
          </button>
        </div>
        {error && (
          <p class="error-text" role="alert">
            {error.message}
          </p>
        )}
        {newest && isRunning && (
          <div role="status">
            <Bar label="Verified files" value={newest.progress.files_checked} total={newest.progress.files_total} unit="files" /> <span class="muted">{bytes(newest.progress.bytes_checked)} of {bytes(newest.progress.bytes_total)} read</span>
          </div>
        )}
        {newest?.status === 'Failed' && (
          <div class="notice failed">
            <p>
              <strong>The objects could not be read</strong>, which says nothing about them: {newest.error?.message}
            </p>
          </div>
        )}
        {newest?.result && <Result result={newest.result} at={newest.finished_at} />}
      </section>
      {newest?.receipt && <ReceiptCard receipt={newest.receipt} verification={newest} />}
      {list.data.items.length > 1 && <Earlier items={list.data.items.slice(1)} />}
    </>
  );
}

function NoFiles({ schedule }: { schedule: string }) {
  return (
    <Empty title="Verify the export of a window">
      <p>A schedule has no files of its own: each of its windows has an export, which has this tab, too.</p>
      <div class="row">
        <a class="button" href={exportHref(schedule)}>
          Open the windows
        </a>
      </div>
    </Empty>
  );
}

function Result({ result, at }: { result: VerificationResult; at: string | null }) {
  return (
    <>
      <p class={`verdict ${result.intact ? 'better' : 'error-text'}`} role="status">
        {result.intact ? '✓ Intact: every row is in the bucket as it was written' : `✕ Not intact: ${count(result.mismatches_total)} ${result.mismatches_total === 1 ? 'object differs' : 'objects differ'}`}
        {at && (
          <span class="muted">
            {' · '}
            <When time={at} />
          </span>
        )}
      </p>
      <table class="table counts">
        <thead>
          <tr>
            <th>Rows</th>
            <th class="end">Number</th>
            <th>
              <span class="visually-hidden">Comparison</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {counts(result).map((row, index) => (
            <tr key={row.name}>
              <th scope="row">
                {row.name} <span class="muted">{row.what}</span>
              </th>
              <td class="end">{row.rows === null ? DASH : count(row.rows)}</td>
              <td class={row.agrees ? 'better' : 'error-text'}>{index === 0 ? '' : row.agrees ? '= equal' : row.rows === null ? '✕ unknown' : `✕ ${count(Math.abs(row.rows - result.rows_counted))} ${row.rows < result.rows_counted ? 'fewer' : 'more'}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!result.objects_listed && <p class="muted">The credentials do not permit listing, so the bucket was not searched for other objects.</p>}
      {result.mismatches.length > 0 && (
        <div class="table-scroll">
          <table class="table cards">
            <thead>
              <tr>
                <th>Object</th>
                <th>Difference</th>
                <th class="end">Expected</th>
                <th class="end">Found</th>
              </tr>
            </thead>
            <tbody>
              {result.mismatches.map((one) => (
                <tr key={`${one.path} ${one.kind}`}>
                  <td class="whole">
                    <code class="text-content">{one.path}</code>
                  </td>
                  <td class="whole">
                    <span class="badge error">{one.kind === 'unexpected' ? 'added' : one.kind}</span> {one.message}
                  </td>
                  <td class="end" data-name="Expected" title={one.expected_sha256 ?? undefined}>{one.expected_bytes === null || one.expected_bytes === undefined ? DASH : bytes(one.expected_bytes)}</td>
                  <td class="end" data-name="Found" title={one.actual_sha256 ?? undefined}>{one.actual_bytes === null || one.actual_bytes === undefined ? DASH : bytes(one.actual_bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {result.mismatches_total > result.mismatches.length && <p class="muted">The first {count(result.mismatches.length)} are shown.</p>}
    </>
  );
}

function Earlier({ items }: { items: readonly Verification[] }) {
  return (
    <section class="card part">
      <h2>Earlier verifications</h2>
      <table class="table">
        <tbody>
          {items.map((one) => (
            <tr key={one.id}>
              <td class="nowrap">
                <When time={one.created_at} />
              </td>
              <td>{one.result ? (one.result.intact ? <span class="better">✓ intact</span> : <span class="error-text">✕ {count(one.result.mismatches_total)} differ</span>) : <span class="muted">{one.error?.message ?? one.status}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
