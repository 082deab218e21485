import { withDeadline } from '../deadline.js';
import { isError } from '../is-error.js';
import type { Runtime } from '../runtime.js';
import type { HookPayload, HookReport, Hooks } from './hook.js';

/** How long a hook may take, in milliseconds; its target does not wait longer. */
export const HOOK_TIMEOUT_MS = 30_000;

/** The hooks to run and what they need. */
export interface HookRun {
  readonly hooks: Hooks;
  readonly payload: HookPayload;
  readonly runtime: Runtime;
  /** Receives the report of each hook as soon as it has run. If it fails, the hooks after it do not run. */
  readonly report: (report: HookReport, error: unknown) => void | Promise<void>;
}

/**
 * Runs the hooks of the payload's stage one after the other, after-hooks in reverse order. A hook that fails or takes
 * too long is reported and the next one runs. Rejects only if `report` fails. Before-hooks are not waited for once the
 * run has ended.
 */
export async function runHooks({ hooks, payload, runtime, report }: HookRun): Promise<void> {
  const { stage, targetType, targetId, targetName } = payload;
  // Once the run is over, the target of a before-hook no longer runs; after-hooks still do.
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
    const error = failure ? errorName(failure.error) : null;
    const name = hook.name || 'anonymous';
    await report({ name, stage, status, error, elapsedMs, targetType, targetId, targetName }, failure?.error);
  }
}

function timeoutError(): Error {
  return new DOMException('The hook took too long.', 'TimeoutError');
}

function errorName(error: unknown): string {
  try {
    return isError(error) ? String(error.name) : 'Error';
  } catch {
    // The name may be a getter that throws, and a proxy may refuse to be read.
    return 'Error';
  }
}
