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
import { text, tolerant } from './tolerant.js';
import { APP_EVENT_CONTRACT_VERSION } from './version.js';

const version = z.preprocess(
  (given: string | null | undefined) => given ?? undefined,
  z.string().default(APP_EVENT_CONTRACT_VERSION).describe('Version of the event contract'),
);

/**
 * An event as applications see it. It never refuses because of a descriptor: odd values stay as they are, `null`
 * arguments, details and choices become empty ones, and unknown fields are kept. The older flat fields are extras.
 */
export const AppEventSchema = z.looseObject({
  contract_version: version,
  event_name: z.string().describe('Name of the event'),
  event_kind: text.describe('Kind of the event; custom for events of the application'),
  scope: tolerant(ScopeDescriptorSchema.nullable()).optional(),
  participant: tolerant(ParticipantDescriptorSchema.nullable()).optional(),
  lifecycle: tolerant(LifecycleDescriptorSchema.nullable()).optional(),
  tool: tolerant(ToolDescriptorSchema.nullable()).optional(),
  assistant: tolerant(AssistantDescriptorSchema.nullable()).optional(),
  assignment: tolerant(AssignmentDescriptorSchema.nullable()).optional(),
  enrichment: tolerant(EnrichmentDescriptorSchema.nullable()).optional(),
  interrupt: tolerant(InterruptDescriptorSchema.nullable()).optional(),
  output: tolerant(OutputDescriptorSchema.nullable()).optional(),
  error_info: tolerant(ErrorInfoDescriptorSchema.nullable()).optional(),
  session: tolerant(SessionDescriptorSchema.nullable()).optional(),
  chunk: tolerant(ChunkDescriptorSchema.nullable()).optional(),
  hook: tolerant(HookDescriptorSchema.nullable()).optional(),
});

/** An event as applications see it. */
export type AppEvent = z.infer<typeof AppEventSchema>;
