import type { Logger } from '../logging/logger.js';

/** Lines of a stack that name a place in the code. The others are the error's message, which may quote anything. */
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

function framesOf(error: unknown): readonly string[] {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return [];
  return stack.split('\n').flatMap((line) => (FRAME.test(line) ? [line.trim()] : []));
}
