import { describe, expect, it } from 'vitest';
import { identify } from '../../src/pipeline/identify.js';
import { rebuild } from '../../src/pipeline/rebuild.js';
import { TurnState } from '../../src/pipeline/turn-state.js';
import { assignment, idsOf, player, tool } from './identified-events.js';

const complete = (id: string, args = {}): [string, Record<string, unknown>] => {
  const [name, data] = tool('executing', id, args);
  return [name, { ...data, contract_version: 'v1' }];
};

describe('a tool call', () => {
  it.each<[string, [string, Record<string, unknown>][], unknown[]]>([
    [
      'is recognized by its arguments, whatever their order',
      [tool('executing', '1', { a: 1, b: 2 }), tool('executing', '2', { b: 2, a: 1 })],
      ['1', '1'],
    ],
    [
      'is recognized by its name when it ends under another id',
      [tool('executing', '1'), tool('completed', '9')],
      ['1', '1'],
    ],
    [
      'keeps its own id if it could be either of two running calls',
      [tool('executing', '1', { a: 1 }), tool('executing', '2', { a: 2 }), tool('completed', '9')],
      ['1', '2', '9'],
    ],
    [
      'keeps its own id at its end if one of the running calls has no arguments',
      [tool('executing', '1'), tool('executing', '2', { a: 2 }), tool('completed', '9')],
      ['1', '2', '9'],
    ],
    [
      'is still running after an unknown status',
      [tool('executing', '1'), tool('paused', '1'), tool('completed', '9')],
      ['1', '1', '1'],
    ],
    [
      'reported again with other arguments is recognized only by those',
      [
        tool('executing', '1', { a: 1 }),
        tool('executing', '1', { a: 2 }),
        tool('executing', '2', { a: 1 }),
        tool('executing', '3', { a: 2 }),
      ],
      ['1', '1', '2', '1'],
    ],
    [
      'of a complete event is a call of its own, with any arguments',
      [
        complete('1', { a: 1 }),
        complete('2', { a: 1 }),
        complete('3'),
        complete('2', { a: 1 }),
        tool('completed', '3'),
      ],
      ['1', '2', '3', '2', '3'],
    ],
    [
      'of a complete event is recognized when another producer reports it too',
      [complete('1', { a: 1 }), tool('executing', '2', { a: 1 }), tool('completed', '9')],
      ['1', '1', '1'],
    ],
    [
      'of a system tool in a complete event is a call of its own',
      ['1', '2'].map((id) => [
        'system_tool_start',
        { contract_version: 'v1', tool_type: 'search', tool_id: id, params: { q: 1 } },
      ]),
      ['1', '2'],
    ],
    ...['failed', 'cancelled', 'success', 'error'].map(
      (status): [string, [string, Record<string, unknown>][], unknown[]] => [
        `gets a new id after it has ended as '${status}'`,
        [tool('executing', '1'), tool(status, '1'), tool('executing', '2')],
        ['1', '1', '2'],
      ],
    ),
    [
      'of a system tool ends with its completion, so that the next one gets a new id',
      [
        ['system_tool_start', { tool_type: 'search', tool_id: '1', params: { q: 1 } }],
        ['system_tool_chunk', { tool_id: '1', text: 'x' }],
        ['system_tool_complete', { tool_id: '1', result: 1 }],
        ['system_tool_start', { tool_type: 'search', tool_id: '2', params: { q: 1 } }],
      ],
      ['1', '1', '1', '2'],
    ],
    [
      'of a system tool ends with its error, under any of its ids',
      [
        ['system_tool_start', { tool_type: 'search', tool_id: '1', params: { q: 1 } }],
        ['system_tool_start', { tool_type: 'search', tool_id: '2', params: { q: 1 } }],
        ['system_tool_error', { tool_id: '2', error: 'x' }],
        ['system_tool_start', { tool_type: 'search', tool_id: '3', params: { q: 1 } }],
      ],
      ['1', '1', '1', '3'],
    ],
  ])('%s', (_, events, expected) => {
    expect(idsOf(events)).toEqual(expected);
  });

  it('of a failed system tool is recognized by its descriptor too, and only its ids change', () => {
    const play = player();
    const start = { tool_type: 'search', params: { q: 1 } };
    for (const tool_id of ['1', '2']) play('system_tool_start', { ...start, tool_id });
    const failed = { error: 'x', tool: { id: '2', tool_id: '2', name: 'search' } };
    expect(play('system_tool_error', failed)).toEqual({
      error: 'x',
      tool: { id: '1', tool_id: '1', name: 'search' },
    });
    expect(failed.tool.id).toBe('2');
    expect(play('system_tool_start', { ...start, tool_id: '3' }).tool_id).toBe('3');
    expect(play('system_tool_error', { error: 'x', tool: null })).toEqual({ error: 'x', tool: null });
  });
});

