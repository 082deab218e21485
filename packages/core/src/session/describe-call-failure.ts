import type { Call } from '../dependencies/call-book.js';
import { describeFailure, type CallFailure } from '../tools/execution/describe-failure.js';
import { serializeResult } from '../tools/execution/serialize-result.js';
import type { RunContext } from './run-context.js';

const MAX_DETAILS_BYTES = 64 * 1024;

/** Describes a failed call: its code, and its message and details without private values. */
export function describeCallFailure(error: unknown, call: Call, context: RunContext): CallFailure {
  if (context.workSignal.aborted) {
    return { code: 'TOOL_CANCELLED', message: `'${call.toolName}' was stopped because the run ended.` };
  }
  const { details, ...failure } = describeFailure(error, context.privateValues);
  const cleaned = details && cleanDetails(details, context);
  return { ...failure, ...(cleaned ? { details: cleaned } : {}) };
}

function cleanDetails(
  details: Readonly<Record<string, unknown>>,
  { privateValues }: RunContext,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const cleaned = privateValues.clean(serializeResult(details, 'details', MAX_DETAILS_BYTES));
    return typeof cleaned === 'object' && cleaned !== null ? { ...cleaned } : undefined;
  } catch {
    // Details that cannot be serialized are left out.
    return undefined;
  }
}
