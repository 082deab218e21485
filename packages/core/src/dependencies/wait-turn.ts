import { ToolError } from '../tools/errors.js';
import type { Call, CallBook } from './call-book.js';
import type { PlannedTool, Wait } from './planned-tool.js';

/**
 * Waits until every call that has to come first is over, however it ended. Only calls that were asked for already are
 * waited for: what comes later is the planner's to order.
 */
export async function waitTurn(planned: PlannedTool, call: Call, book: CallBook): Promise<void> {
  refuseSharedBatch(planned, call, book);
  await Promise.all(planned.waits.map((wait) => waitFor(wait, call, book)));
}

async function waitFor(wait: Wait, call: Call, book: CallBook): Promise<void> {
  const calls = book.callsOf(wait.tool);
  const earlier = wait.instanceControl === 'all' ? calls : calls.slice(call.ordinal - 1, call.ordinal);
  await Promise.all(earlier.map(({ outcome }) => outcome));
}

/** A call whose arguments were chosen before the results it should be chosen by were seen is refused. */
function refuseSharedBatch(planned: PlannedTool, call: Call, book: CallBook): void {
  const other = planned.boundaries.find((name) =>
    book.callsOf(name).some(({ eventId }) => eventId === call.eventId),
  );
  if (other === undefined) return;
  throw new ToolError(
    `'${call.toolName}' must be planned after the result of '${other}' was looked at; call it again in a later step.`,
    { code: 'TOOL_REEVALUATE_FIRST', details: { producer: other }, isRetryable: true },
  );
}
