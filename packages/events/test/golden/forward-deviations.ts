import type { Deviation } from './deviations.ts';

const oneStop =
  'Agent execution failed: An internal error occurred. Please try again. Contact support if this persists.';

/** The deviating fields of one event of the history, by their path within its data. */
const inHistory = (at: number, fields: Readonly<Record<string, unknown>>): Deviation[] =>
  Object.entries(fields).map(([path, ours]) => ({ path: `history.${at}.data.${path}`, ours }));

interface Participant {
  key?: string;
  name?: string;
  role?: string;
}

/** A participant that the original loses on its way to a bridge. */
const participant = (at: number, who: Participant): Deviation[] =>
  inHistory(at, {
    participant: who,
    ...Object.fromEntries(Object.entries(who).map(([key, value]) => [`participant_${key}`, value])),
  });

const defaultParticipant = { key: 'pk', name: 'P Name', role: 'assistant' };

/** One card for a member action that both events describe. */
const memberOfTool = inHistory(5, { tool_id: 'act-1', 'tool.id': 'act-1', 'tool.tool_id': 'act-1' });

/** One card for each deployment of a member, instead of one for all. */
const redeployments = [3, 4, 5, 6, 7, 8].flatMap((at) => {
  const id = at < 6 ? 'act-2' : 'act-3';
  return inHistory(at, { assignment_id: id, 'assignment.id': id, 'assignment.assignment_id': id });
});

const passedThrough = inHistory(0, { custom: { x: 1 }, 'tool.extra': 1 });

/** Listed in docs/compatibility.md, "Events: normalizer, builders, forwarding". */
export const forwardDeviations: Readonly<Record<string, readonly Deviation[]>> = {
  'forward/errors': [{ path: 'calls.1.arguments.message', ours: oneStop }],
  'fuzz-pipeline/003': [{ path: 'calls.0.arguments.message', ours: oneStop }],
  'fuzz-pipeline/005': [
    {
      path: 'state.tool_context_by_id.e-2:1',
      ours: { name: 't-1', tool_type: 'model', agent_name: null, swarm_name: null },
    },
  ],
  'forward/system-tool-error-event': inHistory(1, {
    tool_name: 'think',
    'tool.name': 'think',
    agent_name: 'A',
    swarm_name: 'S',
    scope: { type: 'swarm', name: 'S' },
  }),
  'forward/participants-lost-on-bridge': [
    ...participant(0, { key: 'k', name: 'n', role: 'r' }),
    ...participant(1, { key: 'k' }),
    ...participant(2, { name: 'n' }),
    ...participant(3, { role: 'r' }),
  ],
  'pipeline/all-defaults-all-events/internal': [0, 1, 2, 3, 4, 6, 7, 9, 13].flatMap((at) =>
    participant(at, defaultParticipant),
  ),
  'pipeline/v1-passthrough/internal': passedThrough,
  'pipeline/v1-passthrough/frontend_safe': [...passedThrough, { path: 'logs.other', ours: 1 }],
  'pipeline/session-swarm-run/internal': memberOfTool,
  'pipeline/session-swarm-run/frontend_safe': memberOfTool,
  'pipeline/session-supervisor-redeploy/internal': redeployments,
  'pipeline/session-supervisor-redeploy/frontend_safe': redeployments,
  'fuzz-pipeline/001': inHistory(1, {
    'params.private_data_injected': ['k'],
    'tool.args.private_data_injected': ['k'],
  }),
  'fuzz-pipeline/007': [{ path: 'logs.failed schema validation', ours: undefined }],
};
