import type { Frame } from './frame.js';

const lineBreak = /\r\n|\r|\n/;
// eslint-disable-next-line no-control-regex -- NUL is what the test is for
const frameBreaking = /[\r\n\u0000]/;

/**
 * Encodes one frame, with LF line endings and a final blank line.
 *
 * @throws TypeError if `id` or `event` contains CR, LF or NUL, which would break the frame or lose the cursor, or if a
 * text field is not a string.
 * @throws RangeError if `retry` is not a non-negative whole number of milliseconds.
 * @example encodeFrame({ id: '7', event: 'final', data: '{}' }) // 'id: 7\nevent: final\ndata: {}\n\n'
 */
export function encodeFrame(frame: Frame): string {
  let text = '';
  if (frame.comment != null) text += lines(': ', textOf('comment', frame.comment));
  if (frame.retry != null) text += `retry: ${wholeMs(frame.retry)}\n`;
  if (frame.id != null) text += `id: ${singleLine('id', textOf('id', frame.id))}\n`;
  if (frame.event != null) text += `event: ${singleLine('event', textOf('event', frame.event))}\n`;
  if (frame.data != null) text += lines('data: ', textOf('data', frame.data));
  return `${text}\n`;
}

/** An object from an untyped caller would be sent as `[object Object]`. */
function textOf(field: keyof Frame, value: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`SSE ${field} must be a string, got ${typeof value}`);
}

function lines(prefix: string, value: string): string {
  // JSON text has no line breaks, so the common case is one concatenation.
  if (!lineBreak.test(value)) return `${prefix}${value}\n`;
  return value
    .split(lineBreak)
    .map((line) => `${prefix}${line}\n`)
    .join('');
}

function singleLine(field: 'id' | 'event', value: string): string {
  if (frameBreaking.test(value)) {
    throw new TypeError(`SSE ${field} must not contain CR, LF or NUL, got ${JSON.stringify(value)}`);
  }
  return value;
}

function wholeMs(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`SSE retry must be a non-negative whole number of milliseconds, got ${value}`);
  }
  return value;
}
