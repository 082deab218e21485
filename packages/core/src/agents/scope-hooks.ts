import { isSdkError } from '@svc/contracts/sdk-error';
import type { Hooks, HookStage, HookTargetType } from '../hooks/hook.js';
import { runHooks } from '../hooks/run-hooks.js';
import type { RunContext } from '../session/run-context.js';
import { reportHook } from '../session/tool-hooks.js';
import { describeFailure } from '../tools/execution/describe-failure.js';

/** The hooks that run once around a whole run or assignment. */
export interface ScopeHooks {
  readonly hooks: Hooks;
  readonly source: 'scope' | 'swarm';
  readonly targetType: Exclude<HookTargetType, 'tool'>;
  readonly targetId: string;
  readonly targetName: string;
}

/**
 * Runs work between before- and after-hooks, outermost first. The after-hooks also run when the work fails or is
 * cancelled.
 */
export async function withScopeHooks<Result>(
  layers: readonly ScopeHooks[],
  context: RunContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const [layer, ...inner] = layers;
  if (!layer) return work();
  await fire('before', layer, context, {});
  let end: { result?: unknown; error?: unknown } = {};
  try {
    const result = await withScopeHooks(inner, context, work);
    end = { result };
    return result;
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    await fire('after', layer, context, end);
  }
}

async function fire(
  stage: HookStage,
  { hooks, source, targetType, targetId, targetName }: ScopeHooks,
  context: RunContext,
  end: { result?: unknown; error?: unknown },
): Promise<void> {
  const { privateValues, runtime, runId, workSignal: signal } = context;
  const failure = 'error' in end ? describeFailure(end.error, privateValues) : undefined;
  // Aborted work fails with the reason of its signal, which may be unrelated to this run.
  const isAborted = signal.aborted && !isSdkError(end.error);
  await runHooks({
    hooks,
    payload: {
      stage,
      targetType,
      targetId,
      targetName,
      runId,
      arguments: {},
      ...('result' in end ? { result: privateValues.copy(end.result) } : {}),
      ...(failure
        ? { error: { code: isAborted ? 'RUN_CANCELLED' : failure.code, message: failure.message } }
        : {}),
      signal,
    },
    runtime,
    report: reportHook(context, source),
  });
}
