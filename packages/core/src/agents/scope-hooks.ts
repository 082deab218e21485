import { isSdkError } from '@svc/contracts/sdk-error';
import type { RunContext } from '../session/run-context.js';
import { withRunHooks, type OwnedHooks } from '../session/tool-hooks.js';
import { describeFailure } from '../tools/execution/describe-failure.js';

/** Runs a whole run or assignment between its hooks. */
export async function withScopeHooks<Result>(
  layers: readonly OwnedHooks[],
  context: RunContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const describe = (error: unknown) => {
    const { code, message } = describeFailure(error, context.privateValues);
    // Aborted work fails with the reason of its signal, which may be unrelated to this run.
    return { code: context.workSignal.aborted && !isSdkError(error) ? 'RUN_CANCELLED' : code, message };
  };
  return withRunHooks(layers, context, { args: {}, describe }, work);
}
