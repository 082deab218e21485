import { describe, expect, it } from 'vitest';
import { assignmentEvent, event, stateAfter, toolEvent, turnAfter } from './events.js';

describe('action cards', () => {
  it('follow a tool from start to end by its id, and keep the fields of earlier events', () => {
    const { cards } = turnAfter(
      toolEvent('t1', 'executing', { args: { q: 'oslo' }, agent_name: 'Ada' }),
      toolEvent('t1', 'completed', { result: [1, 2], elapsed_ms: 12 }),
    );
    expect(cards).toMatchObject([
      {
        kind: 'action',
        key: 'action:t1',
        id: 't1',
        status: 'completed',
        settled: false,
        agent_name: 'Ada',
        tool: {
          id: 't1',
          name: 'search',
          args: { q: 'oslo' },
          result: [1, 2],
          elapsed_ms: 12,
          status: 'completed',
        },
      },
    ]);
    expect(cards[0]?.started_at).not.toBe(cards[0]?.updated_at);
  });

  it('read the flat fields if there is no descriptor', () => {
    const flat = {
      tool_id: 't1',
      tool_name: 'search',
      tool_type: 'func',
      status: 'failed',
      args: { q: 1 },
      error: 'no luck',
    };
    expect(turnAfter(event('tool_event', flat)).cards).toMatchObject([
      {
        id: 't1',
        status: 'failed',
        tool: { id: 't1', name: 'search', type: 'func', args: { q: 1 }, error: 'no luck' },
      },
    ]);
    const assignment = { assignment_id: 'a1', agent_name: 'Ada', status: 'received', task: 'look' };
    expect(turnAfter(event('agent_assignment', assignment)).cards).toMatchObject([
      {
        id: 'a1',
        status: 'pending',
        agent_name: 'Ada',
        assignment: { id: 'a1', agent_name: 'Ada', task: 'look' },
      },
    ]);
  });

  it.each([
    [{ tool: { id: 'x', tool_id: 'y' }, tool_id: 'z' }, 'x'],
    [{ tool: { tool_id: 'y' }, tool_id: 'z' }, 'y'],
    [{ tool_id: 'z' }, 'z'],
  ])('identify %j by the id %s', (data, id) => {
    expect(turnAfter(event('tool_event', data)).cards).toMatchObject([{ id }]);
  });

  it('show a system tool with its name, its progress and its end', () => {
    const { cards } = turnAfter(
      event('system_tool_start', {
        tool_type: 'web_search',
        tool_id: 's1',
        tool: { id: 's1', name: 'web_search', type: 'system', status: 'executing', args: { q: 1 } },
      }),
      event('system_tool_chunk', {
        tool_id: 's1',
        tool: { id: 's1', type: 'system' },
        chunk: { text: 'page 1', progress: 0 },
      }),
      event('system_tool_chunk', { tool_id: 's1', text: 'page 2', progress: 0.5 }),
      event('system_tool_complete', {
        tool_id: 's1',
        tool: { id: 's1', type: 'system', status: 'completed', result: { hits: 3 } },
      }),
    );
    expect(cards).toMatchObject([
      {
        status: 'completed',
        tool: { name: 'web_search', type: 'system', args: { q: 1 }, result: { hits: 3 } },
        chunks: [
          { text: 'page 1', progress: 0 },
          { text: 'page 2', progress: 0.5 },
        ],
      },
    ]);
  });

  it('read the flat fields of a system tool, whose tool_type is its name', () => {
    expect(
      turnAfter(event('system_tool_start', { tool_type: 'web_search', tool_id: 's1' })).cards,
    ).toMatchObject([{ status: 'running', tool: { name: 'web_search', type: 'system' } }]);
    expect(turnAfter(event('system_tool_error', { tool_id: 's1', error: 'gone' })).cards).toMatchObject([
      { status: 'failed', tool: { error: 'gone' } },
    ]);
  });

  it('keep the last 100 progress chunks', () => {
    const chunks = Array.from({ length: 130 }, (_, index) =>
      event('system_tool_chunk', { tool_id: 's1', text: `${index}` }),
    );
    const [card] = turnAfter(...chunks).cards;
    expect(card?.kind === 'action' && card.chunks.map(({ text }) => text)).toEqual(
      Array.from({ length: 100 }, (_, index) => `${index + 30}`),
    );
  });

  it("combine a member's tool call and its assignment, with the fields of both", () => {
    const { cards } = turnAfter(
      toolEvent('m1', 'executing', { type: 'agent' }),
      assignmentEvent('m1', 'in_progress', { task: 'look' }),
      assignmentEvent('m1', 'completed', { result: 'seen' }),
      toolEvent('m1', 'completed', { type: 'agent', result: 'told' }),
    );
    expect(cards).toMatchObject([
      {
        status: 'completed',
        tool: { result: 'told', status: 'completed' },
        assignment: { task: 'look', result: 'seen' },
      },
    ]);
  });

  it('keep two assignments of one agent apart', () => {
    const { cards } = turnAfter(assignmentEvent('a1', 'completed'), assignmentEvent('a2', 'in_progress'));
    expect(cards.map(({ id, status }) => [id, status])).toEqual([
      ['a1', 'completed'],
      ['a2', 'running'],
    ]);
  });

  it.each([
    ['executing after completed', ['completed', 'executing'], 'completed'],
    ['failed after completed', ['completed', 'failed'], 'completed'],
    ['completed after failed', ['failed', 'completed'], 'failed'],
    ['received after in_progress', ['in_progress', 'received'], 'running'],
    ['an unknown status', ['deliberating'], 'running'],
    ['success', ['success'], 'completed'],
    ['error', ['error'], 'failed'],
    ['cancelled', ['cancelled'], 'cancelled'],
  ])('show the status, which never moves backwards: %s', (_, statuses, expected) => {
    const [card] = turnAfter(...statuses.map((status) => toolEvent('t1', status, { result: status }))).cards;
    expect(card?.status).toBe(expected);
  });

  it('ignore another descriptor that says a finished call is still running', () => {
    const [card] = turnAfter(toolEvent('t1', 'completed'), assignmentEvent('t1', 'in_progress')).cards;
    expect(card).toMatchObject({ status: 'completed', assignment: null });
  });

  it('ignore another end of a finished call, with its result', () => {
    const { turns, other_events: others } = stateAfter(
      toolEvent('t1', 'completed', { result: 'first' }),
      toolEvent('t1', 'failed', { result: 'second' }),
    );
    const card = { status: 'completed', tool: { status: 'completed', result: 'first' } };
    expect(turns).toMatchObject([{ cards: [card] }]);
    expect(others).toEqual([]);
  });

  it('keep the status of the first end if the assignment of a call ended otherwise', () => {
    const [card] = turnAfter(toolEvent('t1', 'completed'), assignmentEvent('t1', 'failed')).cards;
    expect(card).toMatchObject({
      status: 'completed',
      tool: { status: 'completed' },
      assignment: { status: 'failed' },
    });
  });

  it('start with the first of their events', () => {
    const first = toolEvent('t1', 'executing');
    const last = toolEvent('t1', 'completed');
    const [card] = turnAfter(first, last).cards;
    expect(card).toMatchObject({ started_at: first.timestamp, updated_at: last.timestamp });
  });

  it('stay apart from a question with the same id', () => {
    const { cards } = turnAfter(
      toolEvent('x1', 'executing'),
      event('interrupt_required', { interrupt: { id: 'x1', prompt: 'Sure?' } }),
      toolEvent('x1', 'completed'),
    );
    expect(cards.map(({ key, status }) => [key, status])).toEqual([
      ['action:x1', 'completed'],
      ['interrupt:x1', 'pending'],
    ]);
  });

  it('keep their agent and swarm if a later event does not name them', () => {
    const [card] = turnAfter(
      toolEvent('t1', 'executing', { agent_name: 'Ada', swarm_name: 'desk' }),
      toolEvent('t1', 'completed'),
    ).cards;
    expect(card).toMatchObject({ agent_name: 'Ada', swarm_name: 'desk' });
  });

  it('keep the last 1,000 cards of a turn', () => {
    const { cards } = turnAfter(
      ...Array.from({ length: 1_100 }, (_, index) => toolEvent(`t${index}`, 'completed')),
    );
    expect(cards).toHaveLength(1_000);
    expect(cards[0]?.id).toBe('t100');
  });
});
