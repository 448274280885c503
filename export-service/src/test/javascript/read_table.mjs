// Reads a workspace's table with Icebird, from the metadata file that the catalog names, and prints its sums in one line.
// Usage: node read_table.mjs METADATA_LOCATION; endpoint and credentials of the store are in the environment.
import {createHash, createHmac} from "node:crypto";
import {icebergManifests, icebergMetadata, icebergRead} from "icebird";

const {LAKE_S3_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY} = process.env;
const send = globalThis.fetch;

// Icebird reads public buckets of AWS: its requests are sent to the endpoint, with a signature.
globalThis.fetch = (address, init = {}) => {
  const {hostname, pathname} = new URL(address);
  const url = new URL(`${LAKE_S3_ENDPOINT}/${hostname.split(".")[0]}${pathname.replaceAll("=", "%3D")}`);
  const headers = new Headers(init.headers);
  sign(init.method ?? "GET", url).forEach(([name, value]) => headers.set(name, value));
  return send(url, {...init, headers});
};

function sign(method, url) {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${AWS_REGION}/s3/aws4_request`;
  const signed = "host;x-amz-content-sha256;x-amz-date";
  const request = [method, url.pathname, "", `host:${url.host}`, "x-amz-content-sha256:UNSIGNED-PAYLOAD",
    `x-amz-date:${time}`, "", signed, "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(request).digest("hex")].join("\n");
  const key = scope.split("/").reduce((secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${AWS_SECRET_ACCESS_KEY}`);
  const signature = createHmac("sha256", key).update(text).digest("hex");
  return [["x-amz-date", time], ["x-amz-content-sha256", "UNSIGNED-PAYLOAD"], ["authorization",
    `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${signed}, Signature=${signature}`]];
}

const [, tableUrl, metadataFileName] = process.argv[2].match(/^(.*)\/metadata\/([^/]+)$/);
const metadata = await icebergMetadata({tableUrl, metadataFileName});
const files = (await icebergManifests(metadata)).flatMap(manifest => manifest.entries).filter(entry => entry.status !== 2);
const rows = await icebergRead({tableUrl, metadata});
const sum = value => rows.reduce((total, row) => total + Number(value(row) ?? 0), 0);
console.log([files.length, rows.length, sum(row => row.total_tokens), sum(row => row.total_cost).toFixed(9),
  sum(row => row.inputs.length), sum(row => row.tags?.length), new Set(rows.map(row => row.session_id)).size,
  new Date(Math.min(...rows.map(row => row.start_time))).toISOString()].join("|"));
