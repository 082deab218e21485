import type { JournalRecord } from '@svc/contracts/orchestrator';
import { encodeFrame } from '@svc/contracts/sse';
import { decodeEvent } from '../../sessions/record/decode-record.js';

/** Some readers, including the original client's parser, treat these as line breaks, and JSON does not escape them. */
const unsafe = /[\u0085\u2028\u2029]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The frame of a record that is an event, otherwise an empty string. The record's number is the stream's cursor. */
export function eventFrame(sessionId: string, record: JournalRecord): string {
  const event = decodeEvent(sessionId, record);
  if (!event) return '';
  const { name, payload } = event.data;
  const data = JSON.stringify(payload).replace(unsafe, escaped);
  return encodeFrame({ id: String(record.seq), event: name, data });
}

/** Whether the last event of a run is among the frames. No payload contains this line: JSON escapes line breaks. */
export function hasFinal(frames: string): boolean {
  return frames.includes('\nevent: final\n');
}

/** Keeps the connection open; the original clients know it by this name. Without an id, it does not move the cursor. */
export const heartbeatFrame = encodeFrame({ event: 'heartbeat', data: '{}' });

/** The number after which a reader with this cursor continues. A cursor that cannot be ours starts at the beginning. */
export function cursorSeq(cursor: string | undefined, lastSeq: number): number {
  if (cursor === undefined || !/^\d{1,15}$/.test(cursor)) return 0;
  const seq = Number(cursor);
  return seq <= lastSeq ? seq : 0;
}
