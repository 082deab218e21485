import type { Deviation } from './deviations.ts';

/** The same deviating value in several fields of one event of the history. */
function at(event: number, fields: readonly string[], ours: unknown): Deviation[] {
  return fields.map((field) => ({ path: `history.${event}.data.${field}`, ours }));
}

const toolId = ['tool_id', 'tool.id', 'tool.tool_id'];
const assignmentId = ['assignment_id', 'assignment.id', 'assignment.assignment_id'];
const generic = 'An internal error occurred. Please try again.';

/** Injected private data below the first level of a result, which the original does not redact. */
const injectedBelow = (event: number, places: readonly string[]): Deviation[] =>
  places.flatMap((place) => [
    ...at(event, [`${place}.interrupt_data_injected`], ['typed-secret']),
    ...at(event, [`${place}.nested.private_data_injected`], ['deep']),
  ]);

/** The same inside a list, which the original does not search at all. */
const injectedInList = (event: number, places: readonly string[]): Deviation[] => [
  ...injectedBelow(event, places),
  ...places.flatMap((place) => at(event, [`${place}.private_data_injected`], ['ssn', 'card'])),
];

const missing = (type: string, field: string) =>
  `Event ${type} failed schema validation: missing required fields ${field}`;

/** Listed in docs/compatibility.md, "Events: bridge and stream". */
export const bridgeDeviations: Readonly<Record<string, readonly Deviation[]>> = {
  'bridge/system-lifecycle-aliases': [...at(5, toolId, 'r-2'), ...at(6, toolId, 'r-2')],
  'bridge/system-raw-packets': at(1, ['progress', 'chunk.progress'], null),
  'bridge/assignment-swarm-vs-no-swarm': [...at(1, assignmentId, 'as-1'), ...at(2, assignmentId, 'as-1')],
  'bridge/enrichment-raw': [
    ...at(3, ['scope_id'], 'x'),
    ...at(3, ['scope_name'], 'n'),
    ...at(3, ['scope_type'], 'agent'),
  ],
  'bridge/raw-interrupt-numbers': [
    ...at(1, ['interrupt_number', 'interrupt.number'], 5),
    ...at(6, ['interrupt_number', 'interrupt.number'], 2),
  ],
  'bridge/backpressure-drop-oldest': [{ path: 'logs.queue full', ours: undefined }],
  'bridge/schema-strict-failure-still-registers-identity': at(0, toolId, 'e-1'),
  'bridge/safe-tool-event-injected': [
    ...injectedBelow(0, ['args', 'result', 'tool.args', 'tool.result']),
    ...injectedInList(1, ['result.0', 'tool.result.0']),
  ],
  'bridge/safe-system-tool-complete': injectedBelow(0, ['result', 'tool.result']),
  'bridge/safe-agent-assignment': injectedBelow(0, ['result', 'assignment.result']),
  'bridge/safe-final': [
    ...injectedBelow(0, ['result', 'output.result']),
    ...injectedInList(1, ['result.0', 'output.result.0']),
  ],
  'bridge/safe-enrichment-redaction': [
    ...at(4, ['memory.added_private_data.b', 'enrichment.memory.added_private_data.b'], '<redacted>'),
    ...at(4, ['memory.private_data_injected', 'enrichment.memory.private_data_injected'], ['a']),
  ],
  'bridge/safe-error-raw': at(0, ['trace'], generic),
  'bridge/safe-hook-fired-is-unknown': [
    ...at(0, ['error', 'hook.error'], generic),
    { path: 'logs.other', ours: undefined },
  ],
  'bridge/safe-other-known-untouched': [
    ...at(3, ['private_data_injected'], ['a']),
    ...at(4, ['private_data_injected'], ['a']),
  ],
  'bridge/mixed-swarm-run': [...at(3, toolId, '1'), { path: 'logs.other', ours: undefined }],
  'fuzz-bridge/001': [
    ...at(3, ['tool.args.private_data_injected'], ['k']),
    ...at(5, assignmentId, 'agent:a'),
    ...at(5, ['private_data_injected'], ['k']),
  ],
  'fuzz-bridge/002': at(1, assignmentId, 'agent:c_d'),
  'fuzz-bridge/003': [
    ...at(0, ['result.1.private_data_injected', 'assignment.result.1.private_data_injected'], ['k']),
    ...at(1, ['private_data_injected', 'result.1.private_data_injected'], ['k']),
    ...at(4, ['params.private_data_injected', 'tool.args.private_data_injected'], ['k']),
    { path: 'logs.failed schema validation', ours: 5 },
  ],
  'fuzz-bridge/004': [
    { path: 'history.1.type', ours: 'tool_event' },
    { path: 'results.4', ours: { op_index: 9, error: missing('interrupt_required', 'interrupt_id') } },
    { path: 'results.5', ours: { op_index: 10, error: missing('tool_event', 'status') } },
    { path: 'results.6', ours: { op_index: 11, error: missing('tool_event', 'status') } },
  ],
  'fuzz-bridge/006': [{ path: 'logs.failed schema validation', ours: undefined }],
  'fuzz-bridge/010': [
    ...at(0, ['tool.args'], { a: { x: [1, null] } }),
    ...at(0, ['tool.error'], 'inner'),
    ...at(0, ['tool.name'], '  '),
    ...at(0, ['tool.result'], { ok: true }),
    ...at(0, ['tool.status'], 'Completed'),
    ...at(4, ['error'], generic),
    { path: 'logs.failed schema validation', ours: 5 },
  ],
  'fuzz-bridge/013': [
    ...at(0, ['tool.args'], { a: 1, b: 2 }),
    ...at(0, ['tool.error'], 'C:\\tmp\\x'),
    ...at(0, ['tool.name'], 'fetch'),
    ...at(0, ['tool.result'], 0),
    ...at(0, ['tool.status'], 'executing'),
  ],
  'fuzz-bridge/014': [
    ...at(4, ['result.1.private_data_injected', 'tool.result.1.private_data_injected'], ['k']),
    ...at(5, ['result.1.private_data_injected', 'assignment.result.1.private_data_injected'], ['k']),
  ],
};
