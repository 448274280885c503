import type { TraceRun } from '../trace/model';

/** Text that must appear as it is: markup, a right-to-left override, a long word. */
export const hostile = `<img src=x onerror="alert(1)"> <script>alert(2)</script> \u202Egnitirw esrever\u202C ${'long'.repeat(40)}`;

export const differences: readonly number[] = Array.from({ length: 120 }, (_, index) => (index % 3 === 0 ? 0 : Math.round(Math.sin(index) * 10) / 10));

export const points = Array.from({ length: 60 }, (_, index) => ({ id: String(index), x: ((index * 17) % 11) / 10, y: ((index * 29) % 11) / 10 }));

const at = (milliseconds: number): string => new Date(1_767_225_600_000 + milliseconds).toISOString();
const span = (id: string, parent: string | null, type: string, start: number, end: number, status = 'success'): TraceRun => ({
  id,
  parent_run_id: parent,
  depth: parent ? 1 : 0,
  name: id,
  run_type: type,
  status,
  start_time: at(start),
  end_time: at(end),
  error: status === 'error' ? 'The connection was reset.' : null,
  total_tokens: type === 'llm' ? 100 : null,
  total_cost: null,
});

export const spans: readonly TraceRun[] = [
  span('agent', null, 'chain', 0, 5000),
  span('plan', 'agent', 'llm', 10, 1800),
  span('search', 'agent', 'retriever', 1810, 2500),
  span('lookup', 'agent', 'tool', 1820, 2100, 'error'),
  span('answer', 'agent', 'llm', 2510, 4990),
];

export const conversation = {
  inputs: {
    messages: [
      { role: 'system', content: 'You answer briefly.' },
      { role: 'user', content: [{ type: 'text', text: `What is the weather in Oslo? ${hostile}` }] },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city": "Oslo"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"degrees": -3, "sky": "clear"}' },
    ],
  },
  outputs: { choices: [{ message: { role: 'assistant', content: 'Clear, minus three degrees.' } }] },
};
