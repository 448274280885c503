import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address, environment, launch, open, optional, sample } from './console';

/** Sign-in at an identity provider, at a console that has one; the provider decides by the name of the account. */

let browser: Browser;
let path = '';
/** Only ./verify starts one. */
const issuer = optional('WAYBILL_ISSUER') ?? '';

beforeAll(async () => {
  browser = await launch();
  path = `/w/${environment('WAYBILL_TENANT_ID')}/projects/${(await sample()).project.id}?scope=runs&order=start`;
});

afterAll(() => browser.close());

/** The forms of the provider load fonts from another host. */
async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.route((url) => ![new URL(address).hostname, new URL(issuer).hostname].includes(url.hostname), (route) => route.abort());
  return context;
}

/** Without the requests of the provider's own pages. */
const unexpected = (problems: readonly string[]): string[] => problems.filter((one) => !one.startsWith(`request to ${issuer}`) && !one.startsWith('request to https://fonts.'));

/** Signs in at the provider: the account, then its consent. */
async function signInAs(page: Page, user: string): Promise<void> {
  await page.getByRole('link', { name: 'single sign-on' }).click();
  await page.waitForURL(`${issuer}/**`);
  await page.fill('[name=login]', user);
  await page.fill('[name=password]', 'any');
  await page.click('[type=submit]');
  await page.waitForURL((url) => url.origin !== issuer || url.pathname.includes('/interaction/'));
  if (page.url().startsWith(issuer)) {
    await page.waitForSelector('[name=login]', { state: 'detached' });
    await page.click('[type=submit]');
  }
}

describe.skipIf(!issuer)('at a provider', () => {
  it('the button signs in and comes back to the same address', async () => {
    const context = await newContext();
    const { page, problems } = await open(context, path);
    await signInAs(page, 'alice');
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(address + path);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }))).not.toMatch(/eyJ/);
    expect(unexpected(problems)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForSelector('#api-key');
    await page.goto(address + path);
    await page.waitForSelector('#api-key');
    await context.close();
  });

  it('an account without a workspace is told why', async () => {
    const context = await newContext();
    const { page } = await open(context, path);
    await signInAs(page, 'nobody');
    await page.waitForSelector('[role=alert]');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(await page.textContent('[role=alert]')).toContain('does not accept your access token');
    await page.fill('#api-key', environment('WAYBILL_API_KEY'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(address + path);
    await context.close();
  });

  it('a session that ends with its token comes back after signing in again', async () => {
    const context = await newContext();
    const { page } = await open(context, path);
    await signInAs(page, 'brief');
    await page.waitForSelector('.grid-body .run-name');
    await expect.poll(() => page.keyboard.press('r').then(() => page.getByRole('link', { name: 'single sign-on' }).count()), { interval: 1_000, timeout: 60_000 }).toBe(1);
    await page.getByRole('link', { name: 'single sign-on' }).click();
    await page.waitForSelector('.grid-body .run-name');
    expect(page.url()).toBe(address + path);
    await context.close();
  });
});

it('a console without a provider has no button', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route('**/session/options', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"single_sign_on": false}' }));
  await page.goto(`${address}/sign-in`);
  await page.waitForSelector('#api-key');
  await page.waitForTimeout(500);
  expect(await page.getByRole('link', { name: 'single sign-on' }).count()).toBe(0);
  await context.close();
});
