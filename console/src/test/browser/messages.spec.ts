import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, environment, launch, open, root as project, signIn } from './console';
import { root, send } from './sent';

/** Model calls are shown as conversations, with the result of each tool call beside it. */

const SESSION = `messages ${Date.now()}`;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE = `data:image/png;base64,${PIXEL}`;

let browser: Browser;
let context: BrowserContext;
let workspace = '';

beforeAll(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 1_600 }, reducedMotion: 'reduce' });
  await signIn(context);
  workspace = `/w/${environment('WAYBILL_TENANT_ID')}`;
});

afterAll(() => browser.close());

/** A message as a person sees it: `call` is a tool with its input and its result. */
interface Seen {
  readonly role: string;
  readonly texts: readonly string[];
  readonly reasoning: readonly string[];
  readonly images: number;
  readonly calls: readonly { readonly name: string; readonly input: string; readonly result: string }[];
  readonly results: readonly string[];
}

function conversation(page: Page): Promise<Seen[]> {
  return page.locator('article.message').evaluateAll((messages) =>
    messages.map((message) => {
      const texts = (selector: string): string[] => [...message.querySelectorAll(selector)].map((one) => (one.textContent ?? '').replace(/\s+/g, ' ').trim());
      return {
        role: message.querySelector('header')!.textContent!,
        texts: texts('.part > p.text-content'),
        reasoning: texts('.reasoning p'),
        images: [...message.querySelectorAll('img')].filter((image) => image.complete && image.naturalWidth > 0).length,
        calls: [...message.querySelectorAll('.call')].map((call) => {
          const [input, result] = [...call.children] as [Element, Element];
          return { name: input.querySelector('h4')!.textContent!, input: input.querySelector('pre')!.textContent!.replace(/\s+/g, ''), result: (result.querySelector('pre, .faint')?.textContent ?? '').replace(/\s+/g, ' ') };
        }),
        results: texts('.part > pre'),
      };
    }),
  );
}

const message = (role: string, ...texts: string[]): Seen => ({ role, texts, reasoning: [], images: 0, calls: [], results: [] });
const SYSTEM = message('system', 'Be brief.');
const QUESTION: Seen = { ...message('user', 'How warm is it here?'), images: 1 };
const CALLS: Seen = {
  ...message('assistant', 'I will look.'),
  calls: [
    { name: 'weather', input: '{"city":"Oslo"}', result: '{ "celsius": 4 }' },
    { name: 'clock', input: '{"zone":"CET"}', result: 'noon' },
  ],
};
const ANSWER = message('assistant', 'It is 4 degrees.');

const openAiCalls = (list: readonly (readonly [string, string, string])[]) => list.map(([id, name, input]) => ({ id, type: 'function', function: { name, arguments: input } }));
const CALLED = [['c1', 'weather', '{"city": "Oslo"}'] as const, ['c2', 'clock', '{"zone": "CET"}'] as const];
const constructor = (type: string, kwargs: unknown) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', type], kwargs });

