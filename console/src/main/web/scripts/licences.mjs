// Lists the packages whose code the pages contain, with their licences, and fails for a licence that is not allowed:
// target/licences/NPM.txt, and with the texts licences.txt beside the pages.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Those of the root pom.xml that npm packages use.
const ALLOWED = new Set(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0']);
const web = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = resolve(web, '../../../target');

const { packages } = JSON.parse(readFileSync(resolve(web, 'package-lock.json'), 'utf8'));
const shipped = Object.entries(packages)
  .filter(([path, entry]) => path !== '' && !entry.dev && !entry.optional)
  .map(([path]) => {
    const folder = resolve(web, path);
    const { name, version, license } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return { name, version, licence: license ?? 'unknown', text: file ? readFileSync(resolve(folder, file), 'utf8').trim() : '' };
  });

const list = shipped.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
mkdirSync(resolve(target, 'licences'), { recursive: true });
writeFileSync(resolve(target, 'licences/NPM.txt'), `${list.join('\n')}\n`);
const texts = shipped.map((one, index) => `${list[index]}\n\n${one.text}\n`).join(`\n${'-'.repeat(80)}\n\n`);
writeFileSync(resolve(target, 'classes/META-INF/resources/licences.txt'), `Libraries in the pages of the Waybill console.\n\n${texts}`);

const rejected = shipped.filter(({ licence }) => !ALLOWED.has(licence));
if (rejected.length > 0 || shipped.length === 0) {
  console.error(`licences: not allowed: ${rejected.map(({ name, licence }) => `${name} (${licence})`).join(', ') || 'no packages'}`);
  process.exitCode = 1;
}