describe('a reference to another event', () => {
  it('gets the id that the frontend knows, in hooks of tools and questions of assignments and tools', () => {
    const play = player();
    play(...tool('executing', '1'));
    play(...tool('executing', '2'));
    play(...assignment('received', 'a'));
    play(...assignment('in_progress', 'b'));
    const hook = {
      name: 'h',
      target_type: 'tool',
      target_id: '2',
      hook: { target_type: 'tool', target_id: '2' },
    };
    expect(play('hook_fired', hook)).toMatchObject({ target_id: '1', hook: { target_id: '1' } });
    expect(hook).toMatchObject({ target_id: '2', hook: { target_id: '2' } });
    const question = play('interrupt_required', { assignment_id: 'b', prompt: 'Which?' });
    expect(question).toMatchObject({ assignment_id: 'a', interrupt: { assignment_id: 'a' } });
    const ofCall = play('interrupt_required', { assignment_id: '2', prompt: 'Why?' });
    expect(ofCall).toMatchObject({ assignment_id: '1', interrupt: { assignment_id: '1' } });
    expect(play('hook_fired', { target_type: 'agent', target_id: '2' })).toEqual({
      target_type: 'agent',
      target_id: '2',
    });
  });

  it.each([
    ['flat fields', { target_type: 'tool', target_id: '2' }, { target_type: 'tool', target_id: '1' }],
    [
      'a descriptor',
      { hook: { target_type: 'tool', target_id: '2' } },
      { hook: { target_type: 'tool', target_id: '1' } },
    ],
  ])('gets that id in hooks with only %s', (_, hook, expected) => {
    const play = player();
    play(...tool('executing', '1'));
    play(...tool('executing', '2'));
    expect(play('hook_fired', hook)).toEqual(expected);
  });
});

describe('a scope', () => {
  const scope = (id: string | undefined, name: string | undefined, type: string | undefined) =>
    ['enrichment', { phase: 'p', message: 'm', scope_id: id, scope_name: name, scope_type: type }] as [
      string,
      Record<string, unknown>,
    ];

  it.each<[string, [string, Record<string, unknown>][], unknown[]]>([
    [
      'has one id per type and name',
      [scope('1', 'Desk', 'swarm'), scope('2', ' desk', 'SWARM'), scope(undefined, 'Desk', 'swarm')],
      ['1', '1', '1'],
    ],
    [
      'of another type has another id',
      [scope('1', 'Desk', 'swarm'), scope('2', 'Desk', 'agent')],
      ['1', '2'],
    ],
    [
      'without an id gets one derived from its type and name',
      [scope(undefined, 'Big Desk', 'swarm'), scope(undefined, undefined, 'tenant')],
      ['swarm:big_desk', 'tenant'],
    ],
    [
      'without a name is recognized by its id',
      [scope('1', undefined, 'swarm'), scope('2', undefined, 'swarm')],
      ['1', '2'],
    ],
    [
      'keeps its derived id when a later event has an id',
      [scope(undefined, 'Desk', 'swarm'), scope('1', 'Desk', 'swarm')],
      ['swarm:desk', 'swarm:desk'],
    ],
    [
      'is recognized by each of its ids, even under another name',
      [scope('1', 'Desk', 'swarm'), scope('2', 'Desk', 'swarm'), scope('2', 'Office', 'swarm')],
      ['1', '1', '1'],
    ],
    ['without a name, type or id gets none', [scope(undefined, undefined, undefined)], [undefined]],
  ])('%s', (_, events, expected) => {
    expect(idsOf(events)).toEqual(expected);
  });
});

describe('identify', () => {
  it('does not change the state until its effects are applied', () => {
    const state = new TurnState();
    const resolve = () => {
      const draft = rebuild(...tool('executing', '1'));
      identify(draft, state);
      return rebuildId(tool('executing', '2'), state);
    };
    expect(resolve()).toBe('2');
    expect(state.snapshot()).toEqual([]);
  });
});

function rebuildId(event: [string, Record<string, unknown>], state: TurnState): unknown {
  const draft = rebuild(...event);
  identify(draft, state);
  return draft.payload.tool_id;
}
