// Fails the build if a part of the application is larger than its budget (gzip).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET = { firstJs: 45_000, firstCss: 12_000, lazy: 40_000, all: 180_000 };
const web = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const output = resolve(web, '../../../target/classes/META-INF/resources');
const html = readFileSync(resolve(output, 'index.html'), 'utf8');
const assets = readdirSync(resolve(output, 'assets'))
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => ({ name, first: html.includes(name), size: gzipSync(readFileSync(resolve(output, 'assets', name)), { level: 9 }).length }))
  .sort((a, b) => Number(b.first) - Number(a.first) || b.size - a.size);

const sum = (list) => list.reduce((total, asset) => total + asset.size, 0);
const isJs = (asset) => asset.name.endsWith('.js');
const lazy = assets.filter((asset) => !asset.first);
const largest = lazy.filter(isJs).reduce((max, asset) => Math.max(max, asset.size), 0);
const checks = [
  ['first screen, JavaScript', sum(assets.filter((asset) => asset.first && isJs(asset))), BUDGET.firstJs],
  ['first screen, CSS', sum(assets.filter((asset) => asset.first && !isJs(asset))), BUDGET.firstCss],
  ['largest lazy part', largest, BUDGET.lazy],
  ['everything', sum(assets), BUDGET.all],
];

for (const asset of assets) {
  console.log(`${String(asset.size).padStart(8)}  ${asset.first ? 'first' : 'lazy '}  ${asset.name}`);
}
let failed = false;
for (const [what, size, limit] of checks) {
  console.log(`${what}: ${size} of ${limit} bytes (gzip)${size > limit ? ': TOO LARGE' : ''}`);
  failed ||= size > limit;
}
process.exitCode = failed ? 1 : 0;