/** Inputs and outputs of one call in each shape; all of them are the same conversation. */
const SHAPES: Readonly<Record<string, { readonly inputs: unknown; readonly outputs: unknown }>> = {
  'OpenAI chat completions': {
    inputs: {
      model: 'gpt',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'How warm is it here?' }, { type: 'image_url', image_url: { url: IMAGE } }] },
        { role: 'assistant', content: 'I will look.', tool_calls: openAiCalls(CALLED) },
        { role: 'tool', tool_call_id: 'c1', content: '{"celsius": 4}' },
        { role: 'tool', tool_call_id: 'c2', content: 'noon' },
      ],
    },
    outputs: { id: 'chatcmpl-1', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is 4 degrees.' } }] },
  },
  'OpenAI responses': {
    inputs: {
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'How warm is it here?' }, { type: 'input_image', image_url: IMAGE }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I will look.' }] },
        { type: 'function_call', id: 'fc1', call_id: 'c1', name: 'weather', arguments: '{"city": "Oslo"}' },
        { type: 'function_call', id: 'fc2', call_id: 'c2', name: 'clock', arguments: '{"zone": "CET"}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"celsius": 4}' },
        { type: 'function_call_output', call_id: 'c2', output: 'noon' },
      ],
    },
    outputs: { object: 'response', output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 4 degrees.' }] }] },
  },
  Anthropic: {
    inputs: {
      system: 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'How warm is it here?' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I will look.' }, { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }, { type: 'tool_use', id: 'c2', name: 'clock', input: { zone: 'CET' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '{"celsius": 4}' }] }, { type: 'tool_result', tool_use_id: 'c2', content: 'noon' }] },
      ],
    },
    outputs: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'It is 4 degrees.' }], stop_reason: 'end_turn' },
  },
  'LangChain serialized': {
    inputs: {
      messages: [
        [
          constructor('SystemMessage', { content: 'Be brief.' }),
          constructor('HumanMessage', { content: [{ type: 'text', text: 'How warm is it here?' }, { type: 'image_url', image_url: { url: IMAGE } }] }),
          constructor('AIMessage', { content: 'I will look.', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Oslo' }, type: 'tool_call' }, { id: 'c2', name: 'clock', args: { zone: 'CET' }, type: 'tool_call' }] }),
          constructor('ToolMessage', { content: '{"celsius": 4}', tool_call_id: 'c1' }),
          constructor('ToolMessage', { content: 'noon', tool_call_id: 'c2' }),
        ],
      ],
    },
    outputs: { generations: [[{ text: 'It is 4 degrees.', type: 'ChatGeneration', message: constructor('AIMessageChunk', { content: 'It is 4 degrees.' }) }]], llm_output: null },
  },
  'LangChain dictionaries': {
    inputs: {
      messages: [
        { type: 'system', content: 'Be brief.' },
        { type: 'human', content: [{ type: 'text', text: 'How warm is it here?' }, { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PIXEL }] },
        { type: 'ai', content: 'I will look.', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Oslo' } }, { id: 'c2', name: 'clock', args: { zone: 'CET' } }], invalid_tool_calls: [] },
        { type: 'tool', content: '{"celsius": 4}', tool_call_id: 'c1', name: 'weather' },
        { type: 'tool', content: 'noon', tool_call_id: 'c2', name: 'clock' },
      ],
    },
    outputs: { messages: [{ type: 'ai', content: 'It is 4 degrees.', tool_calls: [] }] },
  },
  'AI SDK model messages': {
    inputs: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'How warm is it here?' }, { type: 'image', image: IMAGE }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I will look.' }, { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }, { type: 'tool-call', toolCallId: 'c2', toolName: 'clock', input: { zone: 'CET' } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { type: 'json', value: { celsius: 4 } } }, { type: 'tool-result', toolCallId: 'c2', toolName: 'clock', output: { type: 'text', value: 'noon' } }] },
      ],
    },
    outputs: { role: 'assistant', content: [{ type: 'text', text: 'It is 4 degrees.' }] },
  },
  'AI SDK interface messages': {
    inputs: {
      system: 'Be brief.',
      messages: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'How warm is it here?' }, { type: 'file', mediaType: 'image/png', url: IMAGE }] },
        {
          id: 'm2',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { type: 'text', text: 'I will look.', state: 'done' },
            { type: 'tool-weather', toolCallId: 'c1', state: 'output-available', input: { city: 'Oslo' }, output: { celsius: 4 } },
            { type: 'dynamic-tool', toolName: 'clock', toolCallId: 'c2', state: 'output-available', input: { zone: 'CET' }, output: 'noon' },
          ],
        },
      ],
    },
    outputs: { text: 'It is 4 degrees.', messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'It is 4 degrees.' }] }] },
  },
  'OTLP GenAI': {
    inputs: {
      'gen_ai.system_instructions': '[{"type": "text", "content": "Be brief."}]',
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: 'How warm is it here?' }, { type: 'blob', modality: 'image', mime_type: 'image/png', content: PIXEL }] },
        { role: 'assistant', parts: [{ type: 'text', content: 'I will look.' }, { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }, { type: 'tool_call', id: 'c2', name: 'clock', arguments: { zone: 'CET' } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { celsius: 4 } }, { type: 'tool_call_response', id: 'c2', response: 'noon' }] },
      ]),
    },
    outputs: { 'gen_ai.output.messages': '[{"role": "assistant", "parts": [{"type": "text", "content": "It is 4 degrees."}], "finish_reason": "stop"}]' },
  },
};

