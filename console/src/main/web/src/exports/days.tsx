import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { absolute, bytes, count, DASH } from '../ui/format';
import { Empty, Loading, Pending } from '../ui/states';
import { attemptErrors, cellOfRun, isActive } from './model';
import { POLL_MS, useRefresh } from './parts';
import { Strip } from './strip';
import type { Export, ExportRun } from './types';

/** The days of an export: a strip, the same as a table, and the errors of all attempts. */
export function Days({ one, selected, onSelect }: { one: Export; selected: string; onSelect: (id: string) => void }) {
  const runs = useQuery(`export runs ${workspace.value} ${one.id} ${one.updated_at}`, (signal) => get('/api/v1/bulk-exports/{export_id}/runs', { path: { export_id: one.id }, signal }) as Promise<ExportRun[]>, { changes: { types: ['export'] }, keepPrevious: true });
  useRefresh(runs, isActive(one), POLL_MS);
  if (!runs.data) {
    return <Pending query={runs} what="the days" />;
  }
  if (runs.data.length === 0) {
    return isActive(one) ? <Loading what="the days" rows={3} /> : <Empty title="This export has no days">The project has no runs in this range.</Empty>;
  }
  const errors = attemptErrors(runs.data);
  return (
    <>
      <Strip cells={runs.data.map(cellOfRun)} unit="day" selected={selected} onSelect={onSelect} />
      {errors.length > 0 && (
        <section class="card part">
          <h2>Failed attempts</h2>
          <div class="table-scroll">
            <table class="table cards">
              <thead>
                <tr>
                  <th>Day (UTC)</th>
                  <th class="end">Attempt</th>
                  <th>Error</th>
                  <th class="end">At</th>
                </tr>
              </thead>
              <tbody>
                {errors.map((error) => (
                  <tr key={error.id}>
                    <td class="nowrap">{error.day}</td>
                    <td class="end" data-name="Attempt">{count(error.attempt)}</td>
                    <td class="whole">
                      <span class="badge error">{error.code}</span> <span class="text-content">{error.message}</span>
                    </td>
                    <td class="end muted nowrap">{error.at ? absolute(error.at) : DASH}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      <Truncated runs={runs.data} />
    </>
  );
}

function Truncated({ runs }: { runs: readonly ExportRun[] }) {
  const rows = runs.reduce((sum, run) => sum + (run.metadata?.result?.truncated_rows ?? 0), 0);
  const written = runs.reduce((sum, run) => sum + (run.metadata?.result?.bytes_written ?? 0), 0);
  return rows > 0 ? (
    <p class="muted">
      {count(rows)} rows were too large: their longest texts are replaced by size and SHA-256. The files have {bytes(written)}.
    </p>
  ) : null;
}
