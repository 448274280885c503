import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, sample, signIn } from './console';
import { exportOf } from './sent';

/** Pages of exports, deployments and settings while their data is read, without data, and after an error. */

interface Tested {
  readonly path: string;
  /** Requests for the data of the page. */
  readonly reads: string;
  readonly ready: string;
  /** The response without data; absent for pages of one resource. */
  readonly nothing?: unknown;
  /** What the page says without data. */
  readonly says?: string;
  /** A form is shown before its choices are read. */
  readonly isForm?: boolean;
}

const NAMES = ['exports', 'export', 'new export', 'destinations', 'deployments', 'deployment', 'new deployment', 'keys', 'integrations', 'notifications', 'workspaces', 'retention', 'audit', 'session'] as const;
const LISTS = NAMES.filter((name) => !['export', 'deployment', 'new deployment', 'session'].includes(name));

let browser: Browser;
let context: BrowserContext;
let workspace = '';
let rule = '';
let pages: Record<(typeof NAMES)[number], Tested>;

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  const exported = await exportOf((await sample()).project.id);
  const deployment = (await api('CONTROL_PLANE', '/v2/deployments?name=sample-application')).resources[0].id;
  rule = (await api('CONTROL_PLANE', '/v1/notification-rules', { name: `states ${Date.now()}`, events: ['export.failed'], webhook_url: 'https://hooks.example.com/waybill' })).id;
  const tab = (name: string, reads: string, nothing: unknown, says: string): Tested => ({ path: `/settings?tab=${name}`, reads, ready: '.settings .table', nothing, says });
  pages = {
    exports: { path: '/exports', reads: '**/bulk-exports?*', ready: '.grid-body .list-link', nothing: [], says: 'No exports yet' },
    export: { path: `/exports/${exported.id}`, reads: `**/bulk-exports/${exported.id}`, ready: '.tabs-line' },
    'new export': { path: '/exports/new', reads: '**/bulk-exports/destinations', ready: '#bulk_export_destination_id:has(option:nth-child(2))', nothing: [], says: 'There is no destination yet', isForm: true },
    destinations: { path: '/exports/destinations', reads: '**/bulk-exports/destinations', ready: '.destination', nothing: [], says: 'No destinations yet' },
    deployments: { path: '/deployments', reads: '**/v2/deployments?*', ready: '.grid-body .list-link', nothing: { resources: [] }, says: 'No deployments yet' },
    deployment: { path: `/deployments/${deployment}`, reads: `**/v2/deployments/${deployment}`, ready: '.timeline' },
    'new deployment': { path: '/deployments/new', reads: '**/v1/integrations/repohost/install', ready: '#field-integration:has(option:nth-child(2))', isForm: true },
    keys: tab('keys', '**/v1/api-keys?*', { resources: [] }, 'There is no API key'),
    integrations: tab('integrations', '**/v1/integrations/repohost/install', [], 'There is no integration'),
    notifications: tab('notifications', '**/v1/notification-rules', [], 'There is no notification rule'),
    workspaces: tab('workspaces', '**/v1/workspaces?*', { resources: [] }, 'There is no workspace'),
    retention: tab('retention', '**/api/v1/sessions?*', [], 'There is no such project'),
    audit: tab('audit', '**/v1/audit-events?*', { items: [], next_cursor: null }, 'Nothing was changed yet'),
    session: { path: '/settings?tab=session', reads: '**/v1/whoami', ready: '.facts dl' },
  };
});

afterEach(() => Promise.all(context.pages().map((page) => page.close())));

afterAll(async () => {
  await api('CONTROL_PLANE', `/v1/notification-rules/${rule}`, undefined, { method: 'DELETE' });
  await browser.close();
});

async function opened(tested: Tested, respond: (route: Route) => Promise<void>): Promise<{ page: Page; problems: string[] }> {
  const found = await open(context, '/gallery/states');
  await found.page.route(tested.reads, respond);
  await found.page.goto(address + workspace + tested.path);
  return found;
}

describe('while data is read', () => {
  it.each(NAMES)('%s says so', async (name) => {
    const tested = pages[name];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { page, problems } = await opened(tested, async (route) => {
      await released;
      await route.continue();
    });
    await page.locator(tested.isForm ? 'main form' : 'main [role=status]:has-text("Loading")').waitFor();
    expect(await page.locator('main [role=alert], main .state').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    release();
    await page.waitForSelector(tested.ready);
    // Parts of a page that read more after the first response may still say so.
    await page.locator('main [role=status]:has-text("Loading")').first().waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});

describe('without data', () => {
  it.each(LISTS)('%s explains what to do', async (name) => {
    const { says, nothing, ...tested } = pages[name];
    const { page, problems } = await opened(tested, (route) => route.fulfill({ json: nothing, headers: { 'X-Pagination-Total': '0' } }));
    await page.locator('main').getByText(says!).waitFor();
    expect(await page.locator('main [role=alert]').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('after an error', () => {
  it.each(NAMES)('%s can be read again', async (name) => {
    const tested = pages[name];
    let isBroken = true;
    const { page, problems } = await opened(tested, (route) => (isBroken ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ status: 500, detail: 'It failed.', request_id: 'request-7' }) }) : route.continue()));
    const alert = page.locator('main [role=alert]');
    await alert.waitFor();
    expect(await alert.count()).toBe(1);
    expect(await alert.innerText()).toContain('It failed.');
    expect(await alert.innerText()).toContain('request-7');
    expect(await violations(page)).toEqual([]);
    isBroken = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector(tested.ready);
    expect(await page.locator('main [role=alert]').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