it.each(Object.keys(SHAPES))('%s are a conversation', async (shape) => {
  const run = root(SESSION, Date.now() - 60_000, 500, { name: shape, run_type: 'llm', ...SHAPES[shape] });
  await send([run]);
  const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
  await page.waitForSelector('article.message');
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  expect(await conversation(page)).toEqual([SYSTEM, QUESTION, CALLS, ANSWER]);
  expect(await page.locator('.run-body .divider').innerText()).toMatch(/response/i);
  expect(problems).toEqual([]);
  await page.close();
});

describe('thoughts, calls and results', () => {
  it('appear where they belong', async () => {
    const run = root(SESSION, Date.now() - 60_000, 500, {
      name: 'thoughts',
      run_type: 'llm',
      inputs: { messages: [{ role: 'user', content: 'Hello' }, { role: 'tool', tool_call_id: 'unknown', content: 'a result without its call' }] },
      outputs: { role: 'assistant', content: [{ type: 'thinking', thinking: 'They greet.' }, { type: 'text', text: 'Hello!' }, { type: 'tool_use', id: 'open', name: 'wave', input: { times: 2 } }] },
    });
    await send([run]);
    const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
    await page.waitForSelector('article.message');
    expect(await conversation(page)).toEqual([
      message('user', 'Hello'),
      { ...message('tool'), results: ['a result without its call'] },
      { ...message('assistant', 'Hello!'), reasoning: ['They greet.'], calls: [{ name: 'wave', input: '{"times":2}', result: 'not in this conversation' }] },
    ]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('of a long conversation are folded', async () => {
    const run = root(SESSION, Date.now() - 60_000, 500, { name: 'long', run_type: 'llm', inputs: { messages: Array.from({ length: 60 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `message ${index}` })) }, outputs: { role: 'assistant', content: 'the end' } });
    await send([run]);
    const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
    await page.waitForSelector('article.message');
    const folded = await conversation(page);
    expect(folded.length).toBeLessThan(20);
    expect(folded.at(-1)).toEqual(message('assistant', 'the end'));
    await page.getByRole('button', { name: 'earlier messages' }).click();
    expect((await conversation(page)).map((one) => one.texts[0])).toEqual([...Array.from({ length: 60 }, (_, index) => `message ${index}`), 'the end']);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('spans of instrumentations', () => {
  const FOLDER = resolve(project, 'experiment-service/src/test/resources/spans');
  const DEGREES = /\b4 degrees/;

  it.each(['ai-sdk-5', 'ai-sdk-6', 'ai-sdk-7', 'openinference', 'openllmetry'])('%s are conversations', async (name) => {
    const session = `${SESSION} ${name}`;
    // Traces of their own, so that the test can be repeated.
    const salt = randomBytes(8).toString('hex');
    const spans = readFileSync(resolve(FOLDER, `${name}.json`), 'utf8').replace(/"traceId":"[0-9a-f]{16}/g, `"traceId":"${salt}`);
    await api('EXPERIMENT', '/otel/v1/traces', JSON.parse(spans), { headers: { 'Langsmith-Project': session } });
    const found = (await api('EXPERIMENT', `/api/v1/sessions?name=${encodeURIComponent(session)}`))[0];
    const { runs } = await api('EXPERIMENT', '/api/v1/runs/query', { session: [found.id], run_type: 'llm', limit: 100, select: ['id', 'trace_id', 'inputs', 'outputs'] });
    const asked = runs.find((run: { inputs: unknown; outputs: unknown }) => JSON.stringify(run.inputs).includes('tool_call_id') && DEGREES.test(JSON.stringify(run.outputs)));
    const { page, problems } = await open(context, `${workspace}/traces/${asked.trace_id}?run=${asked.id}`);
    await page.waitForSelector('article.message');
    const seen = await conversation(page);
    expect(seen.slice(0, 2)).toEqual([message('system', 'You are brief.'), message('user', 'How warm is it in Oslo?')]);
    const [call] = seen.flatMap((one) => one.calls);
    expect(call).toMatchObject({ name: 'weather', input: '{"city":"Oslo"}' });
    expect(call!.result).toMatch(/"celsius": 4/);
    expect(seen.at(-1)).toEqual(message('assistant', 'It is 4 degrees in Oslo.'));
    expect(seen).toHaveLength(4);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('other values', () => {
  it('are trees of JSON', async () => {
    const run = root(SESSION, Date.now() - 60_000, 500, { name: 'unknown', run_type: 'tool', inputs: { city: 'Oslo', limits: { days: [1, 2] } }, outputs: { rows: [{ celsius: 4 }], note: null } });
    await send([run]);
    const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
    const inputs = page.getByRole('group', { name: 'Inputs' });
    await inputs.waitFor();
    expect(await page.getByRole('tab', { name: 'Messages' }).count()).toBe(0);
    expect(await page.locator('article.message').count()).toBe(0);
    const lines = async (label: string): Promise<string[]> => (await page.getByRole('group', { name: label }).locator('.json-row').allInnerTexts()).map((line) => line.replace(/[▸▾\s]+/g, ' ').trim());
    expect(await lines('Inputs')).toEqual(['{2}', 'city: Oslo', 'limits: {1}', 'days: [2]']);
    expect(await lines('Outputs')).toEqual(['{2}', 'rows: [1]', '0: {1}', 'note: null']);
    await inputs.getByRole('button', { name: 'days' }).click();
    expect((await lines('Inputs')).slice(-2)).toEqual(['0: 1', '1: 2']);
    await page.getByLabel('Search in Outputs').fill('celsius');
    expect(await lines('Outputs')).toEqual(['{2}', 'rows: [1]', '0: {1}', 'celsius: 4']);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('beside messages are trees of JSON', async () => {
    const run = root(SESSION, Date.now() - 60_000, 500, { name: 'half known', run_type: 'llm', inputs: { messages: [{ role: 'user', content: 'Hello' }] }, outputs: { vector: [1, 2, 3] } });
    await send([run]);
    const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
    await page.getByRole('group', { name: 'Outputs' }).waitFor();
    expect(await conversation(page)).toEqual([message('user', 'Hello')]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('attachments', () => {
  it.each([
    ['a conversation', { messages: [{ role: 'user', content: 'Look.' }] }],
    ['other values', { question: 'Look.' }],
  ])('of %s are shown if they are images', async (_, inputs) => {
    const run = root(SESSION, Date.now() - 60_000, 500, { name: 'with files', run_type: 'llm', inputs, outputs: { note: 'done' } });
    const form = new FormData();
    const part = (name: string, type: string, content: string | Buffer): void => form.append(name, new Blob([content as never], { type }), name);
    part(`post.${run.id}`, 'application/json', JSON.stringify(run));
    part(`attachment.${run.id}.photo`, 'image/png', Buffer.from(PIXEL, 'base64'));
    part(`attachment.${run.id}.page`, 'text/html', '<script>window.hostile = true</script>');
    part(`attachment.${run.id}.drawing`, 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>window.hostile = true</script></svg>');
    await api('EXPERIMENT', '/api/v1/runs/multipart', form);
    const { page, problems } = await open(context, `${workspace}/traces/${run.id}`);
    const files = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Attachments' }) }).last().locator('figure');
    await files.first().waitFor();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    const seen = await files.evaluateAll((figures) => figures.map((one) => [one.querySelector('bdi')!.textContent, one.querySelector('img')?.naturalWidth ?? 0]));
    expect(seen.sort()).toEqual([['drawing', 0], ['page', 0], ['photo', 1]]);
    expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });
});
