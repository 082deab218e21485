import { buildHookEvent } from '../compile/hook-event.js';
import type { Call } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import type { HookRun } from '../hooks/run-hooks.js';
import { withHooks, type HookedWork, type TargetHooks } from '../hooks/with-hooks.js';
import { describeFailure } from '../tools/execution/describe-failure.js';
import { describeCallFailure } from './describe-call-failure.js';
import type { RunContext } from './run-context.js';
import type { HookLayer } from './session-setup.js';

/** A call, for its hooks. */
export interface HookedCall {
  readonly planned: PlannedTool;
  readonly call: Call;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Hooks that run within a run, and their owner. */
export type OwnedHooks = HookLayer & Omit<TargetHooks, 'report'>;

/** Runs a call between the hooks of its scopes and the tool's own. */
export async function withToolHooks(
  { planned, call, args }: HookedCall,
  scopeLayers: readonly HookLayer[],
  context: RunContext,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const layers: HookLayer[] = [...scopeLayers, { source: 'tool', hooks: planned.tool.hooks }];
  const target = { targetType: 'tool', targetId: call.id, targetName: call.toolName } as const;
  const describe = (error: unknown) => describeCallFailure(error, call, context);
  const owned = layers.map((layer) => ({ ...layer, ...target }));
  return withRunHooks(owned, context, { args, describe }, run);
}

/** Runs a part of a run between its hooks. */
export async function withRunHooks<Result>(
  owned: readonly OwnedHooks[],
  context: RunContext,
  about: Pick<HookedWork, 'args' | 'describe'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { privateValues, runtime, runId, workSignal: signal } = context;
  const layers = owned.map((hooks) => ({ ...hooks, report: reportHook(context, hooks.source) }));
  return withHooks({ ...about, layers, privateValues, runtime, runId, signal }, work);
}

/** Emits the outcome of a hook, and logs a failure. */
function reportHook(context: RunContext, source: HookLayer['source']): HookRun['report'] {
  return async (report, error) => {
    if (report.status === 'failed') {
      const { message } = describeFailure(error, context.privateValues);
      context.logger.warn('A hook failed.', { hook: report.name, stage: report.stage, error: message });
    }
    // Only the name of an error, but a hook chooses that too.
    const name = report.error === null ? null : context.privateValues.cleanText(report.error);
    await context.emit(buildHookEvent({ ...report, error: name }, source));
  };
}
