import { describe, expect, it } from 'vitest';
import { answered, asked, checkpointBefore, continued, decisionsOf, EMPTY, failureOf, MAX_EVENTS, received, sampleInput, stored, takesMessages, textOf } from '../src/run/conversation';

const event = (name: string, data: unknown) => ({ name, data: JSON.stringify(data) });

describe('a conversation', () => {
  const question = { id: 'own 0', role: 'user', text: 'hi' };

  it('shows an answer as it is written', () => {
    let state = received(asked(EMPTY, question), [event('metadata', { run_id: 'r' }), event('messages/partial', [{ id: 'm', type: 'ai', content: 'he' }])]);
    expect([state.runId, state.messages.map((one) => one.text)]).toEqual(['r', ['hi', 'he']]);
    state = received(state, [event('messages/partial', [{ id: 'm', type: 'ai', content: 'hello' }]), event('values', { messages: [{ role: 'user', content: 'hi' }, { id: 'm', type: 'ai', content: 'hello' }] }), event('end', null)]);
    expect(state.messages.map((one) => [one.role, one.text])).toEqual([['user', 'hi'], ['assistant', 'hello']]);
    expect([state.hasEnded, state.error, state.received]).toEqual([true, null, 5]);
  });

  it('keeps the messages, not the events, for the next question', () => {
    const first = received(asked(EMPTY, question), [event('end', null)]);
    const next = asked(first, { id: 'own 1', role: 'user', text: 'and?' });
    expect([next.messages.length, next.events.length, next.hasEnded, next.runId]).toEqual([2, 0, false, null]);
  });

  it('keeps the run of each answer until it starts over', () => {
    const first = received(asked(EMPTY, question), [event('metadata', { run_id: 'r' }), event('messages/partial', [{ id: 'm', type: 'ai', content: 'hello' }])]);
    const next = received(asked(first, { id: 'own 1', role: 'user', text: 'and?' }), [event('metadata', { run_id: 's' })]);
    expect([next.runId, next.runs]).toEqual(['s', [{ id: 'r', messages: 2 }]]);
    expect(continued(next)).toMatchObject({ messages: next.messages, runId: null, runs: [{ id: 'r', messages: 2 }, { id: 's', messages: 3 }] });
  });

  it('reports errors and lists unknown events', () => {
    const state = received(EMPTY, [event('custom', { a: 1 }), event('error', { error: 'AskedToFail', message: 'It failed.' }), { name: 'message', data: 'no json' }]);
    expect(state.error).toBe('AskedToFail: It failed.');
    expect(state.events.map((one) => [one.number, one.name])).toEqual([[1, 'custom'], [2, 'error'], [3, 'message']]);
    expect(failureOf('plain')).toBe('plain');
  });

  it('keeps a bounded number of events', () => {
    const state = received(EMPTY, Array.from({ length: MAX_EVENTS + 20 }, () => event('custom', 1)));
    expect([state.events.length, state.received, state.events[0]?.number]).toEqual([MAX_EVENTS, MAX_EVENTS + 20, 21]);
  });

  it('ignores values of subgraphs', () => {
    const state = received(asked(EMPTY, question), [event('values|sub', { messages: [] })]);
    expect(state.messages).toEqual([question]);
  });
});

describe('a thread', () => {
  const human = (id: string) => ({ type: 'human', id, content: id });
  const state = (id: string, parent: string | null, ...messages: unknown[]) => ({ values: { messages }, checkpoint: { checkpoint_id: id }, parent_checkpoint: parent === null ? null : { checkpoint_id: parent } });

  it('is shown as it is stored', () => {
    const { messages, interrupts } = stored({ values: { messages: [human('a')] }, interrupts: [{ id: 'i', value: 1 }] });
    expect([messages, interrupts]).toEqual([[{ id: 'a', role: 'user', text: 'a' }], [{ id: 'i', value: 1 }]]);
    expect(stored(undefined)).toEqual(EMPTY);
  });

  it('is forked before the first checkpoint with the message', () => {
    const states = [state('4', '3', human('a'), human('b')), state('3', '2', human('a'), human('b')), state('2', '1', human('a')), state('1', null)];
    expect([checkpointBefore('b', states), checkpointBefore('a', states), checkpointBefore('x', states)]).toEqual(['2', '1', undefined]);
  });

  it('is forked in its own branch if its messages have no ids', () => {
    const [a, b] = [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }];
    const states = [state('5', '4', a, b, a), state('4', null, a, b), state('3', '2', a, b, a), state('2', '1', a, b), state('1', null, a)];
    expect([checkpointBefore('#2', states), checkpointBefore('#0', states), checkpointBefore('#3', states)]).toEqual(['4', null, undefined]);
    expect(checkpointBefore('#0', [])).toBe(undefined);
  });

  it('asks what its run was interrupted for, until that is answered', () => {
    const interrupts = [{ id: 'i', value: { question: 'Send?' } }];
    const asking = received(EMPTY, [event('values', { messages: [], __interrupt__: interrupts }), event('updates|sub', { __interrupt__: [] })]);
    expect([asking.interrupts, continued(asking).interrupts]).toEqual([interrupts, []]);
    expect([answered(interrupts, 'approve'), answered([...interrupts, { value: 2 }], 'approve')]).toEqual([{ resume: 'approve' }, { resume: { i: 'approve' } }]);
  });

  it('is answered by the decisions of the interrupt', () => {
    expect(decisionsOf('Send?')).toEqual([{ label: 'Approve', resume: 'approve' }, { label: 'Reject', resume: 'reject' }]);
    expect(decisionsOf({ decisions: ['later', 1] })).toEqual([{ label: 'Later', resume: 'later' }]);
    const actions = { action_requests: [{}, {}], review_configs: [{ allowed_decisions: ['approve', 'edit'] }] };
    expect(decisionsOf(actions)).toEqual([{ label: 'Approve', resume: { decisions: [{ type: 'approve' }, { type: 'approve' }] } }]);
  });
});

describe('input', () => {
  it('is a chat if the graph takes messages', () => {
    expect([takesMessages(null), takesMessages({ properties: { messages: {} } }), takesMessages({ properties: { topic: {} } })]).toEqual([true, true, false]);
  });

  it('is suggested by the schema', () => {
    expect(JSON.parse(sampleInput({ properties: { topic: { type: 'string' }, limit: { type: 'integer' }, tags: { type: 'array' }, messages: {} } }))).toEqual({ topic: '', limit: 0, tags: [], messages: [{ role: 'user', content: 'hello' }] });
    expect(sampleInput(null)).toBe('{}');
  });

  it('of blocks is shown as text', () => {
    expect([textOf([{ type: 'text', text: 'a' }, { type: 'image' }, 'b']), textOf(null), textOf({ a: 1 })]).toEqual(['ab', '', '{"a":1}']);
  });
});
