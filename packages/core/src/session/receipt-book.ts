import { withDeadline } from '../deadline.js';
import type { Call, CallOutcome } from '../dependencies/call-book.js';
import { messageOf } from '../message-of.js';
import { describeFailure } from '../tools/execution/describe-failure.js';
import { ToolError } from '../tools/errors.js';
import { parseReceipt } from '../tools/receipts/parse-receipt.js';
import type { Receipt } from '../tools/receipts/receipts.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { RunContext } from './run-context.js';

/** Failures after which it is unknown whether the effect took place; their receipts stay open. */
const UNKNOWN_ENDS: ReadonlySet<string> = new Set(['TOOL_TIMEOUT', 'TOOL_CANCELLED']);

/** How long a store may take for one request, in milliseconds; a call does not wait longer. */
const STORE_TIMEOUT_MS = 30_000;

/** Keeps the receipts of a session's writing calls: recorded before the effect, replayed when the call is repeated. */
export class ReceiptBook {
  readonly #context: RunContext;
  readonly #sessionId: string;

  constructor(context: RunContext, sessionId: string) {
    this.#context = context;
    this.#sessionId = sessionId;
  }

  /** Runs an attempt, unless the call has a receipt. `begin` must be called right before the effect. */
  async keep(
    tool: Tool,
    call: Call,
    attempt: (begin: () => Promise<void>) => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    if (!tool.permissions.isWriting || tool.kind === 'agent') return attempt(async () => {});
    const key = `${this.#sessionId}:${call.id}`;
    const { receipts, runtime } = this.#context;
    const recalled = await this.#recall(key, tool);
    if (recalled) return recalled;
    let hasBegun = false;
    const outcome = await attempt(async () => {
      await this.#recordOrRefuse(tool, async () =>
        receipts.begin(key, { toolName: tool.name, at: runtime.now() }),
      );
      hasBegun = true;
    });
    if (hasBegun && (outcome.ok || !UNKNOWN_ENDS.has(outcome.failure.code)))
      await this.#settle(key, tool, outcome);
    return outcome;
  }

  async #recall(key: string, tool: Tool): Promise<CallOutcome | undefined> {
    let found: { receipt: Receipt | undefined } | undefined;
    try {
      found = await this.#recordOrRefuse(tool, async () => this.#find(key));
    } catch (error) {
      return { ok: false, failure: describeFailure(error, this.#context.privateValues) };
    }
    if (!found) return undefined;
    const { receipt } = found;
    if (receipt?.state === 'settled') {
      const { outcome } = receipt;
      return outcome.ok ? { ...outcome, value: outcome.json } : outcome;
    }
    if (!receipt) this.#context.logger.error('A receipt is invalid.', { tool: tool.name, key });
    if (tool.idempotent) return undefined;
    const message = `'${tool.name}' began earlier and its outcome was not recorded. It may have taken effect, so it is not run again.`;
    return { ok: false, failure: { code: 'TOOL_OUTCOME_UNKNOWN', message } };
  }

  /** Resolves to what the store has for a call, whose receipt is `undefined` if it is invalid. */
  async #find(key: string): Promise<{ receipt: Receipt | undefined } | undefined> {
    // A store of the caller may return null for an unknown call, or something that throws when it is read.
    const found: unknown = await this.#context.receipts.find(key);
    return found == null ? undefined : { receipt: parseReceipt(found) };
  }

  async #settle(key: string, tool: Tool, outcome: CallOutcome): Promise<void> {
    const record = outcome.ok ? { ok: true as const, json: outcome.json } : outcome;
    try {
      await inTime(async () => this.#context.receipts.settle(key, record));
    } catch (error) {
      // The effect took place and its result is known, so the run continues; only a repeat after a crash is affected.
      this.#context.logger.error('A receipt could not be settled.', {
        tool: tool.name,
        reason: messageOf(error),
      });
    }
  }

  async #recordOrRefuse<Result>(tool: Tool, work: () => Promise<Result>): Promise<Result> {
    try {
      return await inTime(work);
    } catch (cause) {
      this.#context.logger.error('The receipt store failed.', {
        tool: tool.name,
        reason: messageOf(cause),
      });
      throw new ToolError(
        `The receipt store failed${shortReason(cause)}, and a writing tool does not run without a receipt.`,
        { code: 'TOOL_RECEIPT_UNAVAILABLE', isRetryable: true, cause },
      );
    }
  }
}

/** A cancelled call is recorded too, so that only the time is limited. */
async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const createError = (timeoutMs: number) =>
    new DOMException(`It did not respond within ${timeoutMs} ms.`, 'TimeoutError');
  return withDeadline({ timeoutMs: STORE_TIMEOUT_MS, createError }, work);
}

/**
 * Returns only a code, such as ENOSPC: this message leaves the process, and the store's may contain an address or a
 * password.
 */
function shortReason(cause: unknown): string {
  if (!(cause instanceof Error) || !('code' in cause)) return '';
  return typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(cause.code)
    ? ` (${cause.code})`
    : '';
}
