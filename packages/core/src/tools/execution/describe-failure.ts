import { isSdkError } from '@svc/contracts/sdk-error';
import { kindOf } from '../../config/options.js';
import { cutText } from '../../cut-text.js';
import { isError } from '../../is-error.js';
import { messageOf, UNREADABLE } from '../../message-of.js';
import { ToolError } from '../errors.js';

/** The longest message and the longest code of a failure that leaves the process, in characters. */
const MAX_MESSAGE_LENGTH = 2048;
const MAX_CODE_LENGTH = 128;

/** The failure of a call, in the shape that is posted. */
export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Turns whatever a call, a hook or a run threw into a code and a message. `values` removes private values from the message
 * before it is cut: the beginning of a cut value would not be found. A code that contains one becomes `TOOL_FAILED`. The
 * details are not cleaned yet.
 */
export function describeFailure(error: unknown, values: { cleanText(text: string): string }): CallFailure {
  try {
    return describe(error, values);
  } catch {
    // A field may be a getter that throws, and a proxy may refuse to be read.
    return { code: FAILED, message: UNREADABLE };
  }
}

function describe(error: unknown, values: { cleanText(text: string): string }): CallFailure {
  if (!isError(error)) {
    return { code: FAILED, message: `Something other than an Error was thrown (${kindOf(error)}).` };
  }
  const message = shorten(values.cleanText(messageOf(error)));
  if (!isSdkError(error)) return { code: FAILED, message };
  const code = codeOf(error);
  const failure = { code: values.cleanText(code) === code ? code : FAILED, message };
  if (!(error instanceof ToolError)) return failure;
  const { isRetryable, isFinal, details } = error;
  const retryable = isRetryable || isFinal ? { retryable: isRetryable } : {};
  return { ...failure, ...retryable, ...(details ? { details } : {}) };
}

const FAILED = 'TOOL_FAILED';

/** Returns the code of an error; a subclass, or a caller in JavaScript, may have put anything in its place. */
function codeOf({ code }: { readonly code: unknown }): string {
  return typeof code === 'string' && code !== '' && code.length <= MAX_CODE_LENGTH ? code : FAILED;
}

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${cutText(message, MAX_MESSAGE_LENGTH - 1)}…`;
}
