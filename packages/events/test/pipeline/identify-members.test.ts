import { describe, expect, it } from 'vitest';
import { assignment, idsOf } from './identified-events.js';

const member = (status: string, id?: string, args = {}) =>
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

describe('a swarm member', () => {
  it.each<[string, [string, Record<string, unknown>][], unknown[]]>([
    [
      'keeps one id during an assignment, whatever ids its events have',
      [assignment('received', '1'), assignment('in_progress', '2'), assignment('completed', '3')],
      ['1', '1', '1'],
    ],
    [
      'gets a new id when it runs again after it has completed',
      [
        assignment('in_progress', '1'),
        assignment('completed', '1'),
        assignment('in_progress', '2'),
        assignment('completed', '3'),
      ],
      ['1', '1', '2', '2'],
    ],
    ...['success', 'failed', 'error', 'cancelled'].map(
      (status): [string, [string, Record<string, unknown>][], unknown[]] => [
        `gets a new id when it runs again after its status was '${status}'`,
        [assignment('in_progress', '1'), assignment(status, '1'), assignment('in_progress', '2')],
        ['1', '1', '2'],
      ],
    ),
    [
      'keeps its id when its tool completes last, under another id',
      [
        member('executing', 't1'),
        assignment('in_progress', '1'),
        assignment('completed', '1'),
        member('completed', 't9'),
      ],
      ['t1', 't1', 't1', 't1'],
    ],
    [
      'gets a new derived id for each run if its events have no ids',
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
      'gets a new derived id for each run if its tool events have no ids',
      [
        member('executing'),
        member('completed'),
        member('executing'),
        member('completed'),
        member('executing'),
      ],
      ['tool:analyst', 'tool:analyst', 'tool:analyst:2', 'tool:analyst:2', 'tool:analyst:3'],
    ],
    [
      'shares one id in each run if none of its events have ids, the tool event first',
      [
        member('executing'),
        assignment('in_progress'),
        assignment('completed'),
        member('completed'),
        member('executing'),
        assignment('in_progress'),
        member('completed'),
      ],
      [
        ...Array.from({ length: 4 }, () => 'tool:analyst'),
        ...Array.from({ length: 3 }, () => 'tool:analyst:2'),
      ],
    ],
    [
      'shares one id in each run if none of its events have ids, the assignment first',
      [
        assignment('received'),
        member('executing'),
        member('completed'),
        assignment('received'),
        member('executing'),
        member('completed'),
      ],
      [
        ...Array.from({ length: 3 }, () => 'agent:desk:analyst'),
        ...Array.from({ length: 3 }, () => 'agent:desk:analyst:2'),
      ],
    ],
    [
      'keeps its id when its completion is reported again',
      [
        assignment('in_progress', '1'),
        assignment('completed', '1'),
        assignment('completed'),
        assignment('completed', '9'),
      ],
      ['1', '1', '1', '1'],
    ],
    [
      'keeps a known id after it has finished',
      [assignment('completed', '1'), assignment('in_progress', '1')],
      ['1', '1'],
    ],
    [
      'keeps its id when an event omits its swarm',
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
      'never reuses the id of a finished deployment, even with equal arguments',
      [
        member('executing', 't1', { q: 1 }),
        assignment('completed', '1'),
        member('executing', 't2', { q: 1 }),
        member('completed', 't2'),
      ],
      ['t1', 't1', 't2', 't2'],
    ],
    [
      'keeps a known id that only its descriptor has, after it has finished',
      ['executing', 'completed', 'executing'].map((status): [string, Record<string, unknown>] => [
        'tool_event',
        { tool_type: 'agent', agent_name: 'Analyst', status, tool: { id: 't1', name: 'Analyst' } },
      ]),
      ['t1', 't1', 't1'],
    ],
    [
      'keeps a known id even if another deployment awaits its tool event',
      [
        member('executing', 't1'),
        member('completed', 't1'),
        assignment('received', '5'),
        member('executing', 't1'),
      ],
      ['t1', 't1', '5', 't1'],
    ],
    [
      'keeps the id of a new deployment when its start is reported again',
      [
        member('executing', 't1', { q: 1 }),
        assignment('completed', '1'),
        member('executing', 't2', { q: 1 }),
        member('executing', 't3', { q: 1 }),
      ],
      ['t1', 't1', 't2', 't2'],
    ],
    [
      'has two ids when it is deployed twice at once',
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
      'of another swarm has an id of its own',
      [
        assignment('in_progress', '1', 'Office'),
        member('executing', 't1'),
        assignment('in_progress', '2', 'Desk'),
        assignment('completed', '3', 'Office'),
      ],
      ['1', 't1', 't1', '1'],
    ],
    [
      'is taken to be its oldest deployment without an assignment id while assignments have none',
      [
        member('executing', 't1', { q: 1 }),
        member('executing', 't2', { q: 2 }),
        assignment('received'),
        assignment('in_progress'),
        assignment('in_progress', '1'),
        assignment('in_progress', '2'),
      ],
      ['t1', 't2', 't1', 't1', 't1', 't2'],
    ],
    [
      'ends its oldest deployment when an unknown id completes',
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
