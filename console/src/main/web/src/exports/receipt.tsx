import { CopyButton } from '../ui/copy';
import { Icon } from '../ui/icons';
import type { Receipt, Verification } from './types';

const CHECK = `jq -j .receipt.payload verification.json > payload.json
jq -r .receipt.signature verification.json | base64 -d > payload.sig
curl -sS --fail-with-body "\${WAYBILL_EXPORT_URL:?must be the address of export-service}/api/v1/bulk-exports/receipt-keys/$(jq -r .tenant_id payload.json)" |
  jq -r --arg id "$(jq -r .receipt.key_id verification.json)" '.[] | select(.id == $id).public_key' > key.pem
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in payload.json -sigfile payload.sig
jq -r '.files[] | .sha256 + "  " + .path' "$(jq -r .manifest payload.json)" > files.sha256
echo "$(jq -r .files_sha256 payload.json)  files.sha256" | sha256sum -c && sha256sum -c files.sha256`;

/** The members of the signed statement; empty if it is no JSON object. */
export function statement(receipt: Receipt): readonly (readonly [string, string])[] {
  try {
    const parsed: unknown = JSON.parse(receipt.payload);
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const) : [];
  } catch {
    return [];
  }
}

function download(verification: Verification): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(verification, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'verification.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** The signed statement of an intact export, and how a third party checks it. */
export function ReceiptCard({ receipt, verification }: { receipt: Receipt; verification: Verification }) {
  return (
    <section class="card part receipt">
      <div class="row wrap strip-head">
        <h2 class="grow">Signed receipt</h2>
        <CopyButton label="Copy" done="The receipt was copied" text={JSON.stringify(receipt, null, 2)} />
        <button class="button" type="button" onClick={() => download(verification)}>
          <Icon name="download" size={14} />
          Download
        </button>
      </div>
      <dl class="receipt-facts">
        {statement(receipt).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono text-content">{value}</dd>
          </div>
        ))}
        <div>
          <dt>signature ({receipt.algorithm})</dt>
          <dd class="mono text-content">{receipt.signature}</dd>
        </div>
      </dl>
      <details class="chart-data">
        <summary>How to check it and the files</summary>
        <p class="muted">The commands need curl, jq, sha256sum and OpenSSL 3. Download the receipt as verification.json into a copy of the bucket: the last two lines compare its files with files_sha256. WAYBILL_EXPORT_URL is the address of export-service (after ./quickstart: source .waybill/env). The public keys of a workspace need no API key; compare the key once with the owner of the workspace.</p>
        <pre class="code" tabIndex={0}>
          {CHECK}
        </pre>
        <CopyButton label="Copy the commands" text={CHECK} />
      </details>
    </section>
  );
}
