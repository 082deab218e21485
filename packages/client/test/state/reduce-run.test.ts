import { describe, expect, it } from 'vitest';
import { event, stateAfter, toolEvent, turnAfter } from './events.js';

describe('reduceRun', () => {
  it('keeps earlier turns, and starts the next one with the first event after an end', () => {
    const { turns } = stateAfter(
      event('session_start', { session: { id: 's1', assistant_id: 'a' } }),
      event('assistant_chunk', { assistant: { id: 'a', delta: 'one' } }),
      event('final', { output: { response: 'one' } }),
      event('assistant_chunk', { assistant: { id: 'a', delta: 'two' } }),
      event('error', { error_info: { message: 'boom', details: {} } }),
    );
    expect(
      turns.map(({ status, output, error_info: error }) => [status, output?.response, error?.message]),
    ).toEqual([
      ['completed', 'one', undefined],
      ['failed', undefined, 'boom'],
    ]);
    expect(new Set(turns.map(({ key }) => key)).size).toBe(2);
  });

  it.each([
    ['completed', undefined, 'completed'],
    ['failed', 'no luck', 'failed'],
    ['cancelled', 'stopped', 'cancelled'],
    ['something new', undefined, 'completed'],
  ])('ends a turn with the status of final: %s', (status, error, expected) => {
    const turn = turnAfter(
      event('final', {
        status,
        error,
        output: { response: 'r', result: { n: 1 }, token_usage: { total: 3 } },
      }),
    );
    expect(turn.status).toBe(expected);
    expect(turn.output).toEqual({ response: 'r', result: { n: 1 }, token_usage: { total: 3 } });
    expect(turn.error_info?.message).toBe(error);
  });

  it('ends a turn as failed on an error event, whatever its status field', () => {
    expect(turnAfter(event('error', { error: 'boom', status: 'completed' })).status).toBe('failed');
  });

  it('keeps turns of events without ids apart', () => {
    const { turns } = stateAfter({ ...event('final'), id: '' }, { ...event('final'), id: '' });
    expect(turns).toHaveLength(2);
  });

  it('settles open cards at the end of a turn, and marks them as settled', () => {
    const open = [
      toolEvent('t1', 'executing'),
      toolEvent('t2', 'completed'),
      event('assistant_chunk', { text: 'hi' }),
    ];
    const at = (...end: Parameters<typeof event>) =>
      turnAfter(...open, event(...end)).cards.map(({ status, settled }) => [status, settled]);
    expect(at('final')).toEqual([
      ['completed', true],
      ['completed', false],
      ['completed', true],
    ]);
    expect(at('error')).toEqual([
      ['failed', true],
      ['completed', false],
      ['failed', true],
    ]);
    expect(at('final', { status: 'cancelled' })).toEqual([
      ['cancelled', true],
      ['completed', false],
      ['cancelled', true],
    ]);
    expect(at('session_end')).toEqual([
      ['completed', true],
      ['completed', false],
      ['completed', true],
    ]);
  });

  it('starts a new turn on session_start if the last one has ended or another assistant answers', () => {
    const start = (assistant: string) =>
      event('session_start', { session: { id: 's1', assistant_id: assistant } });
    const counts = (...events: ReturnType<typeof event>[]) =>
      stateAfter(...events).turns.map(({ cards }) => cards.length);
    expect(counts(start('a'), toolEvent('t', 'executing'), start('a'))).toEqual([1]);
    expect(counts(toolEvent('t', 'executing'), start('a'))).toEqual([1]);
    expect(counts(start('a'), toolEvent('t', 'executing'), start('b'))).toEqual([1, 0]);
    expect(counts(start('a'), event('final'), start('a'))).toEqual([0, 0]);
    expect(stateAfter(start('a'), toolEvent('t', 'executing'), start('b')).turns[0]?.status).toBe('unknown');
    expect(stateAfter(start('a')).session).toMatchObject({ id: 's1', assistant_id: 'a' });
    expect(stateAfter(event('session_start', { session_id: 's2', assistant_id: 'x' })).session).toMatchObject(
      { id: 's2' },
    );
  });

  it('ends a turn whose end never arrived when another session starts, as after a crash', () => {
    const start = (id?: string) => event('session_start', { session: { id, assistant_id: 'a' } });
    const { turns } = stateAfter(start('s1'), toolEvent('t', 'executing'), start('s2'), event('final'));
    expect(turns.map(({ status, cards }) => [status, cards.map((card) => card.status)])).toEqual([
      ['unknown', ['unknown']],
      ['completed', []],
    ]);
    expect(stateAfter(start('s1'), start('s2'), toolEvent('t', 'executing')).turns).toHaveLength(1);
    expect(stateAfter(start('s1'), toolEvent('t', 'executing'), start()).turns).toHaveLength(1);
    expect(stateAfter(start(), toolEvent('t', 'executing'), start('s2')).turns).toHaveLength(1);
  });

  it('keeps events before a session_start in the turn of that session', () => {
    const first = (name: string, data: Record<string, unknown>) => [
      event(name, data),
      event('session_start', { session: { id: `s-${name}`, assistant_id: 'a' } }),
      event('final'),
    ];
    const { turns, session } = stateAfter(
      ...first('status_message', { message: 'One moment' }),
      ...first('hook_fired', { stage: 'before', target_type: 'agent', target_id: 'a', name: 'audit' }),
    );
    expect(turns.map(({ status, cards, session: of }) => [status, cards.length, of?.id])).toEqual([
      ['completed', 1, 's-status_message'],
      ['completed', 1, 's-hook_fired'],
    ]);
    expect(session?.id).toBe('s-hook_fired');
  });

  it('marks the run as ended at session_end, and no longer at the next session_start', () => {
    expect(stateAfter(event('session_end'))).toMatchObject({ ended: true, turns: [] });
    expect(stateAfter(event('session_end'), event('session_start')).ended).toBe(false);
  });

  it('keeps the last 100 turns', () => {
    const turns = stateAfter(
      ...Array.from({ length: 150 }, (_, turn) => event('final', { response: `${turn}` })),
    ).turns;
    expect(turns).toHaveLength(100);
    expect(turns.at(-1)?.output?.response).toBe('149');
  });
});

