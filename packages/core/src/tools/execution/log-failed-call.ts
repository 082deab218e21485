import { isError } from '../../is-error.js';
import type { Logger } from '../../logging/logger.js';

/** A line of a stack that names a place in the code. */
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;

/**
 * Logs a failed call: at `warn` with the stack frames if its tool threw an unexpected error, and at `info` otherwise.
 * Never logs the message.
 */
export function logFailedCall(
  logger: Logger,
  message: string,
  fields: { readonly tool: string; readonly code: string; readonly tool_event_id?: string },
  error: unknown,
): void {
  if (fields.code !== 'TOOL_FAILED') return logger.info(message, fields);
  return logger.warn(message, { ...fields, stack: framesOf(error) });
}

/**
 * Returns the frames after the message, whose lines may look like frames; none if the stack has another message or cannot
 * be read.
 */
function framesOf(error: unknown): readonly string[] {
  try {
    const { stack, message }: { stack?: unknown; message?: unknown } = isError(error) ? error : {};
    if (typeof stack !== 'string' || typeof message !== 'string') return [];
    const start = stack.indexOf(message);
    if (start < 0) return [];
    const lines = stack.slice(start + message.length).split('\n');
    return lines.flatMap((line) => (FRAME.test(line) ? [line.trim()] : []));
  } catch {
    // A field may be a getter that throws, and a proxy may refuse to be read.
    return [];
  }
}
