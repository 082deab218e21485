import { MaivnSDKError } from '@svc/contracts/sdk-error';
import pLimit from 'p-limit';
import { withDeadline } from '../deadline.js';
import type { RunContext } from '../session/run-context.js';
import type { AgentParts } from './agent-parts.js';

/** The run as a member sees it: with the member's own limits, receipts and interrupt service, inside the run's bounds. */
export function memberContext(context: RunContext, { state }: AgentParts): RunContext {
  const { toolTimeoutMs, dependencyTimeoutMs, receipts, maxParallelTools, runOptions } = state;
  const ownLimit = pLimit(maxParallelTools);
  return {
    ...context,
    limits: { toolTimeoutMs, dependencyTimeoutMs },
    // Waiting for the member's own slot must not hold one of the run's.
    limit: async (work) => ownLimit(async () => context.limit(work)),
    receipts,
    interruptService: runOptions.interruptService ?? context.interruptService,
  };
}

/** Runs a member's session under the member's own time, if it has one; the run around it goes on after that. */
export async function underMemberTime<T>(
  { state }: AgentParts,
  context: RunContext,
  run: (context: RunContext) => Promise<T>,
): Promise<T> {
  const { timeoutMs } = state.runOptions;
  if (timeoutMs === undefined) return run(context);
  const createError = () =>
    new MaivnSDKError(`The agent '${state.name}' did not end within ${timeoutMs} ms.`, {
      code: 'RUN_TIMEOUT',
      details: { timeout_ms: timeoutMs },
    });
  return withDeadline({ timeoutMs, signal: context.signal, createError }, async (signal) =>
    run({ ...context, signal, workSignal: AbortSignal.any([context.workSignal, signal]) }),
  );
}
