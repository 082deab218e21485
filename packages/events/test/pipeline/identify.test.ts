import { describe, expect, it } from 'vitest';
import { identify } from '../../src/pipeline/identify.js';
import { rebuild } from '../../src/pipeline/rebuild.js';
import { TurnState } from '../../src/pipeline/turn-state.js';

/** Plays events through identity, as a bridge does when each is accepted. */
function player() {
  const state = new TurnState();
  return (name: string, data: Record<string, unknown>) => {
    const draft = rebuild(name, data);
    state.apply(identify(draft, state));
    return draft.payload;
  };
}

/** The ids that events get, one after the other. */
function idsOf(events: readonly [name: string, data: Record<string, unknown>][]): unknown[] {
  const play = player();
  return events.map((event) => {
    const { tool_id, assignment_id, scope_id, target_id } = play(...event);
    return tool_id ?? assignment_id ?? scope_id ?? target_id;
  });
}

const assignment = (status: string, id?: string, swarm: string | undefined = 'Desk') =>
  ['agent_assignment', { agent_name: 'Analyst', status, assignment_id: id, swarm_name: swarm }] as [
    string,
    Record<string, unknown>,
  ];
const member = (status: string, id: string, args = {}) =>
  [
    'tool_event',
    {
      tool_type: 'agent',
      tool_name: 'Analyst',
      agent_name: 'Analyst',
      swarm_name: 'Desk',
      tool_id: id,
      status,
      args,
    },
  ] as [string, Record<string, unknown>];
const tool = (status: string, id: string, args = {}) =>
  ['tool_event', { tool_name: 'fetch', tool_id: id, status, args }] as [string, Record<string, unknown>];

describe('a swarm member', () => {
  it.each<[string, [string, Record<string, unknown>][], unknown[]]>([
    [
      'keeps one id while its assignment goes on, whatever ids come',
      [assignment('received', '1'), assignment('in_progress', '2'), assignment('completed', '3')],
      ['1', '1', '1'],
    ],
    [
      'is a new invocation when it runs again after it completed',
      [
        assignment('in_progress', '1'),
        assignment('completed', '1'),
        assignment('in_progress', '2'),
        assignment('completed', '3'),
      ],
      ['1', '1', '2', '2'],
    ],
    [
      'is a new invocation also without ids',
      [
        assignment('in_progress'),
        assignment('completed'),
        assignment('in_progress'),
        assignment('completed'),
        assignment('in_progress'),
      ],
      [
        'agent:desk:analyst',
        'agent:desk:analyst',
        'agent:desk:analyst:2',
        'agent:desk:analyst:2',
        'agent:desk:analyst:3',
      ],
    ],
    [
      'completes once, however often that is said',
      [
        assignment('in_progress', '1'),
        assignment('completed', '1'),
        assignment('completed'),
        assignment('completed', '9'),
      ],
      ['1', '1', '1', '1'],
    ],
    [
      'keeps a known id after it finished',
      [assignment('completed', '1'), assignment('in_progress', '1')],
      ['1', '1'],
    ],
    [
      'is the same with and without its swarm',
      [assignment('in_progress', '1'), assignment('completed', '2', '')],
      ['1', '1'],
    ],
    [
      'shares its id with the tool event that deployed it, the assignment first',
      [
        assignment('received', '1'),
        member('executing', 't1'),
        assignment('completed', '2'),
        member('completed', 't1'),
      ],
      ['1', '1', '1', '1'],
    ],
    [
      'shares its id with the tool event that deployed it, the tool event first',
      [
        member('executing', 't1'),
        assignment('in_progress', '1'),
        member('completed', 't9'),
        assignment('completed', '2'),
      ],
      ['t1', 't1', 't1', 't1'],
    ],
    [
      'never gets the card of a finished deployment, not even with equal arguments',
      [
        member('executing', 't1', { q: 1 }),
        assignment('completed', '1'),
        member('executing', 't2', { q: 1 }),
        member('completed', 't2'),
      ],
      ['t1', 't1', 't2', 't2'],
    ],
    [
      'keeps an id that is known, also where another deployment waits for its tool event',
      [
        member('executing', 't1'),
        member('completed', 't1'),
        assignment('received', '5'),
        member('executing', 't1'),
      ],
      ['t1', 't1', '5', 't1'],
    ],
    [
      'is told of twice when its new deployment is',
      [
        member('executing', 't1', { q: 1 }),
        assignment('completed', '1'),
        member('executing', 't2', { q: 1 }),
        member('executing', 't3', { q: 1 }),
      ],
      ['t1', 't1', 't2', 't2'],
    ],
    [
      'has two cards when it is deployed twice at once',
      [
        member('executing', 't1', { q: 1 }),
        member('executing', 't2', { q: 2 }),
        assignment('in_progress', '1'),
        assignment('in_progress', '2'),
        assignment('completed', '1'),
        member('completed', 't2'),
      ],
      ['t1', 't2', 't1', 't2', 't1', 't2'],
    ],
    [
      'ends its oldest deployment when an id that nobody knows ends',
      [
        member('executing', 't1', { q: 1 }),
        member('executing', 't2', { q: 2 }),
        member('completed', 't9'),
        member('completed', 't8'),
      ],
      ['t1', 't2', 't1', 't2'],
    ],
  ])('%s', (_, events, expected) => {
    expect(idsOf(events)).toEqual(expected);
  });
});

