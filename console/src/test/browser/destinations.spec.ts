import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address, api, environment, launch, open, signIn } from './console';

/** Destinations of exports, in the bucket of the quickstart. */

const NAME = `destinations ${Date.now()}`;

let browser: Browser;
let context: BrowserContext;
let workspace = '';

const bucket = (prefix: string) => ({
  config: { bucket_name: environment('WAYBILL_S3_BUCKET'), prefix: `browser/${prefix}`, endpoint_url: environment('WAYBILL_S3_ENDPOINT') },
  credentials: { access_key_id: environment('WAYBILL_S3_ACCESS_KEY_ID'), secret_access_key: environment('WAYBILL_S3_SECRET_ACCESS_KEY') },
});

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
});

afterAll(() => browser.close());

const light = (path: string) => open(context, workspace + path);

describe('a destination', () => {
  const field = (page: Page, name: string) => page.locator(`dialog [name="${name}"]`);

  it('is created, tested, changed and deleted', async () => {
    const { config, credentials } = bucket('created');
    const { page, problems } = await light('/exports/destinations');
    await page.getByRole('button', { name: 'New destination' }).click();
    await field(page, 'display_name').fill(`${NAME} created`);
    await field(page, 'config.bucket_name').fill(config.bucket_name);
    await field(page, 'config.prefix').fill(config.prefix);
    await field(page, 'config.endpoint_url').fill(config.endpoint_url);
    await field(page, 'credentials.access_key_id').fill(credentials.access_key_id);
    await field(page, 'credentials.secret_access_key').fill('a-wrong-secret');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForSelector('dialog .probe-step.failed');
    expect(await page.locator('dialog .probe-step.failed').getAttribute('data-step')).toBe('signature');
    expect(await page.locator('dialog [role=alert]').innerText()).toContain('secret_access_key');
    await field(page, 'credentials.secret_access_key').fill(credentials.secret_access_key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog', { state: 'detached' });
    const card = page.getByRole('article', { name: `${NAME} created` });
    await card.waitFor();
    expect(await card.innerText()).toContain(`s3://${config.bucket_name}/${config.prefix}`);

    await card.getByRole('button', { name: 'Test' }).click();
    await card.locator('.notice.passed').waitFor();
    expect(await card.locator('.probe-step').count()).toBe(8);
    expect(await card.locator('.probe-step.failed').count()).toBe(0);

    await card.getByRole('button', { name: 'Replace credentials' }).click();
    expect(await field(page, 'credentials.secret_access_key').inputValue()).toBe('');
    expect(await field(page, 'config.bucket_name').count()).toBe(0);
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.waitForSelector('dialog .field-error');
    await field(page, 'credentials.access_key_id').fill(credentials.access_key_id);
    await field(page, 'credentials.secret_access_key').fill(credentials.secret_access_key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await page.content()).not.toContain(credentials.secret_access_key);

    await card.getByRole('button', { name: 'Delete' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has the errors of the service at its fields', async () => {
    const { page, problems } = await light('/exports/destinations?form=new');
    await field(page, 'config.bucket_name').fill('No Bucket');
    await field(page, 'config.prefix').fill('a//b');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForSelector('dialog .field-error');
    for (const name of ['display_name', 'config.bucket_name', 'config.prefix']) {
      expect(await field(page, name).getAttribute('aria-invalid'), name).toBe('true');
    }
    expect(await field(page, 'display_name').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('with a long address fits into the dialog that deletes it', async () => {
    const { id } = await api('EXPORT', '/api/v1/bulk-exports/destinations', { destination_type: 's3', display_name: `${NAME} long`, ...bucket('folder/'.repeat(12).slice(0, -1)) });
    const { page, problems } = await light('/exports/destinations');
    await page.locator('.destination', { hasText: `${NAME} long` }).getByRole('button', { name: 'Delete' }).click();
    await page.waitForSelector('dialog[open] code');
    expect(await page.locator('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
    await api('EXPORT', `/api/v1/bulk-exports/destinations/${id}`, undefined, { method: 'DELETE' });
  });

  it('is not offered for changes to members', async () => {
    const { page } = await light('/exports');
    await page.route('**/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), role: 'member' } });
    });
    await page.goto(`${address}${workspace}/exports/destinations`);
    await page.waitForSelector('.destination');
    expect(await page.getByRole('button', { name: /New destination|Test|Replace|Delete/ }).count()).toBe(0);
    await page.close();
  });
});
