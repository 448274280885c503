import type { TraceRun } from '../trace/model';
import type { Bin } from '../ui/histogram';
import type { Cell } from '../ui/scatter';

/** Text that must appear as it is: markup, a right-to-left override, a long word. */
export const hostile = `<img src=x onerror="alert(1)"> <script>alert(2)</script> \u202Egnitirw esrever\u202C ${'long'.repeat(40)}`;

const BIN_COUNTS = [1, 0, 3, 9, 14, 60, 21, 8, 0, 2, 1];

/** As the service returns them: equal widths, and a bin of its own for no difference. */
export const bins: readonly Bin[] = BIN_COUNTS.map((count, index) => {
  const place = index - 5;
  const edge = (number: number): number => Math.round(number * 2) / 10;
  const range = place === 0 ? { gte: 0, lte: 0 } : place === 1 ? { gt: 0, lt: 0.2 } : place === -1 ? { gt: -0.2, lt: 0 } : place > 0 ? { gte: edge(place - 1), lt: edge(place) } : { gt: edge(place), lte: edge(place + 1) };
  return { range, count };
});

export const cells: readonly Cell[] = Array.from({ length: 40 }, (_, index) => {
  const cell = (number: number) => ({ gte: number / 10, lt: (number + 1) / 10 });
  return { baseline: cell(index % 11), score: cell((index * 7) % 11), count: 1 + ((index * 13) % 40) };
});

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
