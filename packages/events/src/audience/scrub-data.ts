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
  isContractEventName,
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

/** The names of the contract's fields, which reveal nothing even if a private value is the same word. */
const fieldNames: ReadonlySet<string> = new Set(
  [AppEventSchema, ...Object.values(FAMILY_PAYLOAD_SCHEMAS), ...Object.values(descriptors)].flatMap(
    ({ shape }) => Object.keys(shape),
  ),
);

const wordSet = (words: string): ReadonlySet<unknown> => new Set(words.split(' '));

/** The fields of an object that describe the event and never contain a private value. */
interface OwnFields {
  /** Fields whose values are words of the contract, which frontends rely on. */
  readonly words: ReadonlySet<unknown>;
  /** Counts and measurements, even if a private number is the same. */
  readonly counters: ReadonlySet<unknown>;
}

const stampFields = 'contract_version event_name event_kind';
const wordFields = wordSet(
  `${stampFields} status phase stage input_type type tool_type scope_type target_type source`,
);

const ofFamily: OwnFields = {
  words: wordFields,
  counters: wordSet('assignment_index interrupt_number total_interrupts elapsed_ms progress'),
};

/** The other fields of an application's own event have a meaning of its own. */
const ofApplication: OwnFields = { words: wordSet(stampFields), counters: new Set() };

const countersOf: Partial<Record<string, string>> = {
  tool: 'elapsed_ms',
  interrupt: 'number total',
  chunk: 'progress',
  hook: 'elapsed_ms',
} satisfies Partial<Record<keyof typeof descriptors, string>>;

const ofDescriptor: ReadonlyMap<string, OwnFields> = new Map(
  Object.keys(descriptors).map((name) => [
    name,
    { words: wordFields, counters: wordSet(countersOf[name] ?? '') },
  ]),
);

const words: ReadonlySet<unknown> = new Set([
  APP_EVENT_CONTRACT_VERSION,
  ...CONTRACT_EVENT_NAMES,
  ...wordSet('tool assistant status interrupt assignment enrichment final error session hook custom'),
  ...wordSet('received executing in_progress completed failed cancelled interrupted before after'),
  ...wordSet('func agent mcp model system swarm scope text choice boolean number email password'),
]);

/**
 * Replaces every private value in an event's data, except in words of the contract: a private value equal to one of them
 * must not make the event useless. Returns the same object if there is nothing to replace; never changes its input.
 */
export function scrubData(type: string, data: JsonRecord, matcher: ValueMatcher): JsonRecord {
  const scrubbed = new Map<unknown, unknown>();
  // A flat field and its descriptor may share one large object.
  const scrub = (value: unknown) => {
    if (!scrubbed.has(value)) scrubbed.set(value, matcher.scrub(value));
    return scrubbed.get(value);
  };
  return scrubFields(data, isContractEventName(type) ? ofFamily : ofApplication, scrub);
}

function scrubFields(record: JsonRecord, own: OwnFields, scrub: (value: unknown) => unknown): JsonRecord {
  const entries = Object.entries(record);
  const scrubField = (key: string, value: unknown) => {
    if (own.words.has(key) && words.has(value)) return value;
    if (own.counters.has(key) && typeof value === 'number') return value;
    const ofField = ofDescriptor.get(key);
    return ofField && isRecord(value) ? scrubFields(value, ofField, scrub) : scrub(value);
  };
  const known = entries
    .filter(([key]) => fieldNames.has(key))
    .map(([key, value]) => [key, scrubField(key, value)] as const);
  const rest = Object.fromEntries(entries.filter(([key]) => !fieldNames.has(key)));
  const scrubbedRest = scrub(rest) as JsonRecord;
  const isSame = scrubbedRest === rest && known.every(([key, value]) => value === record[key]);
  return isSame ? record : { ...Object.fromEntries(known), ...scrubbedRest };
}
