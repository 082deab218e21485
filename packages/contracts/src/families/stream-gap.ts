import * as z from 'zod';
import { text } from '../tolerant.js';

const StreamGapReasonSchema = z
  .enum(['evicted', 'epoch', 'unknown', 'dropped'])
  .describe(
    'evicted: no longer stored; epoch: from a replaced log; unknown: never issued; dropped: the reader was too slow',
  );
/** Why a reader cannot get every event since its cursor. */
export type StreamGapReason = z.infer<typeof StreamGapReasonSchema>;

/** `stream_gap`: events between the reader's cursor and the next event are missing. The stored events follow. */
export const StreamGapPayloadSchema = z.looseObject({
  contract_version: z.string().optional().describe('Version of the event contract'),
  event_name: z.literal('stream_gap').optional(),
  event_kind: text.describe('Kind of event'),
  reason: StreamGapReasonSchema,
  requested_id: z.string().nullable().describe('The cursor that the reader sent'),
  oldest_id: z.string().nullable().describe('Id of the oldest event still stored'),
});
/** `stream_gap`: events between the reader's cursor and the next event are missing. The stored events follow. */
export type StreamGapPayload = z.infer<typeof StreamGapPayloadSchema>;
