import { withCleanLog } from '../logging/log-scope.js';
import type { PrivateValues } from '../privacy/private-values.js';
import type { Runtime } from '../runtime.js';
import type { HookPayload, HookStage, Hooks } from './hook.js';
import { runHooks, type HookRun } from './run-hooks.js';

/** The hooks of one owner, their target, and where their outcome goes. */
export interface TargetHooks extends Pick<HookPayload, 'targetType' | 'targetId' | 'targetName'> {
  readonly hooks: Hooks;
  readonly report: HookRun['report'];
}

/** What the hooks around the same work share. */
export interface HookedWork {
  /** Outermost first. */
  readonly layers: readonly TargetHooks[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly runtime: Runtime;
  readonly privateValues: Pick<PrivateValues, 'copy' | 'cleanFields'>;
  /** Describes why the work failed, without private values. */
  readonly describe: (error: unknown) => NonNullable<HookPayload['error']>;
}

type End = { readonly result?: unknown; readonly error?: unknown };

/**
 * Runs work between its hooks, which see copies with placeholders for private values: outermost first before it,
 * innermost first after it, also when it fails or is cancelled. What they log is cleaned. Rejects with the error of the
 * work, or that of a `report`.
 */
export async function withHooks<Result>(hooked: HookedWork, work: () => Promise<Result>): Promise<Result> {
  const [layer, ...inner] = hooked.layers;
  if (!layer) return work();
  await fire('before', layer, hooked, {});
  let end: End = {};
  try {
    const result = await withHooks({ ...hooked, layers: inner }, work);
    end = { result };
    return result;
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    await fire('after', layer, hooked, end);
  }
}

async function fire(stage: HookStage, layer: TargetHooks, hooked: HookedWork, end: End): Promise<void> {
  const { hooks, report, targetType, targetId, targetName } = layer;
  if (hooks[stage].length === 0) return;
  const { args, runId, signal, runtime, privateValues, describe } = hooked;
  const copies = Object.entries(args).map(([name, value]) => [name, privateValues.copy(value)]);
  const payload = {
    stage,
    targetType,
    targetId,
    targetName,
    runId,
    signal,
    arguments: Object.fromEntries(copies),
    ...('result' in end ? { result: privateValues.copy(end.result) } : {}),
    ...('error' in end ? { error: describe(end.error) } : {}),
  };
  await withCleanLog(
    (fields) => privateValues.cleanFields(fields),
    async () => runHooks({ hooks, payload, runtime, report }),
  );
}
