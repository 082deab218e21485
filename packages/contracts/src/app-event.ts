import * as z from 'zod';
import {
  AssignmentDescriptorSchema,
  AssistantDescriptorSchema,
  ChunkDescriptorSchema,
  EnrichmentDescriptorSchema,
  ErrorInfoDescriptorSchema,
  HookDescriptorSchema,
  InterruptDescriptorSchema,
  LifecycleDescriptorSchema,
  OutputDescriptorSchema,
  ParticipantDescriptorSchema,
  ScopeDescriptorSchema,
  SessionDescriptorSchema,
  ToolDescriptorSchema,
} from './descriptors.js';
import { field, text } from './tolerant.js';
import { APP_EVENT_CONTRACT_VERSION } from './version.js';

const version = z.preprocess(
  (value: string | null | undefined) => value ?? undefined,
  z.string().default(APP_EVENT_CONTRACT_VERSION).describe('Version of the event contract'),
);

/**
 * An event as applications see it. Parsing never fails because of a descriptor: unexpected values stay as they are,
 * `null` arguments, details and choices become empty, and unknown fields are kept. The older flat fields are extras.
 */
export const AppEventSchema = z.looseObject({
  contract_version: version,
  event_name: z.string().describe('Event name'),
  event_kind: text.describe('Kind of event; custom for application events'),
  scope: field(ScopeDescriptorSchema),
  participant: field(ParticipantDescriptorSchema),
  lifecycle: field(LifecycleDescriptorSchema),
  tool: field(ToolDescriptorSchema),
  assistant: field(AssistantDescriptorSchema),
  assignment: field(AssignmentDescriptorSchema),
  enrichment: field(EnrichmentDescriptorSchema),
  interrupt: field(InterruptDescriptorSchema),
  output: field(OutputDescriptorSchema),
  error_info: field(ErrorInfoDescriptorSchema),
  session: field(SessionDescriptorSchema),
  chunk: field(ChunkDescriptorSchema),
  hook: field(HookDescriptorSchema),
});

/** An event as applications see it. */
export interface AppEvent extends z.infer<typeof AppEventSchema> {}
