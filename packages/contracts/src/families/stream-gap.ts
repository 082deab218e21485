import * as z from 'zod';
import { text } from '../tolerant.js';

const StreamGapReasonSchema = z
  .enum(['evicted', 'epoch', 'unknown', 'dropped'])
  .describe(
    'evicted: no longer held; epoch: of a log that was replaced; unknown: never given out; dropped: the reader was too slow',
  );
/** Why a reader cannot be given every event since its cursor. */
export type StreamGapReason = z.infer<typeof StreamGapReasonSchema>;

/** `stream_gap`: events between the reader's cursor and the next event are missing. What is held follows. */
export const StreamGapPayloadSchema = z.looseObject({
  contract_version: z.string().optional().describe('Version of the event contract'),
  event_name: z.literal('stream_gap').optional(),
  event_kind: text.describe('Kind of the event'),
  reason: StreamGapReasonSchema,
  requested_id: z.string().nullable().describe('The cursor the reader came with'),
  oldest_id: z.string().nullable().describe('Id of the oldest event that is still held'),
});
/** `stream_gap`: events between the reader's cursor and the next event are missing. What is held follows. */
export type StreamGapPayload = z.infer<typeof StreamGapPayloadSchema>;
