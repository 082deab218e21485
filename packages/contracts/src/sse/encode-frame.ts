import type { Frame } from './frame.js';

const lineBreak = /\r\n|\r|\n/;
// eslint-disable-next-line no-control-regex -- NUL is what the test is for
const frameBreaking = /[\r\n\u0000]/;

/**
 * The text of one frame, ended by a blank line, with LF line endings.
 *
 * @throws TypeError when `id` or `event` holds CR, LF or NUL, which would break the frame or lose the cursor.
 * @throws RangeError when `retry` is not a whole number of milliseconds from 0.
 * @example encodeFrame({ id: '7', event: 'final', data: '{}' }) // 'id: 7\nevent: final\ndata: {}\n\n'
 */
export function encodeFrame(frame: Frame): string {
  let text = '';
  if (frame.comment !== undefined) text += lines(': ', frame.comment);
  if (frame.retry !== undefined) text += `retry: ${wholeMs(frame.retry)}\n`;
  if (frame.id !== undefined) text += `id: ${singleLine('id', frame.id)}\n`;
  if (frame.event !== undefined) text += `event: ${singleLine('event', frame.event)}\n`;
  if (frame.data !== undefined) text += lines('data: ', frame.data);
  return `${text}\n`;
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
    throw new TypeError(`SSE ${field} must not hold CR, LF or NUL, got ${JSON.stringify(value)}`);
  }
  return value;
}

function wholeMs(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`SSE retry must be a whole number of milliseconds from 0, got ${value}`);
  }
  return value;
}
