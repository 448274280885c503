import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, environment, launch, open, root, signIn } from './console';

/** Each reason for which a deployment fails: the page has the cause in one sentence, and its line of the log one click away. */

interface Failure {
  /** Files of the repository; null if it does not exist. */
  readonly files: Readonly<Record<string, string>> | null;
  readonly config?: Readonly<Record<string, string>>;
  readonly ref?: string;
  readonly status: 'CREATE_FAILED' | 'BUILD_FAILED' | 'DEPLOY_FAILED';
  /** What the cause on the page says. */
  readonly cause: RegExp;
  /** What the log says where the link of the cause leads to. */
  readonly line: RegExp;
}

const graphs = (agent: unknown): string => JSON.stringify({ graphs: { agent } });
const program = (text: string): Record<string, string> => ({ 'langgraph.json': graphs({ command: ['node', 'agent.mjs'] }), 'agent.mjs': text });

const FAILURES: Readonly<Record<string, Failure>> = {
  'a missing repository': { files: null, status: 'CREATE_FAILED', cause: /There is no git repository at/, line: /There is no git repository at/ },
  'a missing branch': { files: program(''), ref: 'release', status: 'BUILD_FAILED', cause: /no branch or tag "release"/, line: /no branch or tag "release"/ },
  'a missing configuration': { files: { 'README.md': 'Nothing to serve.' }, status: 'BUILD_FAILED', cause: /no configuration file "langgraph.json"/, line: /no configuration file/ },
  'malformed configuration': { files: { 'langgraph.json': '{\n  "graphs": {,}\n}' }, status: 'BUILD_FAILED', cause: /not well-formed JSON \(line 2/, line: /not well-formed JSON/ },
  'no graph': { files: { 'langgraph.json': '{"graphs": {}}' }, status: 'BUILD_FAILED', cause: /graphs/, line: /graphs/ },
  'a missing file of a graph': { files: { 'langgraph.json': graphs('./agent.mjs:graph') }, status: 'BUILD_FAILED', cause: /names "\.\/agent\.mjs", which does not exist/, line: /which does not exist/ },
  'a graph outside of the repository': { files: { 'langgraph.json': graphs('../agent.mjs:graph') }, status: 'BUILD_FAILED', cause: /\.\.\/agent\.mjs/, line: /\.\.\/agent\.mjs/ },
  'a missing program': { files: { 'langgraph.json': graphs({ command: ['no-such-program'] }) }, status: 'BUILD_FAILED', cause: /no such program on the PATH/, line: /no such program/ },
  'a missing dependency': { files: { 'langgraph.json': JSON.stringify({ dependencies: ['./missing'], graphs: { agent: { command: ['node', 'agent.mjs'] } } }), 'agent.mjs': '' }, status: 'BUILD_FAILED', cause: /missing/, line: /missing/ },
  'a failed installation': { files: program(''), config: { install_command: "echo 'no such package: left-pad' >&2; exit 1" }, status: 'BUILD_FAILED', cause: /ended with exit code 1/, line: /no such package: left-pad/ },
  'a failed build': { files: program(''), config: { build_command: "echo 'agent.ts(3,7): error TS2322' >&2; exit 2" }, status: 'BUILD_FAILED', cause: /ended with exit code 2/, line: /TS2322/ },
  'a module that throws': { files: { 'langgraph.json': graphs('./agent.mjs:graph'), 'agent.mjs': "throw new Error('the model is not configured');" }, status: 'DEPLOY_FAILED', cause: /agent/, line: /the model is not configured|agent/ },
  'a missing export': { files: { 'langgraph.json': graphs('./agent.mjs:graph'), 'agent.mjs': 'export const other = 1;' }, status: 'DEPLOY_FAILED', cause: /graph/, line: /graph/ },
  'a program that ends': { files: program("console.error('cannot reach the vector store'); process.exit(3);"), status: 'DEPLOY_FAILED', cause: /agent/, line: /cannot reach the vector store|exit code 3/ },
  'a missing file of variables': { files: { 'langgraph.json': JSON.stringify({ env: './.env.production', graphs: { agent: { command: ['node', 'agent.mjs'] } } }), 'agent.mjs': '' }, status: 'BUILD_FAILED', cause: /\.env\.production/, line: /\.env\.production/ },
};

/** Failures whose advice is to change a setting of the deployment. */
const OF_SETTINGS = ['a missing branch', 'a missing configuration', 'a missing program'];
const TARGET = resolve(root, 'console/target/screenshots/failures');
const NAME = `failing-${Date.now().toString(36)}`;
let browser: Browser;
let context: BrowserContext;
let folder = '';
let base = '';
const ids: Record<string, string> = {};

const slug = (name: string): string => name.replaceAll(' ', '-');

function git(...arguments_: string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main', ...arguments_], { stdio: 'pipe' });
}

function createRepository(name: string, files: Readonly<Record<string, string>>): void {
  const work = join(folder, 'work', name);
  git('init', '-q', work);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    writeFileSync(join(work, file), text);
  }
  git('-C', work, 'add', '.');
  git('-C', work, 'commit', '-q', '-m', `Break it by ${name}`);
  git('clone', '-q', '--bare', work, join(folder, `${name}.git`));
}

beforeAll(async () => {
  mkdirSync(TARGET, { recursive: true });
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  base = `/w/${environment('WAYBILL_TENANT_ID')}/deployments`;
  folder = mkdtempSync(join(tmpdir(), 'failures-'));
  const integration = (await api('CONTROL_PLANE', '/v1/integrations/repohost/install', { installation_id: Date.now(), name: NAME, base_url: `file://${folder}`, provider: 'other' })).id;
  for (const [name, { files, config, ref }] of Object.entries(FAILURES)) {
    if (files) {
      createRepository(slug(name), files);
    }
    const deployment = await api('CONTROL_PLANE', '/v2/deployments', {
      name: `${NAME}-${slug(name)}`.slice(0, 60),
      source: 'repohost',
      integration_id: integration,
      source_config: { repo_url: `file://${folder}/${slug(name)}.git`, ...config },
      source_revision_config: { repo_ref: ref ?? 'main' },
    });
    ids[name] = deployment.id;
  }
});

afterAll(async () => {
  await browser.close();
  for (const id of Object.values(ids)) {
    await api('CONTROL_PLANE', `/v2/deployments/${id}`, undefined, { method: 'DELETE' });
  }
  rmSync(folder, { recursive: true });
});

it.each(Object.entries(FAILURES))('%s is understood from the page', async (name, { status, cause, line }) => {
  const { page, problems } = await open(context, `${base}/${ids[name]}`);
  await page.locator('.timeline .reason.bad').waitFor({ timeout: 100_000 });
  const revision = (await api('CONTROL_PLANE', `/v2/deployments/${ids[name]}/revisions?limit=1`)).resources[0];
  expect(revision.status).toBe(status);
  const reason = await page.locator('.timeline .reason').innerText();
  expect(reason).toMatch(cause);
  expect(reason).not.toMatch(/repo_url|repo_ref|langgraph_config_path|install_command|build_command/);
  expect(await page.getByRole('link', { name: 'Open the settings' }).count()).toBe(OF_SETTINGS.includes(name) ? 1 : 0);
  await page.locator('.timeline').screenshot({ path: join(TARGET, `${slug(name)}.png`) });
  await page.getByRole('link', { name: 'Show the line in the log' }).click();
  const marked = page.locator('.log-line.cause');
  await marked.waitFor();
  expect(await marked.innerText()).toMatch(line);
  expect(problems).toEqual([]);
  await page.close();
});
