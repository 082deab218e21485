import * as z from 'zod';
import { FinalPayloadSchema, RunStatusSchema, TokenUsageSchema } from './final-payload.js';
import { InterruptRequiredPayloadSchema } from './interrupt.js';

/** A call that the session waits for, without its arguments. */
export const PendingCallSchema = z.looseObject({
  tool_event_id: z.string(),
  tool_id: z.string(),
  tool_name: z.string(),
  since: z.string(),
  expires_at: z.string().nullish(),
});
/** A call that the session waits for. */
export type PendingCall = z.infer<typeof PendingCallSchema>;

/** One session in a list. */
export const SessionSummarySchema = z.looseObject({
  session_id: z.string(),
  project_id: z.string(),
  thread_id: z.string().nullish(),
  status: RunStatusSchema,
  created_at: z.string(),
  updated_at: z.string(),
  ended_at: z.string().nullish(),
  swarm_name: z.string().nullish(),
  agent_name: z.string().nullish(),
});
/** One session in a list. */
export type SessionSummary = z.infer<typeof SessionSummarySchema>;

/** The response to `GET /sessions/{session_id}`: the state of a session, with its `final` once it has ended. */
export const SessionSnapshotSchema = z.looseObject({
  ...SessionSummarySchema.shape,
  pending_calls: z.array(PendingCallSchema).default([]),
  checkpoints: z.array(InterruptRequiredPayloadSchema).default([]),
  token_usage: TokenUsageSchema.nullish(),
  final: FinalPayloadSchema.nullish(),
});
/** The state of a session. */
export type SessionSnapshot = z.infer<typeof SessionSnapshotSchema>;

/** The response to `GET /sessions`: the sessions of the API key's project, newest first. */
export const SessionListSchema = z.looseObject({
  items: z.array(SessionSummarySchema),
  next_cursor: z.string().nullish(),
});
/** The response to `GET /sessions`. */
export type SessionList = z.infer<typeof SessionListSchema>;

/** One event of a session's history. */
export const StoredRawEventSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
  at: z.string(),
});
/** One event of a session's history. */
export type StoredRawEvent = z.infer<typeof StoredRawEventSchema>;

/** The response to `GET /sessions/{session_id}/events` as `application/json`: the stored events. */
export const EventHistorySchema = z.looseObject({ items: z.array(StoredRawEventSchema) });
/** The stored events of a session. */
export type EventHistory = z.infer<typeof EventHistorySchema>;
