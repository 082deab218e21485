import { ToolError } from '../tools/errors.js';
import type { Call, CallBook } from './call-book.js';
import type { PlannedTool, Wait } from './planned-tool.js';

/**
 * Waits until every call that must come first has settled. Only calls that were already requested are waited for: the
 * planner orders later ones.
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

/** Refuses a call whose arguments were chosen before the planner saw the results that they should depend on. */
function refuseSharedBatch(planned: PlannedTool, call: Call, book: CallBook): void {
  const other = planned.boundaries.find((name) =>
    book.callsOf(name).some(({ eventId }) => eventId === call.eventId),
  );
  if (other === undefined) return;
  throw new ToolError(
    `'${call.toolName}' must be planned after looking at the result of '${other}'. Call it again in a later step.`,
    { code: 'TOOL_REEVALUATE_FIRST', details: { producer: other }, isRetryable: true },
  );
}
