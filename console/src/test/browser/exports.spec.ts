import { randomUUID, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, signIn } from './console';
import { root, send, sessionOf } from './sent';

/** Exports from the destination to the signed receipt, against the bucket of the quickstart. */

const DAY = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const NAME = `exports ${Date.now()}`;
/** Runs of a day, by the days before today. */
const RUNS: Readonly<Record<number, number>> = { 4: 3, 3: 2, 2: 1 };
const EXPORTS = '/api/v1/bulk-exports';
const RANGE = `from=${iso(TODAY - 5 * DAY)}&to=${iso(TODAY - DAY)}`;

let browser: Browser;
const contexts: Record<string, BrowserContext> = {};
let workspace = '';
let project = '';
let destination = '';
/** A completed export. */
let exported = '';

function iso(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

const bucket = (prefix: string) => ({
  destination_type: 's3',
  display_name: `${NAME} ${prefix}`,
  config: { bucket_name: environment('WAYBILL_S3_BUCKET'), prefix: `browser/${prefix}`, endpoint_url: environment('WAYBILL_S3_ENDPOINT') },
  credentials: { access_key_id: environment('WAYBILL_S3_ACCESS_KEY_ID'), secret_access_key: environment('WAYBILL_S3_SECRET_ACCESS_KEY') },
});

async function completed(id: string): Promise<void> {
  await vi.waitFor(async () => expect((await api('EXPORT', `${EXPORTS}/${id}`)).status).toBe('Completed'), { timeout: 60_000, interval: 500 });
}

beforeAll(async () => {
  browser = await launch();
  for (const theme of ['light', 'dark'] as const) {
    contexts[theme] = await browser.newContext({ colorScheme: theme, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    await signIn(contexts[theme]);
  }
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
  const runs = Object.entries(RUNS).flatMap(([days, count]) => Array.from({ length: count }, (_, index) => root(NAME, TODAY - Number(days) * DAY + index * 3_600_000, 1_000, { name: index === 0 ? 'first' : 'other' })));
  await send(runs);
  project = await sessionOf(NAME);
  destination = (await api('EXPORT', `${EXPORTS}/destinations`, bucket('prepared'))).id;
  exported = (await api('EXPORT', EXPORTS, { bulk_export_destination_id: destination, session_id: project, start_time: iso(TODAY - 5 * DAY), end_time: iso(TODAY - DAY), format_version: 'v2_beta' })).id;
  await completed(exported);
});

afterAll(() => browser.close());

const light = (path: string) => open(contexts['light']!, workspace + path);

describe('an export', () => {
  it('of a filtered project completes and is verified', async () => {
    const filter = 'eq(name, "first")';
    const { page, problems } = await light(`/projects/${project}?filter=${encodeURIComponent(filter)}`);
    await page.waitForSelector('.grid-body .run-name');
    await page.getByRole('link', { name: 'Export these' }).click();
    await page.waitForURL(/exports\/new/);
    const query = new URL(page.url()).searchParams;
    expect([query.get('project'), query.get('filter')]).toEqual([project, filter]);
    await page.selectOption('#bulk_export_destination_id', destination);
    await expect.poll(() => page.locator('.preview-figures dd').first().innerText(), { timeout: 30_000 }).toMatch(/^3\s/);
    await page.getByRole('button', { name: 'Create the export' }).click();
    await page.waitForURL((url) => /exports\/[0-9a-f-]{36}$/.test(url.pathname));
    const id = page.url().split('/').at(-1)!;
    await completed(id);
    await page.locator('.export-figures .status.done').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('.export-figures').innerText()).toMatch(/Rows\s+3/);
    expect((await api('EXPORT', `${EXPORTS}/${id}`)).filter).toBe(filter);

    await page.getByRole('tab', { name: 'Verify' }).click();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.waitForSelector('.verdict', { timeout: 60_000 });
    expect(await page.locator('.verdict').innerText()).toContain('Intact');
    expect(await page.locator('.counts td.end').allInnerTexts()).toEqual(['3', '3', '3', '3']);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const { receipt } = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'));
    const keys = await api('EXPORT', `${EXPORTS}/receipt-keys/${environment('WAYBILL_TENANT_ID')}`);
    const key = keys.find((one: { id: string }) => one.id === receipt.key_id).public_key;
    expect(verify(null, Buffer.from(receipt.payload), key, Buffer.from(receipt.signature, 'base64'))).toBe(true);
    expect(JSON.parse(receipt.payload)).toMatchObject({ bulk_export_id: id, rows: 3 });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows its days, files and snippets', async () => {
    const { page, problems } = await light(`/exports/${exported}`);
    await page.waitForSelector('.strip-cell');
    const runs = await api('EXPORT', `${EXPORTS}/${exported}/runs`);
    expect(await page.locator('.strip-cell').count()).toBe(runs.length);
    await page.locator('.strip-cell:not(.empty)').first().click();
    await page.waitForURL(/cell=/);
    expect(await page.locator('.strip-details').innerText()).toContain('3 rows');
    await page.getByText('As a table').click();
    expect(await page.locator('.part .table tbody tr').count()).toBe(runs.length);

    await page.getByRole('tab', { name: 'Files' }).click();
    await page.waitForSelector('.files tbody tr');
    const files = await api('EXPORT', `${EXPORTS}/${exported}/files`);
    expect(await page.locator('.files tbody tr').count()).toBe(files.length);
    expect(await page.locator('.files code[title]').evaluateAll((codes) => codes.map((code) => (code as HTMLElement).title))).toEqual(files.flatMap((file: { path: string; sha256: string }) => [file.path, file.sha256]));

    await page.getByRole('tab', { name: 'Read it' }).click();
    await page.waitForSelector('.snippet');
    const { snippets } = await api('EXPORT', `${EXPORTS}/${exported}/snippets`);
    await page.getByRole('tab', { name: 'ClickHouse' }).click();
    await page.waitForURL(/tool=clickhouse/);
    expect(await page.locator('.snippet').textContent()).toBe(snippets.find((one: { tool: string }) => one.tool === 'clickhouse').text);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('that differs from its bucket names the objects', async () => {
    const { page, problems } = await light('/exports');
    const mismatch = (kind: string) => ({ path: `a/${kind}.parquet`, kind, message: `The object is ${kind}.`, expected_bytes: 10, actual_bytes: null, expected_sha256: null, actual_sha256: null });
    const kinds = ['missing', 'truncated', 'changed', 'unexpected'];
    const result = { intact: false, rows_counted: 6, rows_encoded: 6, rows_in_files: 4, rows_in_manifest: null, objects_listed: true, mismatches_total: 4, mismatches: kinds.map(mismatch) };
    await page.route('**/verifications*', (route) => route.fulfill({ json: [{ id: randomUUID(), status: 'Completed', created_at: iso(TODAY), finished_at: iso(TODAY), progress: {}, result, error: null, receipt: null }] }));
    await page.goto(`${address}${workspace}/exports/${exported}?tab=verify`);
    await page.waitForSelector('.verdict.error-text');
    expect(await page.locator('.counts td:last-child').allInnerTexts()).toEqual(['', '= equal', '✕ 2 fewer', '✕ unknown']);
    expect(await page.locator('.badge.error').allInnerTexts()).toEqual(['missing', 'truncated', 'changed', 'added']);
    expect(await page.locator('.receipt').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is found by status, project and destination', async () => {
    const { page, problems } = await light(`/exports?project=${project}`);
    await page.waitForSelector('.grid-body .list-link');
    const own = (await api('EXPORT', `${EXPORTS}?window=false`)).filter((one: { session_id: string; status: string }) => one.session_id === project);
    expect(await page.locator('.grid-body .list-link').count()).toBe(own.length);
    await page.selectOption('[aria-label=Status]', 'Failed');
    await page.waitForURL(/status=Failed/);
    await page.waitForSelector('.state');
    await page.selectOption('[aria-label=Status]', 'Completed');
    await page.waitForSelector(`.grid-body a[href$="${exported}"]`);
    await page.selectOption('[aria-label=Destination]', destination);
    await page.waitForURL((url) => url.searchParams.get('destination') === destination);
    await page.reload();
    await page.waitForSelector(`.grid-body a[href$="${exported}"]`);
    expect(await page.locator('[aria-label=Destination]').inputValue()).toBe(destination);
    const matching = await api('EXPORT', `${EXPORTS}?window=false&status=Completed&session_id=${project}&destination_id=${destination}`);
    await expect.poll(() => page.locator('.grid-body .list-link').count()).toBe(matching.length);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a schedule', () => {
  it('shows its windows and is cancelled', async () => {
    const { page, problems } = await light(`/exports/new?project=${project}&destination=${destination}&kind=schedule&from=${iso(TODAY - 3 * DAY)}`);
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.waitForURL((url) => /exports\/[0-9a-f-]{36}$/.test(url.pathname));
    await page.waitForSelector('.strip-cell');
    expect(await page.locator('.strip-cell').count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('.export-figures').innerText()).toContain('Next window');
    await page.getByRole('tab', { name: 'Verify' }).click();
    await page.getByRole('link', { name: 'Open the windows' }).click();
    await page.locator('.strip-cell').first().click();
    await page.waitForSelector('.strip-details');
    await page.getByText('As a table').click();
    expect(await page.locator('tr:has(.status.waiting) [data-name=Attempts]').first().innerText()).toBe('–');
    await page.getByRole('button', { name: 'Cancel the schedule' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Cancel the schedule' }).click();
    await page.waitForSelector('.export-figures .status.off');
    await expect.poll(() => page.locator('#main').innerText()).not.toContain('pending');
    expect((await api('EXPORT', `${EXPORTS}/${page.url().split('/').at(-1)!.split('?')[0]}`)).status).toBe('Cancelled');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is one entry of the list, with its windows on request', async () => {
    const schedule = (await api('EXPORT', EXPORTS, { bulk_export_destination_id: destination, session_id: project, start_time: iso(TODAY - 4 * DAY), interval_hours: 24 })).id;
    const windows = (): Promise<{ bulk_export_id: string | null }[]> => api('EXPORT', `${EXPORTS}/${schedule}/windows`).then((all) => all.filter((one: { bulk_export_id: string | null }) => one.bulk_export_id));
    await vi.waitFor(async () => expect((await windows()).length).toBeGreaterThanOrEqual(3), { timeout: 60_000, interval: 500 });
    const window = (await windows())[0]!.bulk_export_id!;
    const { page, problems } = await light(`/exports?project=${project}&destination=${destination}`);
    await page.waitForSelector(`.grid-body a[href$="${schedule}"]`);
    expect(await page.locator(`.grid-body a[href$="${window}"]`).count()).toBe(0);
    await page.getByLabel('Exports created by schedules').check();
    await page.waitForSelector(`.grid-body a[href$="${window}"]`);
    await page.reload();
    await page.waitForSelector(`.grid-body a[href$="${window}"]`);
    await page.getByLabel('Exports created by schedules').uncheck();
    // The rows move until the list without windows is read.
    await page.waitForSelector(`.grid-body a[href$="${window}"]`, { state: 'detached' });
    await page.locator(`.grid-body a[href$="${schedule}"]`).click();
    await page.waitForURL((url) => url.pathname.endsWith(schedule));
    await page.waitForSelector(`a[href$="${window}"]`, { state: 'attached' });
    await api('EXPORT', `${EXPORTS}/${schedule}`, { status: 'Cancelled' }, { method: 'PATCH' });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('asks before it backfills late rows', async () => {
    const created = await api('EXPORT', EXPORTS, { bulk_export_destination_id: destination, session_id: project, start_time: iso(TODAY - 3 * DAY), interval_hours: 24 });
    const { page, problems } = await light('/exports');
    await page.route(`**/bulk-exports/${created.id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), late_rows: 7 } });
    });
    await page.route(`**/bulk-exports/${created.id}/windows*`, async (route) => {
      const response = await route.fetch();
      const windows = await response.json();
      await route.fulfill({ response, json: windows.map((window: { number: number }) => (window.number === 1 ? { ...window, late_rows: 7 } : window)) });
    });
    await page.goto(`${address}${workspace}/exports/${created.id}`);
    await page.locator('.notice').getByRole('button', { name: 'Backfill' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Backfill' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(created.id));
    const backfill = await api('EXPORT', `${EXPORTS}/${page.url().split('/').at(-1)}`);
    expect(Date.parse(backfill.start_time)).toBe(TODAY - 3 * DAY);
    expect(Date.parse(backfill.end_time)).toBe(TODAY - 2 * DAY);
    await api('EXPORT', `${EXPORTS}/${created.id}`, { status: 'Cancelled' }, { method: 'PATCH' });
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a new export', () => {
  it('marks the error of a filter', async () => {
    const { page, problems } = await light(`/exports/new?project=${project}&destination=${destination}&${RANGE}`);
    const input = page.getByRole('combobox', { name: 'Filter' });
    await input.fill('eq(nam, "first")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.filter-error pre');
    const [line, marker] = (await page.locator('.filter-error pre').innerText()).split('\n') as [string, string];
    expect(line.slice(marker.indexOf('^'))).toBe('nam, "first")');
    await page.getByRole('button', { name: 'Did you mean' }).click();
    await expect.poll(() => page.locator('.preview-figures dd').first().innerText(), { timeout: 30_000 }).toMatch(/^3\s/);
    expect(await page.locator('.filter-error').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('applies a filter that was typed without Enter', async () => {
    const { page } = await light(`/exports/new?project=${project}&destination=${destination}&${RANGE}`);
    await page.getByRole('combobox', { name: 'Filter' }).fill('eq(name, "other")');
    await page.getByRole('button', { name: 'Create the export' }).click();
    await page.waitForURL((url) => /exports\/[0-9a-f-]{36}$/.test(url.pathname));
    expect((await api('EXPORT', `${EXPORTS}/${page.url().split('/').at(-1)}`)).filter).toBe('eq(name, "other")');
    await page.close();
  });

  it('sends nothing with an incomplete date', async () => {
    const { page, problems } = await light(`/exports/new?project=${project}&destination=${destination}&${RANGE}`);
    const field = page.locator('#start_time');
    await expect.poll(() => page.locator('.preview-figures dd').first().innerText(), { timeout: 30_000 }).toMatch(/^6\s/);
    const url = page.url();
    await field.focus();
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Create the export' }).click();
    expect(await page.locator('#start_time-error').innerText()).toBe('Enter a complete date and time.');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe('');
    expect(page.url()).toBe(url);
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect.poll(() => field.inputValue()).toBe(iso(TODAY - 7 * DAY).slice(0, 16));
    expect(await page.locator('#start_time-error').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has the errors of the service at its fields', async () => {
    const { page, problems } = await light(`/exports/new?from=${iso(TODAY)}&to=2099-01-01T00:00:00Z&fields=id,bogus&destination=${destination}`);
    await page.getByRole('button', { name: 'Create the export' }).click();
    await page.waitForSelector('#session_id[aria-invalid=true]');
    expect(await page.locator('#session_id').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.locator('#end_time-error').innerText()).toContain('future');
    expect(await page.locator('.columns summary').innerText()).toContain('bogus');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('an id of no export', () => {
  it.each([randomUUID(), 'no-uuid'])('%s is explained, with a way back', async (id) => {
    const { page, problems } = await light(`/exports/${id}`);
    await page.locator('main [role=alert]').getByRole('link', { name: 'All exports' }).click();
    await page.waitForSelector('.grid-body .list-link');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('by keyboard alone', () => {
  it('a person opens an export and its files', async () => {
    const { page, problems } = await light('');
    await page.waitForSelector('.card');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForSelector('.grid-body .list-link');
    await page.locator('.grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/exports\/[0-9a-f-]{36}/);
    await page.locator('[role=tab][aria-selected=true]').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=files/);
    await page.goBack();
    await page.goBack();
    await page.waitForSelector('.grid-body .list-link');
    await page.keyboard.press('n');
    await page.waitForSelector('.export-form');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  const PAGES: Readonly<Record<string, { path: () => string; ready: string }>> = {
    list: { path: () => '/exports', ready: '.grid-body .list-link' },
    days: { path: () => `/exports/${exported}`, ready: '.strip-cell' },
    files: { path: () => `/exports/${exported}?tab=files`, ready: '.files tbody tr' },
    snippets: { path: () => `/exports/${exported}?tab=read`, ready: '.snippet' },
    verification: { path: () => `/exports/${exported}?tab=verify`, ready: '.part .button.primary' },
    form: { path: () => `/exports/new?project=${project}&destination=${destination}&${RANGE}&filter=eq(nam,1)`, ready: '.filter-error' },
    destinations: { path: () => '/exports/destinations', ready: '.destination' },
    'destination form': { path: () => '/exports/destinations?form=new', ready: 'dialog .form-grid' },
  };

  it.each(Object.keys(PAGES))('%s is accessible at both widths', async (name) => {
    const { path, ready } = PAGES[name]!;
    const { page, problems } = await open(contexts[theme]!, workspace + path());
    await page.waitForSelector(ready);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForSelector(ready);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
    await page.close();
  });
});
