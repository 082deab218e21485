import {
  APP_EVENT_CONTRACT_VERSION,
  AppEventSchema,
  AssignmentDescriptorSchema,
  AssistantDescriptorSchema,
  ChunkDescriptorSchema,
  CONTRACT_EVENT_NAMES,
  EnrichmentDescriptorSchema,
  ErrorInfoDescriptorSchema,
  FAMILY_PAYLOAD_SCHEMAS,
  HookDescriptorSchema,
  InterruptDescriptorSchema,
  LifecycleDescriptorSchema,
  OutputDescriptorSchema,
  ParticipantDescriptorSchema,
  ScopeDescriptorSchema,
  SessionDescriptorSchema,
  StatusDescriptorSchema,
  ToolDescriptorSchema,
} from '@svc/contracts';
import type { ValueMatcher } from '@svc/redaction';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

const descriptors = {
  scope: ScopeDescriptorSchema,
  participant: ParticipantDescriptorSchema,
  lifecycle: LifecycleDescriptorSchema,
  tool: ToolDescriptorSchema,
  assistant: AssistantDescriptorSchema,
  assignment: AssignmentDescriptorSchema,
  enrichment: EnrichmentDescriptorSchema,
  interrupt: InterruptDescriptorSchema,
  output: OutputDescriptorSchema,
  error_info: ErrorInfoDescriptorSchema,
  session: SessionDescriptorSchema,
  chunk: ChunkDescriptorSchema,
  hook: HookDescriptorSchema,
  status: StatusDescriptorSchema,
};

const descriptorNames: ReadonlySet<string> = new Set(Object.keys(descriptors));

/** The names of the contract's fields, which tell nothing of a private value that is the same word. */
const fieldNames: ReadonlySet<string> = new Set(
  [AppEventSchema, ...Object.values(FAMILY_PAYLOAD_SCHEMAS), ...Object.values(descriptors)].flatMap(
    ({ shape }) => Object.keys(shape),
  ),
);

const listed = (words: string): ReadonlySet<unknown> => new Set(words.split(' '));

/** The fields whose texts are words of the contract, by which a frontend tells one thing from another. */
const wordFields = listed(
  'contract_version event_name event_kind status phase stage input_type type tool_type scope_type target_type source',
);

const words: ReadonlySet<unknown> = new Set([
  APP_EVENT_CONTRACT_VERSION,
  ...CONTRACT_EVENT_NAMES,
  ...listed('tool assistant status interrupt assignment enrichment final error session hook custom'),
  ...listed('received executing in_progress completed failed cancelled interrupted before after'),
  ...listed('func agent mcp model system swarm scope text choice boolean number email password'),
]);

/** The fields that count or measure, whatever private number is the same. */
const countFields = listed('assignment_index interrupt_number total_interrupts number total elapsed_ms');

/**
 * An event's data with every private value replaced, but for the words of the contract itself: a value that is one of
 * them must not cost a reader the event. Answers the very same data when there is nothing to replace; never changes what
 * it is given.
 */
export function scrubData(data: JsonRecord, matcher: ValueMatcher): JsonRecord {
  const scrubbed = new Map<unknown, unknown>();
  // What stands flat and in a descriptor is the same object, and large.
  const scrub = (value: unknown) => {
    if (!scrubbed.has(value)) scrubbed.set(value, matcher.scrub(value));
    return scrubbed.get(value);
  };
  return scrubFields(data, scrub);
}

function scrubFields(record: JsonRecord, scrub: (value: unknown) => unknown): JsonRecord {
  const entries = Object.entries(record);
  const known = entries
    .filter(([key]) => fieldNames.has(key))
    .map(([key, value]) => [key, scrubField(key, value, scrub)] as const);
  const rest = Object.fromEntries(entries.filter(([key]) => !fieldNames.has(key)));
  const scrubbedRest = scrub(rest) as JsonRecord;
  const isSame = scrubbedRest === rest && known.every(([key, value]) => value === record[key]);
  return isSame ? record : { ...Object.fromEntries(known), ...scrubbedRest };
}

function scrubField(key: string, value: unknown, scrub: (value: unknown) => unknown): unknown {
  if (wordFields.has(key) && words.has(value)) return value;
  if (countFields.has(key) && typeof value === 'number') return value;
  return descriptorNames.has(key) && isRecord(value) ? scrubFields(value, scrub) : scrub(value);
}
