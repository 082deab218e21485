import { setTimeout as wait } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';

/** How long a subscription must have been open to count as a success, in milliseconds. */
const STABLE_AFTER_MS = 10_000;

/** How tools are watched. */
export interface ToolWatch {
  readonly onChange: () => void;
  /** How long to wait for the server's confirmation, in milliseconds. */
  readonly confirmMs: number;
  /** The first delay before subscribing again, in milliseconds; doubled each time. */
  readonly baseMs: number;
  /** The maximum delay, in milliseconds. */
  readonly maxDelayMs: number;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/**
 * Subscribes to changes of a server's tools, which servers without sessions do not report by themselves, and subscribes
 * again when the subscription is lost, until the signal aborts. Resolves once it is subscribed; rejects if it is refused.
 */
export async function watchTools(
  client: Client,
  { onChange, confirmMs, baseMs, maxDelayMs, signal }: ToolWatch,
): Promise<void> {
  const subscribe = async () => {
    const subscription = await client.listen({ toolsListChanged: true }, { signal, timeout: confirmMs });
    if (subscription.honoredFilter.toolsListChanged === true) return subscription;
    // Not awaited, because the server may never answer.
    void subscription.close();
    throw new Error('The server does not report changes of its tools.');
  };
  const keepSubscribed = async (first: McpSubscription) => {
    let delayMs = 0;
    for (let current: McpSubscription | undefined = first; !signal.aborted;) {
      const openedAt = performance.now();
      await current?.closed;
      const isStable = performance.now() - openedAt >= STABLE_AFTER_MS;
      // At least a millisecond, because without one it would never grow.
      delayMs = Math.min(maxDelayMs, isStable || delayMs === 0 ? Math.max(1, baseMs) : delayMs * 2);
      await wait(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      // A server that is gone is reported by the next call.
      current = await subscribe().catch(() => undefined);
      // What has changed meanwhile is unknown.
      onChange();
    }
  };
  void keepSubscribed(await subscribe());
}