describe('a stream_gap', () => {
  const gap = (reason: string) => event('stream_gap', { reason, requested_id: '1', oldest_id: '5' });

  it.each(['evicted', 'dropped'])('is recorded, and the turn continues (%s)', (reason) => {
    const state = stateAfter(toolEvent('t', 'executing'), gap(reason), toolEvent('t', 'completed'));
    expect(state.gaps).toMatchObject([{ reason, requested_id: '1', oldest_id: '5' }]);
    expect(state.turns.map(({ status }) => status)).toEqual(['running']);
    expect(state.turns[0]?.cards).toMatchObject([{ status: 'completed' }]);
  });

  it.each(['epoch', 'unknown'])('ends the open turn if all stored events follow again (%s)', (reason) => {
    const chunk = () => event('assistant_chunk', { assistant: { id: 'a', delta: 'hello' } });
    const state = stateAfter(chunk(), gap(reason), chunk());
    expect(
      state.turns.map(({ status, cards }) => [
        status,
        cards.map((card) => card.kind === 'message' && card.text),
      ]),
    ).toEqual([
      ['unknown', ['hello']],
      ['running', ['hello']],
    ]);
  });
});

describe('other_events', () => {
  it('keeps the last 100 events with other names', () => {
    const { other_events: others, turns } = stateAfter(
      ...Array.from({ length: 120 }, (_, index) => event('order_placed', { event_kind: 'custom', index })),
    );
    expect(others.map(({ data }) => data['index'])).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 20),
    );
    expect(turns).toEqual([]);
  });

  it('reads an event without a contract version as one of version v1', () => {
    expect(
      turnAfter(event('tool_event', { contract_version: undefined, tool_id: 't1' })).cards,
    ).toMatchObject([{ id: 't1' }]);
  });

  it('keeps events of another contract version, except for the end of a turn, which counts', () => {
    const state = stateAfter(
      toolEvent('t1', 'executing'),
      event('tool_event', { contract_version: 'v2', tool: { id: 't2' } }),
      event('final', { contract_version: 'v2' }),
    );
    expect(state.other_events).toHaveLength(1);
    expect(state.turns).toMatchObject([
      { status: 'completed', cards: [{ id: 't1', status: 'completed', settled: true }] },
    ]);
  });

  it.each([
    ['tool_event', { tool: { name: 'no id' } }],
    ['agent_assignment', { agent_name: 'Ada' }],
    ['interrupt_required', { prompt: 'No id?' }],
    ['status_message', { assistant_id: 'a' }],
    ['enrichment', { message: 'no phase' }],
    ['hook_fired', { hook: { target_type: 'tool' } }],
    ['hook_fired', {}],
  ])('keeps the event %s if it does not identify its subject: %j', (type, data) => {
    const state = stateAfter(event(type, data));
    expect(state.other_events).toHaveLength(1);
    expect(state.turns).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('keeps an event named %s', (type) => {
    expect(stateAfter(event(type)).other_events).toHaveLength(1);
  });
});
