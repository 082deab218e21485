import { describe, expect, it } from 'vitest';
import { crashRun, type Scenario } from '../support/crash-run.js';
import { base64 } from '../support/memory-bench.js';
import { memberSpec, needs, request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';

const text = { type: 'string' };
const approve = {
  type: 'interrupt_dependency',
  data_key: 'approve',
  prompt: 'Pay?',
  input_type: 'boolean',
  collected_by: 'orchestrator',
};
const file = (content: string, more: object = {}) => ({
  name: 'note.txt',
  content_base64: base64(content),
  mime_type: 'text/plain',
  ...more,
});

const scenarios: Scenario[] = [
  {
    name: 'producer and consumer',
    request: request('charge', [
      toolSpec('fetch', { id: text }),
      toolSpec('charge', { order: needs('fetch'), note: text }),
    ]),
    planner: () =>
      scriptedPlanner([call(['t-charge', { note: 'n' }], ['t-fetch', { id: '7' }]), finish('Charged.')]),
    tools: { fetch: () => ({ total: 1 }), charge: () => ({ charged: 1 }) },
  },
  {
    name: 'parallel calls, one of which fails, a rejected step and text',
    request: request('go', [toolSpec('a'), toolSpec('b'), toolSpec('c', { of: needs('a') })], {
      status_messages: true,
    }),
    planner: () =>
      scriptedPlanner([
        call(['nope']),
        {
          type: 'call',
          calls: ['a', 'b', 'c'].map((name) => ({ tool_id: `t-${name}`, args: {} })),
          text: 'Looking.',
        },
        call(['t-b']),
        finish('Done.'),
      ]),
    tools: { a: () => new Error('a is broken'), b: () => [1, 2], c: () => 'never' },
  },
  {
    name: 'questions and an approval',
    request: request('pay', [toolSpec('pay', { amount: { type: 'number' }, approve })]),
    planner: () =>
      scriptedPlanner([
        { type: 'ask', questions: [{ question_id: 'how_much', prompt: 'How much?', input_type: 'number' }] },
        call(['t-pay', { amount: 5 }]),
        finish('Paid.'),
      ]),
    tools: { pay: () => 'ok' },
    answers: { how_much: '5', approve: 'yes' },
  },
  {
    name: 'a swarm',
    request: request(
      'tea',
      [memberSpec('researcher'), memberSpec('writer', { notes: needs('researcher') })],
      {
        swarm_config: {
          swarm_name: 'desk',
          agent_roster: [
            { agent_id: 'ag-researcher', name: 'researcher', invocation_tool_id: 't-researcher' },
            {
              agent_id: 'ag-writer',
              name: 'writer',
              invocation_tool_id: 't-writer',
              use_as_final_output: true,
            },
          ],
        },
      },
    ),
    planner: () =>
      scriptedPlanner([call(['t-researcher', { prompt: 'facts' }], ['t-writer', { prompt: 'lines' }])]),
    tools: { researcher: () => ({ result: 1 }), writer: () => ({ result: null, response: 'Tea.' }) },
  },
  {
    name: 'memory with files and a failing tool',
    request: request('look into the files', [toolSpec('look')], {
      memory_config: {},
      memory_assets_config: { bound_resources: [file('one', { resource_id: 'book' })] },
      messages: [
        {
          type: 'human',
          content: 'look into the files',
          additional_kwargs: { attachments: [file('two'), file('two')] },
        },
      ],
    }),
    planner: () => scriptedPlanner([call(['t-look']), finish('It failed.')]),
    tools: { look: () => new Error('too dark') },
  },
];

describe.each(scenarios)('a crash of the process ($name)', (scenario) => {
  it('is not visible to the client, whichever write it happens at', async () => {
    const undisturbed = await crashRun(scenario);
    expect(undisturbed).toMatchObject({ final: { status: 'completed' }, turns: 1, lives: 1 });
    expect(undisturbed.writes).toBeGreaterThan(8);
    const { writes, lives: _lives, ...expected } = undisturbed;
    for (let atWrite = 1; atWrite <= writes; atWrite += 1) {
      for (const moment of ['before', 'after'] as const) {
        const { writes: _writes, lives, ...disturbed } = await crashRun(scenario, { atWrite, moment });
        expect(disturbed, `died ${moment} write ${atWrite}`).toEqual(expected);
        expect(lives).toBe(2);
      }
    }
  });
});
