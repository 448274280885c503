import { getList, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { CopyButton, copyText } from '../ui/copy';
import { bytes, count, plural } from '../ui/format';
import { Icon } from '../ui/icons';
import { Empty, Pending } from '../ui/states';
import { exportHref } from './links';
import { isActive, isSchedule, utc } from './model';
import { Pages, shortId, useRefresh } from './parts';
import type { Export, ExportedFile } from './types';

const PAGE = 100;
const POLL_MS = 5_000;

/** The part of an object key that tells the files of an export apart. */
export function shortPath(path: string): string {
  const at = path.indexOf('year=');
  return at > 0 ? path.slice(at) : path;
}

export function Files({ one, page, onPage }: { one: Export; page: number; onPage: (page: number) => void }) {
  const files = useQuery(
    `export files ${workspace.value} ${one.id} ${page}`,
    (signal) => getList('/api/v1/bulk-exports/{export_id}/files', { path: { export_id: one.id }, query: { limit: PAGE, offset: (page - 1) * PAGE }, signal }) as Promise<{ items: ExportedFile[]; total: number }>,
    { changes: { types: ['export'] }, keepPrevious: true },
  );
  useRefresh(files, isActive(one), POLL_MS);
  if (!files.data) {
    return <Pending query={files} what="the files" />;
  }
  const { items, total } = files.data;
  if (items.length === 0) {
    return <Empty title={isActive(one) ? 'No files yet' : 'No files'}>{isActive(one) ? 'Files appear when a day is completed.' : 'No run matched, so no file was written.'}</Empty>;
  }
  return (
    <section class="card part">
      <div class="row wrap strip-head">
        <h2 class="grow">
          {plural(total, 'file')}
        </h2>
        <CopyButton label={total > items.length ? 'Copy the shown as sha256sum' : 'Copy as sha256sum'} done="The list was copied; sha256sum -c reads it" text={items.map((file) => `${file.sha256}  ${file.path}\n`).join('')} />
      </div>
      <div class="table-scroll">
        <table class="table cards files">
          <thead>
            <tr>
              <th>File</th>
              <th class="end">Rows</th>
              <th class="end">Size</th>
              <th>First and last run (UTC)</th>
              <th>SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {items.map((file) => (
              <tr key={file.path}>
                <td class="whole">
                  <span class="row">
                    <code class="ellipsis" title={file.path}>
                      {shortPath(file.path)}
                    </code>
                    <CopyIcon text={file.path} label={`Copy the key of ${shortPath(file.path)}`} />
                    {isSchedule(one) && <a href={exportHref(file.bulk_export_id)}>{shortId(file.bulk_export_id)}</a>}
                  </span>
                </td>
                <td class="end" data-name="Rows">
                  {count(file.rows)}
                </td>
                <td class="end" data-name="Size">{bytes(file.bytes)}</td>
                <td class="muted nowrap whole">
                  {utc(file.min_start_time)} to {utc(file.max_start_time).slice(11)}
                </td>
                <td class="whole">
                  <span class="row">
                    <code title={file.sha256}>{file.sha256.slice(0, 12)}…</code>
                    <CopyIcon text={file.sha256} label={`Copy the SHA-256 of ${shortPath(file.path)}`} />
                    {!file.size_verified && (
                      <span class="badge" title="The credentials do not permit reading, so the size was not compared after writing.">
                        size not verified
                      </span>
                    )}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > PAGE && <Pages page={page} total={total} size={PAGE} onPage={onPage} />}
    </section>
  );
}

function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <button class="button quiet icon" type="button" aria-label={label} title={label} onClick={() => void copyText(text)}>
      <Icon name="copy" size={14} />
    </button>
  );
}
