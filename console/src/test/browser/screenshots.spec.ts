import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address, api, environment, launch, open, root, sample, signIn } from './console';

/** docs/screenshots has copies of some of them, which CONTRIBUTING.md explains. */
const TARGET = resolve(root, 'console/target/screenshots');
/** Themes change no layout, so that the widest pages are shown in one. */
const WIDTHS = { light: [390, 1280, 1920], dark: [390, 1280] };

let browser: Browser;
let paths: Record<string, { path: string; ready: string }>;

beforeAll(async () => {
  mkdirSync(TARGET, { recursive: true });
  browser = await launch();
  const { dataset, project, trace } = await sample();
  const deployment = (await api('CONTROL_PLANE', '/v2/deployments?name=sample-application')).resources[0].id;
  const workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  paths = {
    home: { path: workspace, ready: '.card table' },
    projects: { path: `${workspace}/projects`, ready: '.grid-body .list-link' },
    project: { path: `${workspace}/projects/${project.id}`, ready: '.grid-body .run-name' },
    trace: { path: `${workspace}/traces/${trace}`, ready: '.run-body .message, .run-body .json' },
    datasets: { path: `${workspace}/datasets`, ready: '.grid-body .list-link' },
    dataset: { path: `${workspace}/datasets/${dataset.id}`, ready: '.experiments .table' },
    compare: { path: `${workspace}/datasets/${dataset.id}/compare`, ready: '.grid-body .clamp' },
    exports: { path: `${workspace}/exports`, ready: '.grid-body .list-link' },
    export: { path: `${workspace}/exports/${await exported(project.id)}`, ready: '.tabs' },
    'new-export': { path: `${workspace}/exports/new?project=${project.id}`, ready: 'form' },
    destinations: { path: `${workspace}/exports/destinations`, ready: 'article' },
    deployments: { path: `${workspace}/deployments`, ready: '.grid-body .list-link' },
    deployment: { path: `${workspace}/deployments/${deployment}`, ready: '.timeline .phase-bar' },
    log: { path: `${workspace}/deployments/${deployment}?tab=log&phase=build`, ready: '.log-line' },
    try: { path: `${workspace}/deployments/${deployment}/try`, ready: '.talk-input' },
    'new-deployment': { path: `${workspace}/deployments/new`, ready: 'form' },
    settings: { path: `${workspace}/settings`, ready: '.settings .table' },
    'sign-in': { path: '/sign-in', ready: '#api-key' },
  };
});

afterAll(() => browser.close());

/** The newest export; a new one where there is none, as without the tour of the quickstart. */
async function exported(project: string): Promise<string> {
  const [newest] = await api('EXPORT', '/api/v1/bulk-exports?limit=1');
  if (newest) {
    return newest.id;
  }
  const destination = await api('EXPORT', '/api/v1/bulk-exports/destinations', {
    destination_type: 's3',
    display_name: 'Screenshots',
    config: { bucket_name: environment('WAYBILL_S3_BUCKET'), prefix: 'screenshots', endpoint_url: environment('WAYBILL_S3_ENDPOINT') },
    credentials: { access_key_id: environment('WAYBILL_S3_ACCESS_KEY_ID'), secret_access_key: environment('WAYBILL_S3_SECRET_ACCESS_KEY') },
  });
  const today = new Date(Date.now()).toISOString().slice(0, 10);
  return (await api('EXPORT', '/api/v1/bulk-exports', { bulk_export_destination_id: destination.id, session_id: project, start_time: new Date(Date.parse(today) - 86_400_000).toISOString(), end_time: new Date(Date.parse(today)).toISOString() })).id;
}

it.each(['light', 'dark'] as const)('pages have no horizontal scroll bar, %s', async (theme) => {
  for (const width of WIDTHS[theme]) {
    const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 800 }, reducedMotion: 'reduce' });
    const anonymous = await browser.newContext({ colorScheme: theme, viewport: { width, height: 800 } });
    await signIn(context);
    for (const [name, { path, ready }] of Object.entries(paths)) {
      const { page, problems } = await open(name === 'sign-in' ? anonymous : context, path);
      await page.waitForSelector(ready);
      await page.waitForTimeout(500);
      await page.screenshot({ path: resolve(TARGET, `${name}-${width}-${theme}.png`) });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${name} at ${width} pixels of ${address}`).toBeLessThanOrEqual(0);
      expect(problems, name).toEqual([]);
      await page.close();
    }
    await context.close();
    await anonymous.close();
  }
});
