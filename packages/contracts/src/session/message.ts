import * as z from 'zod';
import { KnownPiiValueSchema, PiiWhitelistSchema } from './private-data.js';

/** A part of a message's content: plain text, or a block such as `{type: 'text', text}`. */
export const ContentPartSchema = z.union([z.string(), z.looseObject({ type: z.string().nullish() })]);

/** The content of a message: text or an array of parts. */
export const MessageContentSchema = z.union([z.string(), z.array(ContentPartSchema)]);
/** The content of a message: text or an array of parts. */
export type MessageContent = z.infer<typeof MessageContentSchema>;

/** A file sent with a message, its bytes in base64. */
export const AttachmentSchema = z.looseObject({
  name: z.string().max(255).default('attachment.bin'),
  mime_type: z.string().default('application/octet-stream'),
  content_base64: z.string().nullish(),
  text_content: z.string().nullish(),
  sharing_scope: z.string().nullish(),
  description: z.string().nullish(),
  source_url: z.string().nullish(),
  binding_type: z.string().nullish(),
  source_type: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});
/** A file sent with a message, its bytes in base64. */
export type Attachment = z.infer<typeof AttachmentSchema>;

const base = {
  content: MessageContentSchema,
  additional_kwargs: z.record(z.string(), z.unknown()).default({}),
  response_metadata: z.record(z.string(), z.unknown()).default({}),
  id: z.string().nullish(),
  name: z.string().nullish(),
};

/** What the user said. */
export const HumanMessageSchema = z.looseObject({ ...base, type: z.literal('human') });

/** What the user said, to be redacted by the orchestrator before anything else sees it. */
export const RedactedMessageSchema = z.looseObject({
  ...base,
  type: z.literal('redacted'),
  known_pii_values: z.array(KnownPiiValueSchema).nullish(),
  pii_whitelist: PiiWhitelistSchema.nullish(),
});
/** What the user said, to be redacted by the orchestrator before anything else sees it. */
export type RedactedMessageRecord = z.infer<typeof RedactedMessageSchema>;

/** Instructions to the planner. */
export const SystemMessageSchema = z.looseObject({ ...base, type: z.literal('system') });

/** What the assistant said. */
export const AiMessageSchema = z.looseObject({
  ...base,
  type: z.literal('ai'),
  tool_calls: z.array(z.unknown()).default([]),
  invalid_tool_calls: z.array(z.unknown()).default([]),
  usage_metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** A tool result of an earlier turn. */
export const ToolMessageSchema = z.looseObject({
  ...base,
  type: z.literal('tool'),
  tool_call_id: z.string(),
  status: z.enum(['success', 'error']).default('success'),
  artifact: z.unknown().optional(),
});

/** One message of a conversation, in wire format. */
export const MessageSchema = z.discriminatedUnion('type', [
  HumanMessageSchema,
  RedactedMessageSchema,
  SystemMessageSchema,
  AiMessageSchema,
  ToolMessageSchema,
]);
/** One message of a conversation, in wire format. */
export type Message = z.infer<typeof MessageSchema>;
/** A message as sent: fields with defaults are optional. */
export type MessageInput = z.input<typeof MessageSchema>;
