import * as z from 'zod';
import {
  LifecycleDescriptorSchema,
  ParticipantDescriptorSchema,
  ScopeDescriptorSchema,
} from '../descriptors.js';
import type { ContractEventName } from '../event-names/groups.js';
import { field, text } from '../tolerant.js';

const context = {
  event_kind: text.describe('Kind of the event'),
  scope: field(ScopeDescriptorSchema),
  participant: field(ParticipantDescriptorSchema),
  lifecycle: field(LifecycleDescriptorSchema),
};

const version = z.string().describe('Version of the event contract');

/** What every payload carries besides its own fields, when a bridge rebuilds its family. */
export function stamps<Name extends ContractEventName>(name: Name) {
  return { contract_version: version, event_name: z.literal(name), ...context };
}

/** The same for events that come as they were emitted, perhaps without version and name: the envelope's type names them. */
export function optionalStamps<Name extends ContractEventName>(name: Name) {
  return { contract_version: version.optional(), event_name: z.literal(name).optional(), ...context };
}

/** The flat twins of the participant descriptor. */
export const participantFields = {
  participant_key: text,
  participant_name: text,
  participant_role: text,
};
