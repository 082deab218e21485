import * as z from 'zod';
import {
  LifecycleDescriptorSchema,
  ParticipantDescriptorSchema,
  ScopeDescriptorSchema,
} from '../descriptors.js';
import type { ContractEventName } from '../event-names/groups.js';
import { field, text } from '../tolerant.js';

const context = {
  event_kind: text.describe('Kind of event'),
  scope: field(ScopeDescriptorSchema),
  participant: field(ParticipantDescriptorSchema),
  lifecycle: field(LifecycleDescriptorSchema),
};

const version = z.string().describe('Version of the event contract');

/** The fields that a bridge adds to every payload it rebuilds. */
export function stamps<Name extends ContractEventName>(name: Name) {
  return { contract_version: version, event_name: z.literal(name), ...context };
}

/** The same fields for events that are sent as emitted, where version and name may be absent: the envelope has the type. */
export function optionalStamps<Name extends ContractEventName>(name: Name) {
  return { contract_version: version.optional(), event_name: z.literal(name).optional(), ...context };
}

/** The flat fields of the participant descriptor. */
export const participantFields = {
  participant_key: text,
  participant_name: text,
  participant_role: text,
};
