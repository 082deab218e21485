import { isSdkError } from '@svc/contracts/sdk-error';
import { cutText } from '../cut-text.js';
import { ToolError } from './errors.js';

/** The longest message of a failure that leaves the process, in characters. */
const MAX_MESSAGE_LENGTH = 2048;

/** How a call failed, in the shape that is posted. */
export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Turns whatever a call threw into a code and a message. `values` takes private ones out of the message while it is
 * whole: of a value that is cut off, the beginning would not be found. The details are not cleaned yet.
 */
export function describeFailure(error: unknown, values: { cleanText(text: string): string }): CallFailure {
  const messageOf = (thrown: Error) => shorten(values.cleanText(textOf(thrown)));
  if (error instanceof ToolError) {
    return {
      code: error.code,
      message: messageOf(error),
      ...(error.isRetryable ? { retryable: true } : {}),
      ...(error.details ? { details: error.details } : {}),
    };
  }
  if (isSdkError(error)) return { code: error.code, message: messageOf(error) };
  if (error instanceof Error) return { code: 'TOOL_FAILED', message: messageOf(error) };
  return { code: 'TOOL_FAILED', message: 'The tool threw something that is no Error.' };
}

/** What an error says, or its name: whoever made it may have put anything there. */
function textOf({ message, name }: Error): string {
  const texts: readonly unknown[] = [message, name];
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? 'Error';
}

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${cutText(message, MAX_MESSAGE_LENGTH - 1)}…`;
}
