// Installs the packages of the lock file, unless they are installed already: every build calls this.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const lock = resolve(web, 'package-lock.json');
const installed = resolve(web, 'node_modules/.installed-lock.json');

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
  execFileSync('npm', ['ci', '--include=dev', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: web, stdio: 'inherit' });
  copyFileSync(lock, installed);
}