describe('a tool call', () => {
  it.each<[string, [string, Record<string, unknown>][], unknown[]]>([
    [
      'is found by its arguments, whatever their order',
      [tool('executing', '1', { a: 1, b: 2 }), tool('executing', '2', { b: 2, a: 1 })],
      ['1', '1'],
    ],
    [
      'is found by its name when it ends under another id',
      [tool('executing', '1'), tool('completed', '9')],
      ['1', '1'],
    ],
    [
      'keeps its own id where two could be meant',
      [tool('executing', '1', { a: 1 }), tool('executing', '2', { a: 2 }), tool('completed', '9')],
      ['1', '2', '9'],
    ],
    [
      'is a new one after it ended',
      [tool('executing', '1'), tool('failed', '1'), tool('executing', '2')],
      ['1', '1', '2'],
    ],
    [
      'of the system ends with its completion, so that the next one is new',
      [
        ['system_tool_start', { tool_type: 'search', tool_id: '1', params: { q: 1 } }],
        ['system_tool_chunk', { tool_id: '1', text: 'x' }],
        ['system_tool_complete', { tool_id: '1', result: 1 }],
        ['system_tool_start', { tool_type: 'search', tool_id: '2', params: { q: 1 } }],
      ],
      ['1', '1', '1', '2'],
    ],
    [
      'of the system ends with its error, under whatever id that came',
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

  it('of the system that failed is found by its descriptor too, and nothing else of the event changes', () => {
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

describe('what points at another event', () => {
  it('gets the id that the frontend knows: hooks of tools, questions of assignments', () => {
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
    expect(play('hook_fired', { target_type: 'agent', target_id: '2' })).toEqual({
      target_type: 'agent',
      target_id: '2',
    });
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
      'has one id for one type and name',
      [scope('1', 'Desk', 'swarm'), scope('2', ' desk', 'SWARM'), scope(undefined, 'Desk', 'swarm')],
      ['1', '1', '1'],
    ],
    [
      'of another type is another one',
      [scope('1', 'Desk', 'swarm'), scope('2', 'Desk', 'agent')],
      ['1', '2'],
    ],
    [
      'without an id gets one of its name',
      [scope(undefined, 'Big Desk', 'swarm'), scope(undefined, undefined, 'tenant')],
      ['swarm:big_desk', 'tenant'],
    ],
    ['that is not named has none', [scope(undefined, undefined, undefined)], [undefined]],
  ])('%s', (_, events, expected) => {
    expect(idsOf(events)).toEqual(expected);
  });
});

describe('identity', () => {
  it('changes nothing before its effects are applied', () => {
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
