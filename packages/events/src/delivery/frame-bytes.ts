import { parseEventId } from '../log/event-id.js';
import type { EventPosition } from '../log/event-id.js';

const LINE_FEED = 0x0a;
const ID_FIELD = 'id: ';
const FRAME_END = '\n\n';

/** Returns a buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The log position of the first frame of these bytes; undefined if there is none. */
export function firstPositionOf(bytes: Uint8Array): EventPosition | undefined {
  const end = bytes.indexOf(LINE_FEED);
  return end < 0 ? undefined : parseEventId(asBuffer(bytes).toString('latin1', ID_FIELD.length, end));
}

/** The id of the last frame of these bytes; undefined if there is none. */
export function lastIdOf(bytes: Uint8Array): string | undefined {
  const buffer = asBuffer(bytes);
  const end = buffer.length - FRAME_END.length;
  if (end < 0) return undefined;
  const before = buffer.lastIndexOf(FRAME_END, end - 1);
  const start = before < 0 ? 0 : before + FRAME_END.length;
  return buffer.toString('latin1', start + ID_FIELD.length, buffer.indexOf(LINE_FEED, start));
}

/** Returns the bytes after the first `parts` of an entry. A frame without a part number is kept: it is a whole entry. */
export function skipParts(bytes: Uint8Array, { seq, parts }: { seq: number; parts: number }): Uint8Array {
  if (parts === 0) return bytes;
  let rest = asBuffer(bytes);
  for (;;) {
    const first = firstPositionOf(rest);
    // The next entries have parts of their own.
    if (first?.seq !== seq || first.part === undefined || first.part > parts) return rest;
    rest = rest.subarray(rest.indexOf(FRAME_END) + FRAME_END.length);
  }
}
