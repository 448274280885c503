import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, signIn } from './console';

/** Try it: chats with the sample application of the quickstart, whose state is JSON, and with the one that asks for approval. */

const WITHIN = { timeout: 30_000 };

let browser: Browser;
let context: BrowserContext;
let base = '';
let sample = '';
let approval = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  base = `/w/${environment('WAYBILL_TENANT_ID')}/deployments`;
  const deployed = async (name: string): Promise<string> => (await api('CONTROL_PLANE', `/v2/deployments?name=${name}`)).resources[0].id;
  [sample, approval] = [await deployed('sample-application'), await deployed('approval-agent')];
});

afterAll(() => browser.close());

const threadOf = (page: Page): string | null => new URL(page.url()).searchParams.get('thread');

describe('a chat with the sample deployment', () => {
  it('streams an answer, shows its events and links its trace', async () => {
    const { page, problems } = await open(context, `${base}/${sample}/try`);
    await page.getByLabel('Message', { exact: true }).fill('echo this please');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.bubble:not(.own)').last().innerText()).toContain('echo this please');
    await page.locator('.raw-name', { hasText: 'end' }).waitFor();
    expect(await page.locator('.raw-name').first().innerText()).toBe('metadata');
    await page.getByRole('link', { name: 'Open the trace' }).click();
    await page.waitForSelector('.tree-row');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('remembers in a thread, and is forked before a message', async () => {
    const { page, problems } = await open(context, `${base}/${sample}/try`);
    const texts = () => page.locator('.bubble .text-content').allInnerTexts();
    const message = page.getByLabel('Message', { exact: true });
    const say = async (text: string, shown: readonly string[]): Promise<void> => {
      await message.fill(text);
      // Waits for the end of the run before.
      await page.getByRole('button', { name: 'Send' }).click();
      await expect.poll(texts, WITHIN).toEqual(shown);
    };
    await say('one', ['one', 'one']);
    await say('two', ['one', 'one', 'two', 'two']);
    const thread = threadOf(page);
    expect(thread).not.toBe(null);
    await page.reload();
    await expect.poll(texts, WITHIN).toEqual(['one', 'one', 'two', 'two']);
    await page.getByRole('button', { name: 'Edit' }).nth(1).click();
    await say('three', ['one', 'one', 'three', 'three']);
    expect(threadOf(page)).toBe(thread);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await say('four', ['four', 'four']);
    await expect.poll(() => threadOf(page)).not.toBe(thread);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows the newest message, unless a person scrolls up', async () => {
    const { page, problems } = await open(context, `${base}/${sample}/try`);
    await page.setViewportSize({ width: 390, height: 700 });
    const messages = page.locator('.talk-messages');
    const distance = (): Promise<number> => messages.evaluate((one) => Math.round(one.scrollHeight - one.scrollTop - one.clientHeight));
    const say = async (text: string): Promise<void> => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => page.locator('.bubble:not(.own) .text-content').last().innerText(), WITHIN).toBe(text);
      await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    };
    for (const word of ['first', 'second', 'third']) {
      await say(`${word} `.repeat(60).trim());
      await expect.poll(distance, WITHIN).toBeLessThan(60);
    }
    await messages.evaluate((one) => one.scrollTo({ top: 0 }));
    await say('fourth '.repeat(60).trim());
    expect(await distance()).toBeGreaterThan(60);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is cancelled, and reports an error of the next run', async () => {
    const { page, problems } = await open(context, `${base}/${sample}/try`);
    const message = page.getByLabel('Message', { exact: true });
    await message.fill('tokens:2000 delay:100');
    await page.keyboard.press('Enter');
    await page.locator('.bubble', { hasText: 'token-1' }).waitFor();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('The run was cancelled.').waitFor();
    const run = (await page.locator('.talk-messages .mono').innerText()).replace('run ', '');
    const status = async (): Promise<number | string> => {
      const response = await page.request.get(`${address}/run/${sample}/runs/${run}`, { headers: { 'X-Waybill-Console': '1' } });
      return response.ok() ? (await response.json()).status : response.status();
    };
    await expect.poll(status, { timeout: 30_000 }).not.toBe('running');
    await page.getByRole('button', { name: 'Start over' }).click();
    await message.fill('fail');
    await page.keyboard.press('Enter');
    await page.locator('.talk-messages [role=alert]', { hasText: 'asked to fail' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('takes JSON, and explains what is none', async () => {
    const { page, problems } = await open(context, `${base}/${sample}/try?mode=json`);
    const input = page.getByLabel('Input as JSON');
    await expect.poll(() => input.inputValue()).toContain('messages');
    await input.fill('{"messages": [');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The input is not valid JSON').waitFor();
    await input.fill('{"messages": [{"role": "user", "content": "from json"}]}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => page.locator('.bubble:not(.own)').last().innerText()).toContain('from json');
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('a chat with an application that stores threads', () => {
  it('remembers, asks for decisions, and is forked before a message', async () => {
    const { page, problems } = await open(context, `${base}/${approval}/try`);
    const message = page.getByLabel('Message', { exact: true });
    const texts = () => page.locator('.bubble .text-content').allInnerTexts();
    const say = async (text: string): Promise<void> => {
      await message.fill(text);
      // Waits for the end of the run before.
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.question').waitFor();
    };
    await say('first');
    expect(threadOf(page)).not.toBe(null);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await violations(page), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 380, height: 900 });
    expect(await page.locator('.question h3').evaluate((title) => [title.scrollWidth - title.clientWidth, title.clientHeight]), 'title in one line').toEqual([0, 18]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(texts, WITHIN).toEqual(['first', 'Sent: Draft 1: first']);
    await say('second');
    await page.reload();
    await page.getByRole('button', { name: 'Reject' }).click();
    await expect.poll(texts, WITHIN).toEqual(['first', 'Sent: Draft 1: first', 'second', 'Nothing was sent.']);
    await page.getByRole('button', { name: 'Edit' }).nth(1).click();
    expect(await message.inputValue()).toBe('second');
    await say('other');
    await message.fill('in my words');
    await message.press('Enter');
    await expect.poll(texts, WITHIN).toEqual(['first', 'Sent: Draft 1: first', 'other', 'Sent: in my words']);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(texts).toEqual([]);
    expect(threadOf(page)).toBe(null);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('sends what was said before with each message where threads are not stored', async () => {
    const { page } = await open(context, base);
    await page.route(/\/run\/[^/]+\/threads/, (route) => route.fulfill({ status: 404, json: { detail: 'This runtime stores no threads.' } }));
    await page.goto(`${address}${base}/${sample}/try`);
    const said: string[] = [];
    for (const text of ['first', 'second']) {
      const run = page.waitForRequest((request) => request.url().endsWith(`/run/${sample}/runs/stream`));
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
      const sent: { content: string }[] = (await run).postDataJSON().input.messages;
      expect(sent.map(({ content }) => content)).toEqual([...said, text]);
      said.push(text, text);
      await expect.poll(() => page.locator('.bubble .text-content').allInnerTexts(), WITHIN).toEqual(said);
    }
    expect(threadOf(page)).toBe(null);
    await page.close();
  });
});
