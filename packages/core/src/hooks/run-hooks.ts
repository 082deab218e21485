import { withDeadline } from '../deadline.js';
import type { Runtime } from '../runtime.js';
import type { HookPayload, HookReport, Hooks } from './hook.js';

/** How long a hook may take, in milliseconds; what it watches does not wait longer. */
export const HOOK_TIMEOUT_MS = 30_000;

/** What running hooks needs besides the hooks. */
export interface HookRun {
  readonly hooks: Hooks;
  readonly payload: HookPayload;
  readonly runtime: Runtime;
  /** Takes the report of each hook as soon as it has run. */
  readonly report: (report: HookReport, error: unknown) => void | Promise<void>;
}

/** Runs the hooks of the payload's stage one after the other, after-hooks in the opposite order. One that fails or takes too long is reported and the next one runs; nothing is thrown. A before-hook is not waited for when its run ends. */
export async function runHooks({ hooks, payload, runtime, report }: HookRun): Promise<void> {
  const { stage, targetType, targetId, targetName } = payload;
  // What was to come after a before-hook does not come any more when the run is over; an after-hook still has its say.
  const signal = stage === 'before' ? payload.signal : undefined;
  for (const hook of stage === 'before' ? hooks.before : hooks.after.toReversed()) {
    if (signal?.aborted) return;
    const startedAt = runtime.monotonicMs();
    let failure: { error: unknown } | undefined;
    try {
      await withDeadline({ timeoutMs: HOOK_TIMEOUT_MS, signal, createError: timeoutError }, async () =>
        hook(payload),
      );
    } catch (error) {
      failure = { error };
    }
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
