import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { account, address, api, environment, launch, open, otherAccount, signIn, type Account, type Call } from './console';
import { expectHarmless, HOSTILE, hostile } from './harmless';
import { child, root, send, type SentRun } from './sent';

/** Texts, names, sizes and structures of an attacker, on every page and at two widths. */

const START = Date.now() - 3_600_000;
const MAX_NAME = 255;
const MAX_KEY = 180;
const LONG = 10_000;
/** Name of destinations, keys, integrations and deployments, whose API rejects overrides of the writing direction. */
const NAME = hostile(200).replaceAll('\u202E', '');
const LEVELS = 200;
const ROWS = 12;
const WIDTHS = [1280, 390];

let browser: Browser;
let own: Account;
const contexts = new Map<number, BrowserContext>();
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const ids = { project: '', dataset: '', experiments: [] as string[], example: '', exported: '', deployment: '', integration: '' };

const session = `${START} ${hostile(LONG - 40)}`;
/** Messages, with a class of the page as a role. */
const talk = root(session, START, 900, {
  name: hostile(LONG),
  run_type: 'llm',
  error: hostile(LONG),
  tags: [HOSTILE, hostile(LONG), 'last'],
  extra: { metadata: { [HOSTILE]: HOSTILE, [hostile(LONG)]: hostile(LONG), thread_id: hostile(LONG) } },
  events: [{ name: HOSTILE, time: new Date(START).toISOString(), kwargs: { [HOSTILE]: HOSTILE } }],
  inputs: {
    messages: [
      { role: 'visually-hidden', content: 'a role that is a class' },
      { role: hostile(LONG), content: hostile(LONG) },
      { role: 'user', content: [{ type: 'text', text: HOSTILE }, { type: 'image_url', image_url: { url: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hostile=5"/>')}` } }, { type: 'image_url', image_url: { url: 'https://example.com/x.png' } }, { type: HOSTILE, [HOSTILE]: HOSTILE }] },
      { role: 'assistant', content: '', tool_calls: [{ id: HOSTILE, function: { name: hostile(LONG), arguments: hostile(LONG) } }] },
      { role: 'tool', tool_call_id: HOSTILE, content: hostile(LONG) },
    ],
  },
  outputs: { choices: [{ message: { role: 'assistant', content: HOSTILE } }] },
});
const other = child(talk, 10, 500, { name: HOSTILE, run_type: 'tool', inputs: { [hostile(LONG)]: HOSTILE, [HOSTILE]: deep(LEVELS - 2) }, outputs: { big: hostile(5_000_000), list: Array.from({ length: 5_000 }, () => HOSTILE) } });

function deep(levels: number): unknown {
  return levels === 0 ? HOSTILE : { [levels % 2 ? 'nested' : HOSTILE]: deep(levels - 1) };
}

/** A chain of runs, each the child of the one before. */
function chain(first: SentRun, levels: number): SentRun[] {
  const runs = [first];
  while (runs.length < levels) {
    runs.push(child(runs.at(-1)!, 1, 900, { name: `${runs.length} ${HOSTILE}` }));
  }
  return runs;
}

const levels = chain(root(session, START - 60_000, 900, { name: 'levels' }), LEVELS);

beforeAll(async () => {
  browser = await launch();
  own = otherAccount() ?? account();
  const call = { key: own.key };
  await send([talk, other], call);
  await send(levels, call);
  const project = (await api('EXPERIMENT', `/api/v1/runs/${talk.id}`, undefined, call)).session_id;
  const comparison = { name: `${START} ${hostile(MAX_NAME - 20)}`, description: hostile(LONG) };
  const rows = Array.from({ length: ROWS }, () => randomUUID());
  for (const experiment of [0, 1]) {
    const uploaded = await api(
      'EXPERIMENT',
      '/api/v1/datasets/upload-experiment',
      {
        experiment_name: `${experiment} ${hostile(MAX_NAME - 20)}`,
        experiment_description: comparison.description,
        dataset_name: comparison.name,
        dataset_description: comparison.description,
        experiment_metadata: { [HOSTILE]: HOSTILE },
        experiment_start_time: new Date(START).toISOString(),
        experiment_end_time: new Date(START + 60_000).toISOString(),
        summary_experiment_scores: [{ key: HOSTILE.slice(0, MAX_KEY), score: experiment }],
        results: rows.map((id, index) => ({
          row_id: id,
          run_name: hostile(LONG),
          inputs: index % 2 ? { [hostile(LONG)]: hostile(LONG), [HOSTILE]: deep(LEVELS - 30) } : { question: hostile(LONG) },
          expected_outputs: { answer: HOSTILE, [HOSTILE]: HOSTILE },
          actual_outputs: { answer: `${experiment} ${HOSTILE}`, [HOSTILE]: HOSTILE, other: 1 },
          ...(index % 3 === 0 ? { error: hostile(LONG) } : {}),
          start_time: new Date(START).toISOString(),
          end_time: new Date(START + 1_000).toISOString(),
          run_metadata: { [HOSTILE]: HOSTILE },
          evaluation_scores: [
            { key: HOSTILE.slice(0, MAX_KEY - 1), score: (index + experiment * 3) % 4, comment: hostile(LONG) },
            { key: `other ${HOSTILE.slice(0, MAX_KEY - 30)}`, score: index % 2 ? experiment : 0 },
            { key: 'label', value: HOSTILE, comment: HOSTILE },
          ],
        })),
      },
      call,
    );
    ids.dataset = uploaded.dataset.id;
    ids.experiments.push(uploaded.experiment.id);
  }
  ids.project = project;
  ids.example = rows[1]!;
  for (const key of [HOSTILE.slice(0, MAX_KEY), 'K'.repeat(MAX_KEY)]) {
    await api('EXPERIMENT', '/api/v1/feedback', { run_id: talk.id, key, score: 0.5, comment: hostile(LONG), feedback_source: { type: HOSTILE } }, call);
  }
  await api('EXPERIMENT', '/api/v1/feedback', { run_id: talk.id, key: 'label', value: hostile(LONG) }, call);
  await createExport(call);
  await createDeployment(call);
  await api('CONTROL_PLANE', '/v1/api-keys', { name: NAME, workspace_id: own.workspace }, call);
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    await signIn(context, own.key);
    contexts.set(width, context);
  }
}, 180_000);

/** An export of the hostile project to a hostile destination. */
async function createExport(call: Call): Promise<void> {
  const destination = await api(
    'EXPORT',
    '/api/v1/bulk-exports/destinations',
    {
      destination_type: 's3',
      display_name: NAME,
      config: { bucket_name: environment('WAYBILL_S3_BUCKET'), prefix: `hostile/${START}`, endpoint_url: environment('WAYBILL_S3_ENDPOINT') },
      credentials: { access_key_id: environment('WAYBILL_S3_ACCESS_KEY_ID'), secret_access_key: environment('WAYBILL_S3_SECRET_ACCESS_KEY') },
    },
    call,
  );
  const day = new Date(START).toISOString().slice(0, 10);
  ids.exported = (await api('EXPORT', '/api/v1/bulk-exports', { bulk_export_destination_id: destination.id, session_id: ids.project, start_time: `${day}T00:00:00Z`, end_time: new Date(START + 60_000).toISOString(), filter: `neq(name, ${JSON.stringify(NAME)})`, format_version: 'v2_beta' }, call)).id;
}

/** A deployment whose commit, configuration and build log are hostile. It fails. */
async function createDeployment(call: Call): Promise<void> {
  const git = (...parts: string[]): void => void execFileSync('git', ['-c', `user.name=${HOSTILE}`, '-c', 'user.email=ada@example.com', ...parts], { stdio: 'pipe' });
  const work = join(folder, 'work');
  git('init', '-q', '-b', 'main', work);
  writeFileSync(join(work, 'langgraph.json'), JSON.stringify({ graphs: { agent: { command: ['sh', 'missing.sh'] } } }));
  writeFileSync(join(work, 'log.txt'), `${HOSTILE}\n${hostile(LONG)}\n`.repeat(20));
  git('-C', work, 'add', '.');
  git('-C', work, 'commit', '-q', '-m', `${HOSTILE}\n\n${hostile(LONG)}`);
  git('clone', '-q', '--bare', work, join(folder, 'agent.git'));
  ids.integration = (await api('CONTROL_PLANE', '/v1/integrations/repohost/install', { installation_id: START, name: NAME, base_url: `file://${folder}`, provider: 'other' }, call)).id;
  const created = await api(
    'CONTROL_PLANE',
    '/v2/deployments',
    {
      name: `hostile-${START}`,
      display_name: NAME,
      source: 'repohost',
      source_config: { integration_id: ids.integration, repo_url: `file://${folder}/agent.git`, install_command: 'cat log.txt' },
      source_revision_config: { repo_ref: 'main' },
    },
    call,
  );
  ids.deployment = created.id;
  await vi.waitFor(async () => expect((await api('CONTROL_PLANE', `/v2/deployments/${ids.deployment}/revisions`, undefined, call)).resources[0].status).toMatch(/FAILED/), { timeout: 90_000, interval: 500 });
}

afterAll(async () => {
  await browser.close();
  if (ids.deployment) {
    await api('CONTROL_PLANE', `/v2/deployments/${ids.deployment}`, undefined, { key: own.key, method: 'DELETE' });
  }
  rmSync(folder, { recursive: true });
});

const encoded = encodeURIComponent(HOSTILE);
const columns = 'name,type,input,output,feedback,tags,thread,latency,first_token,tokens,token_parts,cost,start,id';
const PAGES: Readonly<Record<string, () => { path: string; ready: string }>> = {
  home: () => ({ path: '', ready: '.card table' }),
  projects: () => ({ path: '/projects', ready: '.list-link' }),
  'projects by name': () => ({ path: `/projects?q=${encoded}`, ready: '.list-link, .state' }),
  project: () => ({ path: `/projects/${ids.project}`, ready: '.run-name' }),
  'project with all columns': () => ({ path: `/projects/${ids.project}?columns=${columns}`, ready: '.run-name' }),
  'project with all runs': () => ({ path: `/projects/${ids.project}?scope=runs&columns=${columns}`, ready: '.run-name' }),
  'project with a filter': () => ({ path: `/projects/${ids.project}?filter=${encoded}`, ready: '.filter-error' }),
  'project with unknown parameters': () => ({ path: `/projects/${ids.project}?from=${encoded}&columns=${encoded}&order=${encoded}`, ready: '[role=alert]' }),
  messages: () => ({ path: `/traces/${talk.id}?run=${talk.id}&tab=messages`, ready: 'article.message' }),
  'inputs and outputs': () => ({ path: `/traces/${talk.id}?run=${talk.id}&tab=io`, ready: '.run-body .json' }),
  metadata: () => ({ path: `/traces/${talk.id}?run=${talk.id}&tab=metadata`, ready: '.run-body .json' }),
  feedback: () => ({ path: `/traces/${talk.id}?run=${talk.id}&tab=feedback`, ready: '.run-body .table' }),
  raw: () => ({ path: `/traces/${talk.id}?run=${talk.id}&tab=raw`, ready: '.run-body .json' }),
  'values of 5 MB': () => ({ path: `/traces/${talk.id}?run=${other.id}&tab=io`, ready: '.run-body .json' }),
  'search in a trace': () => ({ path: `/traces/${talk.id}?q=${encoded}`, ready: '.tree-row, .state' }),
  'levels of runs': () => ({ path: `/traces/${levels[0]!.id}?run=${levels.at(-1)!.id}`, ready: '.tree-row[aria-selected=true]' }),
  datasets: () => ({ path: '/datasets', ready: '.list-link' }),
  'datasets by name': () => ({ path: `/datasets?q=${encoded}`, ready: '.list-link, .state' }),
  dataset: () => ({ path: `/datasets/${ids.dataset}`, ready: '.experiments .table' }),
  examples: () => ({ path: `/datasets/${ids.dataset}?tab=examples`, ready: '.clamp' }),
  example: () => ({ path: `/datasets/${ids.dataset}/examples/${ids.example}`, ready: '.badges' }),
  comparison: () => ({ path: `/datasets/${ids.dataset}/compare?base=${ids.experiments[0]}&with=${ids.experiments[1]}&charts=shown`, ready: '.grid-body .clamp' }),
  'compared example': () => ({ path: `/datasets/${ids.dataset}/compare?base=${ids.experiments[0]}&with=${ids.experiments[1]}&row=${ids.example}`, ready: '.panel .output' }),
  'comparison with unknown parameters': () => ({ path: `/datasets/${ids.dataset}/compare?base=${encoded}&with=${encoded}1&key=${encoded}&range=${encoded}`, ready: '[role=alert]' }),
  exports: () => ({ path: '/exports', ready: '.grid-body .list-link' }),
  'exports with unknown parameters': () => ({ path: `/exports?status=${encoded}&project=${encoded}`, ready: '.state, .list-link' }),
  ...Object.fromEntries(['days', 'files', 'read', 'verify'].map((tab) => [`${tab} of an export`, () => ({ path: `/exports/${ids.exported}?tab=${tab}`, ready: '[role=tabpanel], .tabs' })])),
  'new export': () => ({ path: `/exports/new?project=${ids.project}&filter=${encoded}`, ready: 'form' }),
  destinations: () => ({ path: '/exports/destinations', ready: 'article' }),
  deployments: () => ({ path: '/deployments', ready: '.grid-body .list-link' }),
  'deployments by name': () => ({ path: `/deployments?q=${encoded}`, ready: '.state, .list-link' }),
  revisions: () => ({ path: `/deployments/${ids.deployment}`, ready: '.timeline' }),
  'log of a build': () => ({ path: `/deployments/${ids.deployment}?tab=log&phase=build`, ready: '.log-line' }),
  'search in a log': () => ({ path: `/deployments/${ids.deployment}?tab=log&phase=build&q=${encodeURIComponent('7*7')}`, ready: '.log-line mark' }),
  'settings of a deployment': () => ({ path: `/deployments/${ids.deployment}?tab=settings`, ready: '.deployment-settings' }),
  'new deployment': () => ({ path: '/deployments/new', ready: 'form' }),
  'chat without an application': () => ({ path: `/deployments/${ids.deployment}/try`, ready: 'main' }),
  keys: () => ({ path: '/settings?tab=keys', ready: '.settings .table' }),
  integrations: () => ({ path: `/settings?tab=integrations&integration=${ids.integration}`, ready: '.settings .table' }),
  'unknown page': () => ({ path: `/${encoded}`, ready: '.state' }),
};

describe.each(WIDTHS)('at %i pixels', (width) => {
  it.each(Object.keys(PAGES))('%s shows texts only', async (name) => {
    const { path, ready } = PAGES[name]!();
    const watched = await open(contexts.get(width)!, `/w/${own.workspace}${path}`);
    await watched.page.waitForSelector(ready, { state: 'attached' });
    await watched.page.waitForTimeout(400);
    await expectHarmless(watched, name);
    await watched.page.close();
  });
});

it.each([`?return=${encodeURIComponent('javascript:window.hostile=6')}`, `?return=${encodeURIComponent('//example.com/')}`, `?error=${encoded}`])('the sign-in page ignores %s', async (query) => {
  const context = await browser.newContext();
  const watched = await open(context, `/sign-in${query}`);
  await watched.page.fill('#api-key', own.key);
  await expectHarmless(watched, query);
  await watched.page.keyboard.press('Enter');
  await watched.page.waitForSelector('.sidebar');
  expect(watched.page.url().startsWith(`${address}/w/`)).toBe(true);
  await expectHarmless(watched, query);
  await context.close();
});

it('classes of the page as roles hide nothing', async () => {
  const { page } = await open(contexts.get(1280)!, `/w/${own.workspace}/traces/${talk.id}?run=${talk.id}&tab=messages`);
  await page.waitForSelector('article.message');
  expect(await page.locator('.visually-hidden:has-text("a role that is a class")').count()).toBe(0);
  await page.close();
});

it('texts are shown as they are', async () => {
  const { page } = await open(contexts.get(1280)!, `/w/${own.workspace}/traces/${talk.id}?run=${talk.id}&tab=messages`);
  await page.waitForSelector('article.message');
  for (const selector of ['h1', '.error-box', 'article.message .text-content', '.call pre']) {
    expect(await page.locator(selector).filter({ hasText: '<img src=x onerror="window.hostile=1"><script>' }).count(), selector).toBeGreaterThan(0);
  }
  await page.close();
});

it('200 levels of a value are opened by a search', async () => {
  const watched = await open(contexts.get(1280)!, `/w/${own.workspace}/traces/${talk.id}?run=${other.id}&tab=io`);
  const { page } = watched;
  await page.getByLabel('Search in Inputs').fill('7*7');
  await page.waitForFunction((count) => document.querySelectorAll('.json')[0]!.querySelectorAll('.json-row').length >= count, LEVELS - 1);
  await expectHarmless(watched, 'all levels');
  await page.close();
});

it('5 MB are shown in full on request', async () => {
  const watched = await open(contexts.get(1280)!, `/w/${own.workspace}/traces/${talk.id}?run=${other.id}&tab=io`);
  const { page } = watched;
  const rest = page.getByRole('group', { name: 'Outputs' }).getByRole('button', { name: /show 4,99\d,\d{3} more characters/ });
  await rest.click();
  await page.waitForFunction(() => [...document.querySelectorAll('.json-string')].some((one) => one.textContent!.length >= 5_000_000));
  await expectHarmless(watched, 'all characters');
  await page.close();
});

it('feedback with a hostile comment is added and edited', async () => {
  const run = root(`${START} feedback`, START, 10, { name: 'with feedback' });
  await send([run], { key: own.key });
  const watched = await open(contexts.get(1280)!, `/w/${own.workspace}/traces/${run.id}?tab=feedback`);
  const { page } = watched;
  await page.fill('[name=key]', HOSTILE.slice(0, MAX_KEY));
  await page.fill('[name=comment]', HOSTILE);
  await page.fill('[name=score]', '0.25');
  await page.keyboard.press('Enter');
  await page.waitForSelector('td:has-text("0.25")');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.fill('[name=score]', '0.75');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForSelector('td:has-text("0.75")');
  await expectHarmless(watched, 'feedback');
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.waitForSelector('text=No feedback on this run yet.');
  await expectHarmless(watched, 'deleted feedback');
  await page.close();
});
