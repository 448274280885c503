import { describe, expect, it } from 'vitest';
import { buildTrace, interesting, visible, type TraceRun } from '../src/trace/model';
import { messagesOf, withResults } from '../src/trace/messages';
import { spans } from '../src/gallery/samples';

const ids = (nodes: readonly { run: TraceRun }[]): string[] => nodes.map((node) => node.run.id);
const ALL = { text: '', onlyErrors: false };

describe('tree', () => {
  const trace = buildTrace(spans);

  it('rolls errors up', () => {
    expect(ids(visible(trace, new Set(), ALL))).toEqual(['agent', 'plan', 'search', 'lookup', 'answer']);
    expect([trace.errors, trace.roots[0]!.errors, trace.roots[0]!.descendants]).toEqual([1, 1, 4]);
    expect(trace.duration).toBe(5000);
  });

  it('counts tokens and costs of the deepest runs only', () => {
    const costs = spans.map((run) => ({ ...run, total_tokens: run.id === 'agent' ? 200 : run.total_tokens, total_cost: run.id === 'agent' ? '0.500000000' : null }));
    expect([buildTrace(costs).tokens, buildTrace(costs).cost]).toEqual([200, 0.5]);
    expect(buildTrace([{ ...spans[0]!, total_tokens: 7 }]).tokens).toBe(7);
    expect(buildTrace([spans[0]!]).tokens).toBeNull();
  });

  it('counts a run above one without usage', () => {
    const usage: Record<string, number> = { agent: 45, plan: 45, search: 0 };
    const runs = spans.map((run) => ({ ...run, total_tokens: usage[run.id] ?? null }));
    expect(buildTrace(runs).tokens).toBe(45);
    expect(buildTrace([{ ...spans[0]!, total_tokens: 0 }]).tokens).toBe(0);
  });

  it('marks the runs that determined the end', () => {
    const critical = [...trace.byId.values()].filter((node) => node.critical).map((node) => node.run.id).sort();
    expect(critical).toEqual(['agent', 'answer', 'plan', 'search']);
  });

  it('measures runs with microseconds', () => {
    const [root] = buildTrace([{ ...spans[0]!, start_time: '2026-02-25T20:38:42.515966Z', end_time: '2026-02-25T20:38:42.516071Z' }]).roots;
    expect(root!.end - root!.start).toBeCloseTo(0.105, 3);
  });

  it('hides collapsed runs and keeps the ancestors of matches', () => {
    expect(ids(visible(trace, new Set(['agent']), ALL))).toEqual(['agent']);
    expect(ids(visible(trace, new Set(), { text: 'LOOK', onlyErrors: false }))).toEqual(['agent', 'lookup']);
    expect(ids(visible(trace, new Set(), { text: 'connection', onlyErrors: false }))).toEqual(['agent', 'lookup']);
    expect(ids(visible(trace, new Set(), { text: '', onlyErrors: true }))).toEqual(['agent', 'lookup']);
    expect(interesting(trace)!.run.id).toBe('lookup');
  });

  it('shows runs whose parent is missing', () => {
    const orphan = { ...spans[1]!, parent_run_id: 'elsewhere', depth: 0 };
    const found = buildTrace([orphan, { ...spans[2]!, parent_run_id: orphan.id, depth: 1 }, spans[0]!]);
    expect(found.roots.map((node) => node.run.id)).toEqual(['plan', 'agent']);
    expect(found.byId.get('search')!.parent!.run.id).toBe('plan');
  });

  it('builds 10,000 runs and 200 levels', () => {
    const many: TraceRun[] = Array.from({ length: 10_000 }, (_, index) => ({ ...spans[1]!, id: String(index), depth: index < 200 ? index : 1 }));
    const deep = buildTrace(many);
    expect(visible(deep, new Set(), ALL)).toHaveLength(10_000);
    expect(deep.roots[0]!.descendants).toBe(9_999);
    expect(deep.byId.get('199')!.depth).toBe(199);
  });
});

describe('messages', () => {
  const text = (value: unknown) => messagesOf(value).map((message) => [message.role, message.parts.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('|')]);

  it('are read from OpenAI, Anthropic, LangChain, AI SDK and OTLP shapes', () => {
    expect(text({ choices: [{ message: { role: 'assistant', content: 'a' } }] })).toEqual([['assistant', 'a']]);
    expect(text({ system: 's', messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'tool_result', tool_use_id: '1', content: 'r' }] }] })).toEqual([['system', 's'], ['user', 'a|result']]);
    expect(text({ messages: [[{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', 'HumanMessage'], kwargs: { content: 'a' } }]] })).toEqual([['user', 'a']]);
    expect(text({ generations: [[{ text: 'a', message: { lc: 1, id: ['AIMessage'], kwargs: { content: 'a' } } }]] })).toEqual([['assistant', 'a']]);
    expect(text({ messages: [{ type: 'human', data: { content: 'a' } }] })).toEqual([['user', 'a']]);
    expect(text([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'f', args: {} }] }])).toEqual([['assistant', 'call']]);
    expect(text({ 'gen_ai.input.messages': '[{"role": "user", "parts": [{"type": "text", "content": "a"}]}]' })).toEqual([['user', 'a']]);
  });

  it('are not invented for other values', () => {
    for (const value of [null, 1, 'text', {}, [], { question: 'a' }, [1, 2], { messages: 'x' }, { messages: [{ a: 1 }] }, { type: 'object', properties: {} }]) {
      expect(messagesOf(value)).toEqual([]);
    }
  });

  it('show results beside their calls', () => {
    const joined = withResults(messagesOf({ messages: [{ role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"x": 1}' } }] }, { role: 'tool', tool_call_id: 'c', content: '{"y": 2}' }] }));
    expect(joined).toEqual([{ role: 'assistant', parts: [{ kind: 'call', id: 'c', name: 'f', input: { x: 1 }, result: { y: 2 } }] }]);
  });

  it('show every result of a message of tools', () => {
    const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: {} });
    const result = (id: string) => ({ type: 'tool-result', toolCallId: id, toolName: 'f', output: { type: 'text', value: id } });
    const joined = withResults(messagesOf({ messages: [{ role: 'assistant', content: [call('1'), call('2')] }, { role: 'tool', content: [result('1'), result('2')] }] }));
    expect(joined.map((one) => one.parts.map((part) => part.kind === 'call' && part.result))).toEqual([['1', '2']]);
  });

  it('join the items of a response', () => {
    const items = [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }] }, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"x": 1}' }, { type: 'function_call_output', call_id: 'c', output: '2' }, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }];
    expect(withResults(messagesOf({ output: items }))).toEqual([
      { role: 'assistant', parts: [{ kind: 'reasoning', text: 't' }, { kind: 'call', id: 'c', name: 'f', input: { x: 1 }, result: '2' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'a' }] },
    ]);
  });

  it('load no image from another host', () => {
    const image = (url: string) => messagesOf([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }])[0]!.parts[0]!.kind;
    expect(image('data:image/png;base64,AA')).toBe('image');
    expect(image('https://example.com/a.png')).toBe('json');
  });
});
