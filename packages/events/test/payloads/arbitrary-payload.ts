import { KNOWN_FAMILY_NAMES } from '@svc/contracts';
import * as fc from 'fast-check';

export const arbitraryFamily = fc.constantFrom(...KNOWN_FAMILY_NAMES);

const text = fc.oneof(
  fc.constantFrom('', ' ', 'a', ' A ', 'agent', 'Swarm', 'executing', 'completed', 'failed', 'system', 'x:y'),
  fc.string(),
);
const json = fc.oneof(
  text,
  fc.jsonValue(),
  fc.constantFrom(null, undefined, true, 0, 1.5, Number.NaN, [], {}),
);

const fieldNames = [
  'tool_name',
  'tool_id',
  'tool_type',
  'status',
  'args',
  'params',
  'result',
  'error',
  'details',
  'agent_name',
  'swarm_name',
  'participant_key',
  'participant_name',
  'participant_role',
  'assistant_id',
  'text',
  'message',
  'progress',
  'replace_content',
  'interrupt_id',
  'data_key',
  'prompt',
  'arg_name',
  'checkpoint_id',
  'assignment_id',
  'interrupt_number',
  'total_interrupts',
  'input_type',
  'choices',
  'timestamp',
  'task',
  'phase',
  'scope_id',
  'scope_name',
  'scope_type',
  'memory',
  'redaction',
  'response',
  'responses',
  'token_usage',
  'session_id',
  'contract_version',
  'event_name',
  'event_kind',
  '__proto__',
  'constructor',
  'extra',
];
const descriptorFields = [
  'id',
  'tool_id',
  'assignment_id',
  'name',
  'type',
  'key',
  'role',
  'status',
  'args',
  'result',
  'error',
  'delta',
  'replace_content',
  'message',
  'details',
  'code',
  'phase',
  'memory',
  'redaction',
  'data_key',
  'prompt',
  'number',
  'total',
  'choices',
  'input_type',
  'response',
  'token_usage',
  'agent_name',
  'swarm_name',
  'task',
  'progress',
  'text',
  'run_id',
  '__proto__',
  'extra',
];
const descriptorNames = [
  'tool',
  'lifecycle',
  'assistant',
  'status',
  'assignment',
  'enrichment',
  'interrupt',
  'output',
  'error_info',
  'chunk',
  'scope',
  'participant',
  'session',
  'hook',
];

/** Creates objects with own fields only, even `__proto__`, as a JSON parser does. */
const withFields = (names: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), values), { selector: ([key]) => key, maxLength: 12 })
    .map((pairs) => Object.fromEntries(pairs));

const descriptor = fc.oneof(
  { weight: 4, arbitrary: withFields(descriptorFields, json) },
  { weight: 1, arbitrary: json },
);

/** A payload with the contract's field names, and values that fit them or not. */
export const arbitraryPayload: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(withFields(fieldNames, json), withFields(descriptorNames, descriptor))
  .map(([flat, nested]) => Object.fromEntries([...Object.entries(flat), ...Object.entries(nested)]));
