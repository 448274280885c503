import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessible';
import { address, api, environment, launch, open, signIn } from './console';

/** Try it: chats with the sample application of the quickstart, and with one that stores threads. */

let browser: Browser;
let context: BrowserContext;
let base = '';
let sample = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  await signIn(context);
  base = `/w/${environment('WAYBILL_TENANT_ID')}/deployments`;
  sample = (await api('CONTROL_PLANE', '/v2/deployments?name=sample-application')).resources[0].id;
});

afterAll(() => browser.close());

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

interface State {
  readonly checkpoint: string;
  readonly values: { readonly messages: readonly { readonly id: string; readonly type: string; readonly content: string }[] };
  readonly interrupts: readonly { readonly id: string; readonly value: unknown }[];
  readonly parent_checkpoint: { readonly checkpoint_id: string } | null;
}

/** Responds as an application whose runs ask before they answer: deployed applications store no threads yet. */
async function respondAsThreads(page: Page, thread: string): Promise<void> {
  let states: readonly State[] = [{ checkpoint: 'first', values: { messages: [] }, interrupts: [], parent_checkpoint: null }];
  const run = ({ input, command, checkpoint_id }: { input?: { messages: [{ content: string }] }; command?: { resume: string }; checkpoint_id?: string }): string => {
    const before = states.find((one) => one.checkpoint === checkpoint_id) ?? states[0]!;
    const added = command ? { type: 'ai', content: `${command.resume}: ${before.values.messages.at(-1)!.content}` } : { type: 'human', content: input!.messages[0].content };
    const messages = [...before.values.messages, { id: randomUUID(), ...added }];
    const interrupts = command ? [] : [{ id: randomUUID(), value: { question: 'Send this?', decisions: ['approve', 'reject'] } }];
    states = [{ checkpoint: randomUUID(), values: { messages }, interrupts, parent_checkpoint: { checkpoint_id: before.checkpoint } }, ...states];
    const events = { metadata: { run_id: randomUUID() }, values: { messages }, updates: command ? {} : { __interrupt__: interrupts }, end: null };
    return Object.entries(events).map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  };
  await page.route(/\/run\/[^/]+\/threads/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const body = route.request().postDataJSON();
    if (path.endsWith('/stream')) {
      await route.fulfill({ contentType: 'text/event-stream', body: run(body) });
    } else {
      await route.fulfill({ json: path.endsWith('/history') ? states.slice(0, body.limit) : path.endsWith('/search') ? [] : { thread_id: thread } });
    }
  });
}

describe('a chat with an application that stores threads', () => {
  it('remembers, asks for decisions, and is forked before a message', async () => {
    const thread = randomUUID();
    const { page, problems } = await open(context, base);
    await respondAsThreads(page, thread);
    await page.goto(`${address}${base}/${sample}/try`);
    const message = page.getByLabel('Message', { exact: true });
    const texts = () => page.locator('.bubble .text-content').allInnerTexts();
    const say = async (text: string): Promise<void> => {
      await message.fill(text);
      await message.press('Enter');
      await page.locator('.question').waitFor();
    };
    await say('first');
    expect(new URL(page.url()).searchParams.get('thread')).toBe(thread);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await violations(page), theme).toEqual([]);
    }
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(texts).toEqual(['first', 'approve: first']);
    await say('second');
    await page.reload();
    await page.getByRole('button', { name: 'Reject' }).click();
    await expect.poll(texts).toEqual(['first', 'approve: first', 'second', 'reject: second']);
    await page.getByRole('button', { name: 'Edit' }).nth(1).click();
    expect(await message.inputValue()).toBe('second');
    await say('other');
    await message.fill('in my words');
    await message.press('Enter');
    await expect.poll(texts).toEqual(['first', 'approve: first', 'other', 'in my words: other']);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(texts).toEqual([]);
    expect(new URL(page.url()).searchParams.has('thread')).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });
});
