import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address, environment, launch, open, root, sample, signIn } from './console';

/** docs/screenshots has copies of some of them, which CONTRIBUTING.md explains. */
const TARGET = resolve(root, 'console/target/screenshots');
const WIDTHS = [390, 1280, 1920];

let browser: Browser;
let paths: Record<string, { path: string; ready: string }>;

beforeAll(async () => {
  mkdirSync(TARGET, { recursive: true });
  browser = await launch();
  const { dataset, project, trace } = await sample();
  const workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  paths = {
    home: { path: workspace, ready: '.card table' },
    projects: { path: `${workspace}/projects`, ready: '.grid-body .list-link' },
    project: { path: `${workspace}/projects/${project.id}`, ready: '.grid-body .run-name' },
    trace: { path: `${workspace}/traces/${trace}`, ready: '.run-body .message, .run-body .json' },
    datasets: { path: `${workspace}/datasets`, ready: '.grid-body .list-link' },
    dataset: { path: `${workspace}/datasets/${dataset.id}`, ready: '.experiments .table' },
    compare: { path: `${workspace}/datasets/${dataset.id}/compare`, ready: '.grid-body .clamp' },
    'sign-in': { path: '/sign-in', ready: '#api-key' },
  };
});

afterAll(() => browser.close());

it.each(['light', 'dark'] as const)('pages have no horizontal scroll bar, %s', async (theme) => {
  for (const width of WIDTHS) {
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
