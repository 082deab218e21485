import { MaivnSDKError } from '@svc/contracts/sdk-error';
import pLimit from 'p-limit';
import { withDeadline } from '../deadline.js';
import type { RunContext } from '../session/run-context.js';
import type { AgentParts } from './agent-parts.js';

/**
 * Returns the run's context for a member: with the member's own limits, receipts and interrupt service, within the
 * run's limits.
 */
export function memberContext(context: RunContext, { state }: AgentParts): RunContext {
  const { toolTimeoutMs, dependencyTimeoutMs, receipts, maxParallelTools, runOptions } = state;
  const ownLimit = pLimit(maxParallelTools);
  return {
    ...context,
    limits: { toolTimeoutMs, dependencyTimeoutMs },
    // Waiting for one of the member's own slots must not occupy one of the run's.
    limit: async (work) => ownLimit(async () => context.limit(work)),
    receipts,
    interruptService: runOptions.interruptService ?? context.interruptService,
  };
}

/** Runs a member's session within the member's own time limit, if it has one; the run itself continues after that. */
export async function withMemberTimeout<Result>(
  { state }: AgentParts,
  context: RunContext,
  run: (context: RunContext) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs } = state.runOptions;
  if (timeoutMs === undefined) return run(context);
  const createError = () =>
    new MaivnSDKError(
      `The agent '${state.name}' did not finish within ${timeoutMs} ms. Raise its timeoutMs if it needs longer.`,
      {
        code: 'RUN_TIMEOUT',
        details: { timeout_ms: timeoutMs },
      },
    );
  return withDeadline({ timeoutMs, signal: context.signal, createError }, async (signal) =>
    run({ ...context, signal, workSignal: AbortSignal.any([context.workSignal, signal]) }),
  );
}
