import type { Deviation } from './deviations.ts';

const v1 = (fields: Record<string, unknown>) => [{ contract_version: 'v1', event_name: 'e', ...fields }];
const ours = (at: number, value: unknown): Deviation => ({ path: `per_event.${at}`, ours: value });

const replacing = (at: number): Deviation[] => [
  { path: `per_event.${at}.0.replace_content`, ours: true },
  { path: `per_event.${at}.0.assistant.replace_content`, ours: true },
];

const flatCounters = (at: number, value: number): Deviation[] => [
  { path: `per_event.${at}.0.interrupt_number`, ours: value },
  { path: `per_event.${at}.0.total_interrupts`, ours: value },
];

const counters = (at: number, value: number): Deviation[] => [
  ...flatCounters(at, value),
  { path: `per_event.${at}.0.interrupt.number`, ours: value },
  { path: `per_event.${at}.0.interrupt.total`, ours: value },
];

const secondCall = {
  contract_version: 'v1',
  event_name: 'tool_event',
  event_kind: 'tool',
  tool_name: 'parse',
  tool_id: 'e-2:1',
  tool_type: 'func',
  status: 'executing',
  args: {},
  agent_name: 'Agent',
  tool: { id: 'e-2:1', tool_id: 'e-2:1', name: 'parse', type: 'func', status: 'executing', args: {} },
  lifecycle: { phase: 'executing' },
  scope: { type: 'agent', name: 'Agent' },
};
const innerError = 'Agent execution failed: inner';

/** Listed in docs/compatibility.md, "Events: normalizer, builders, forwarding". */
export const normalizeDeviations: Readonly<Record<string, readonly Deviation[]>> = {
  'normalize/update-shrinking-text': [
    { path: 'per_event.2.0.text', ours: 'Hello there' },
    { path: 'per_event.2.0.assistant.delta', ours: 'Hello there' },
    ...replacing(2),
    ...replacing(3),
  ],
  'normalize/enrichment-unknown-extras-dropped': [
    { path: 'per_event.0.0.reevaluate', ours: { source: 'llm' } },
  ],
  'normalize/interrupt-number-types': [...flatCounters(3, 1), ...counters(6, 2)],
  'normalize/interrupt-choices-types': [
    { path: 'per_event.2.0.choices', ours: ['1', 'true', 'null', '1.5'] },
    { path: 'per_event.2.0.interrupt.choices', ours: ['1', 'true', 'null', '1.5'] },
  ],
  'normalize/v1-validation-errors': [
    ours(0, [{ contract_version: 'v1', event_name: 'tool_event', tool: 'nope' }]),
    ours(1, []),
    ours(2, v1({ event_kind: 5 })),
    ours(3, v1({ interrupt: { choices: 'abc' } })),
    ours(4, v1({ tool: { args: [1] }, chunk: { progress: 'x' } })),
    ours(5, v1({ output: { token_usage: [1] } })),
    ours(6, v1({ scope: [] })),
  ],
  'normalize/v1-lax-coercions': [
    ours(0, v1({ interrupt: { number: '2', total: 3, choices: [] } })),
    ours(1, v1({ chunk: { progress: '0.5' } })),
    ours(2, v1({ chunk: { progress: true } })),
    ours(4, v1({ hook: { elapsed_ms: 12.5 } })),
    ours(5, v1({ interrupt: { number: true, choices: [] } })),
    ours(6, v1({ interrupt: { number: ' 7 ', choices: [] } })),
    ours(7, v1({ tool: { args: {} } })),
  ],
  'fuzz-normalize/000': [
    { path: 'per_event.0.0.tool_name', ours: 'fetch' },
    { path: 'per_event.0.0.tool.name', ours: 'fetch' },
  ],
  'fuzz-normalize/004': [
    { path: 'per_event.4.1', ours: secondCall },
    { path: 'per_event.6.0.status', ours: 'failed' },
    { path: 'per_event.6.0.error', ours: innerError },
    { path: 'per_event.6.0.error_info', ours: { message: innerError, details: {} } },
    { path: 'state.reported_tool_ids', ours: ['e-2:1', 't-1'] },
  ],
};
