import { withDeadline } from '../deadline.js';
import type { Runtime } from '../runtime.js';
import type { Hook, HookPayload, HookReport } from './hook.js';

/** How long a hook may take, in milliseconds; what it watches does not wait longer. */
export const HOOK_TIMEOUT_MS = 30_000;

/** What running hooks needs besides the hooks. */
export interface HookRun {
  readonly hooks: readonly Hook[];
  readonly payload: HookPayload;
  readonly runtime: Runtime;
  /** Takes the report of each hook as soon as it has run. */
  readonly report: (report: HookReport, error: unknown) => void | Promise<void>;
}

/** Runs hooks one after the other. One that fails or takes too long is reported and the next one runs; nothing is thrown. */
export async function runHooks({ hooks, payload, runtime, report }: HookRun): Promise<void> {
  for (const hook of hooks) {
    const startedAt = runtime.monotonicMs();
    let failure: { error: unknown } | undefined;
    try {
      await withDeadline({ timeoutMs: HOOK_TIMEOUT_MS, createError: timeoutError }, async () =>
        hook(payload),
      );
    } catch (error) {
      failure = { error };
    }
    const { stage, targetType, targetId, targetName } = payload;
    const elapsedMs = Math.round(runtime.monotonicMs() - startedAt);
    const status = failure ? 'failed' : 'completed';
    const error = failure ? describeKind(failure.error) : null;
    const name = hook.name || 'anonymous';
    await report({ name, stage, status, error, elapsedMs, targetType, targetId, targetName }, failure?.error);
  }
}

function timeoutError(): Error {
  return new DOMException('The hook took too long.', 'TimeoutError');
}

function describeKind(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
