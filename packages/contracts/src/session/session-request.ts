import * as z from 'zod';
import {
  ExecutionConfigSchema,
  OrchestrationConfigSchema,
  StructuredOutputConfigSchema,
  SystemToolsConfigSchema,
} from './config.js';
import { MemoryAssetsConfigSchema, MemoryConfigSchema } from './memory-config.js';
import { MessageSchema } from './message.js';
import { PiiWhitelistSchema, PrivateDataFieldSchema } from './private-data.js';
import { SwarmConfigSchema } from './swarm-config.js';
import { ToolSpecSchema } from './tool-spec.js';

/** The definition of one run (`state` of the start request). Only names of private values: `private_data` is discarded. */
export const SessionRequestSchema = z.looseObject({
  messages: z.array(MessageSchema).default([]),
  tools: z.array(ToolSpecSchema).default([]),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  execution_config: ExecutionConfigSchema.nullish(),
  system_tools_config: SystemToolsConfigSchema.nullish(),
  memory_config: MemoryConfigSchema.nullish(),
  structured_output_config: StructuredOutputConfigSchema.nullish(),
  orchestration_config: OrchestrationConfigSchema.nullish(),
  memory_assets_config: MemoryAssetsConfigSchema.nullish(),
  swarm_config: SwarmConfigSchema.nullish(),
  force_final_tool: z.boolean().default(false),
  targeted_tools: z.array(z.string()).nullish(),
  model: z.string().nullish(),
  force_model: z.string().nullish(),
  reasoning: z.enum(['minimal', 'low', 'medium', 'high']).nullish(),
  stream_response: z.boolean().default(true),
  status_messages: z.boolean().default(false),
  max_results: z.number().int().min(1).nullish(),
  private_data_schema: z.array(PrivateDataFieldSchema).nullish(),
  private_data: z.record(z.string(), z.unknown()).nullish(),
  pii_whitelist: PiiWhitelistSchema.nullish(),
  interrupt_data_keys: z.array(z.string()).nullish(),
});
/** The definition of one run. */
export type SessionRequest = z.infer<typeof SessionRequestSchema>;
/** A session request as sent: fields with defaults are optional. */
export type SessionRequestInput = z.input<typeof SessionRequestSchema>;

/** The body of `POST /start-session`. */
export const StartSessionRequestSchema = z.looseObject({
  state: SessionRequestSchema,
  client_id: z.string().nullish(),
  thread_id: z.string().nullish(),
});
/** The body of `POST /start-session`. */
export type StartSessionRequest = z.infer<typeof StartSessionRequestSchema>;
/** The body of `POST /start-session` as sent: fields with defaults are optional. */
export type StartSessionRequestInput = z.input<typeof StartSessionRequestSchema>;

/** The response to `POST /start-session`; both URLs are absolute. */
export const StartSessionResponseSchema = z.looseObject({
  session_id: z.string().min(1),
  events_url: z.url(),
  resume_url: z.url(),
  assistant_id: z.string().nullish(),
  thread_id: z.string().nullish(),
  protocol_version: z.string().nullish(),
});
/** The response to `POST /start-session`. */
export type StartSessionResponse = z.infer<typeof StartSessionResponseSchema>;
