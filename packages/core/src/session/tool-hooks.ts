import { buildHookEvent } from '../compile/hook-event.js';
import type { Call } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import type { HookStage } from '../hooks/hook.js';
import { runHooks, type HookRun } from '../hooks/run-hooks.js';
import { describeFailure, type CallFailure } from '../tools/execution/describe-failure.js';
import { describeCallFailure } from './describe-call-failure.js';
import type { RunContext } from './run-context.js';
import type { HookLayer } from './session-setup.js';

/** A call, for its hooks. */
export interface HookedCall {
  readonly planned: PlannedTool;
  readonly call: Call;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Runs a call between the hooks of its scopes and the tool's own: outermost first before it, innermost first after it. */
export async function withToolHooks(
  hooked: HookedCall,
  scopeLayers: readonly HookLayer[],
  context: RunContext,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const layers: HookLayer[] = [...scopeLayers, { source: 'tool', hooks: hooked.planned.tool.hooks }];
  await fire('before', layers, hooked, context, {});
  try {
    const result = await run();
    await fire('after', layers.toReversed(), hooked, context, { result });
    return result;
  } catch (error) {
    const failure = describeCallFailure(error, hooked.call, context);
    await fire('after', layers.toReversed(), hooked, context, { error: failure });
    throw error;
  }
}

async function fire(
  stage: HookStage,
  layers: readonly HookLayer[],
  { call, args }: HookedCall,
  context: RunContext,
  end: { result?: unknown; error?: CallFailure },
): Promise<void> {
  const { privateValues, runtime, runId, workSignal: signal } = context;
  for (const { source, hooks } of layers) {
    if (hooks[stage].length === 0) continue;
    await runHooks({
      hooks,
      payload: {
        stage,
        targetType: 'tool',
        targetId: call.id,
        targetName: call.toolName,
        runId,
        arguments: Object.fromEntries(
          Object.entries(args).map(([name, value]) => [name, privateValues.copy(value)]),
        ),
        ...('result' in end ? { result: privateValues.copy(end.result) } : {}),
        ...(end.error ? { error: end.error } : {}),
        signal,
      },
      runtime,
      report: reportHook(context, source),
    });
  }
}

/** Emits the outcome of a hook, and logs a failure. */
export function reportHook(context: RunContext, source: HookLayer['source']): HookRun['report'] {
  return async (report, error) => {
    if (report.status === 'failed') {
      const { message } = describeFailure(error, context.privateValues);
      context.logger.warn('A hook failed.', { hook: report.name, stage: report.stage, error: message });
    }
    await context.emit(buildHookEvent(report, source));
  };
}
