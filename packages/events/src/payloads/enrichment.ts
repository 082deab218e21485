import { APP_EVENT_CONTRACT_VERSION, ENRICHMENT_EVENT_NAME } from '@svc/contracts';
import { composeParticipant, withContext } from './compose.js';
import type { BuiltScope, ParticipantArguments } from './compose.js';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readFilledRecord, readKey, readRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { snapshotOf } from './snapshot.js';

/** The fields of an `enrichment` event. */
export interface EnrichmentArguments extends ParticipantArguments {
  /** The phase the run entered, for example `planning`; any string is allowed. */
  phase: string;
  /** The phase as shown to users. */
  message: string;
  /** The id of the agent, swarm or session in this phase. */
  scopeId?: string | null | undefined;
  /** The display name of the scope. */
  scopeName?: string | null | undefined;
  /** `agent`, `swarm` or `session`, in any case; anything else is left out. */
  scopeType?: string | null | undefined;
  /** What the memory did; left out if empty. */
  memory?: object | null | undefined;
  /** What the redaction did; left out if empty. */
  redaction?: object | null | undefined;
}

/** The flat fields of a built enrichment. */
type EnrichmentFields = {
  phase: string;
  message: string;
  enrichment: { phase: string; message: string; memory?: JsonRecord; redaction?: JsonRecord };
  scope_id?: string;
  scope_name?: string;
  scope_type?: NonNullable<BuiltScope['type']>;
  memory?: JsonRecord;
  redaction?: JsonRecord;
  participant_key?: string;
  participant_name?: string;
  participant_role?: string;
};

/** Builds the payload of an `enrichment`. Absent fields are left out instead of being null. */
export function buildEnrichmentPayload(event: EnrichmentArguments) {
  return composeEnrichment({
    ...event,
    memory: snapshotOf(event.memory),
    redaction: snapshotOf(event.redaction),
  });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeEnrichment(event: EnrichmentArguments) {
  const { phase, message } = event;
  const fields: EnrichmentFields = { phase, message, enrichment: { phase, message } };
  const scope = composeScope(event);
  if (scope?.id !== undefined) fields.scope_id = scope.id;
  if (scope?.name !== undefined) fields.scope_name = scope.name;
  if (scope?.type !== undefined) fields.scope_type = scope.type;
  const memory = readFilledRecord(event.memory);
  if (memory !== undefined) fields.memory = fields.enrichment.memory = { ...memory };
  const redaction = readFilledRecord(event.redaction);
  if (redaction !== undefined) fields.redaction = fields.enrichment.redaction = { ...redaction };
  const participant = composeParticipant(event);
  if (participant?.key !== undefined) fields.participant_key = participant.key;
  if (participant?.name !== undefined) fields.participant_name = participant.name;
  if (participant?.role !== undefined) fields.participant_role = participant.role;
  return withContext(
    {
      ...fields,
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: ENRICHMENT_EVENT_NAME,
      event_kind: 'enrichment' as const,
    },
    { scope, participant },
  );
}

const scopeTypes: ReadonlyMap<string, BuiltScope['type']> = new Map([
  ['agent', 'agent'],
  ['swarm', 'swarm'],
  ['session', 'session'],
]);

/** Builds the scope descriptor; undefined if nothing names the scope. Types outside the contract are left out. */
function composeScope({ scopeType, scopeId, scopeName }: EnrichmentArguments): BuiltScope | undefined {
  const type = scopeTypes.get(readKey(scopeType) ?? '');
  const id = readCleanText(scopeId);
  const name = readCleanText(scopeName);
  if (type === undefined && id === undefined && name === undefined) return undefined;
  const scope: BuiltScope = {};
  if (type !== undefined) scope.type = type;
  if (id !== undefined) scope.id = id;
  if (name !== undefined) scope.name = name;
  return scope;
}

/** Reads the scope of an enrichment, with its type unchanged: from the flat fields, or without any from the descriptor. */
export function readEnrichmentScope(input: JsonRecord) {
  const id = readCleanText(input.scope_id);
  const name = readCleanText(input.scope_name);
  const type = readCleanText(input.scope_type);
  if (id !== undefined || name !== undefined || type !== undefined) return { id, name, type };
  const nested = readRecord(input.scope);
  return {
    id: readCleanText(nested?.id),
    name: readCleanText(nested?.name),
    type: readCleanText(nested?.type),
  };
}

/** Rebuilds an external `enrichment`. A missing scope id stays absent; the identity stage assigns one. */
export function rebuildEnrichment(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.enrichment);
  const scope = readEnrichmentScope(input);
  const built = composeEnrichment({
    phase: readCleanText(input.phase) ?? readCleanText(nested?.phase) ?? 'enrichment',
    message: readCleanText(input.message) ?? readCleanText(nested?.message) ?? 'Enrichment update',
    scopeId: scope.id,
    scopeName: scope.name,
    scopeType: scope.type,
    memory: readFilledRecord(input.memory) ?? readFilledRecord(nested?.memory),
    redaction: readFilledRecord(input.redaction) ?? readFilledRecord(nested?.redaction),
    participantKey: readCleanText(input.participant_key),
    participantName: readCleanText(input.participant_name),
    participantRole: readCleanText(input.participant_role),
  });
  return keepExtras(built, input);
}
