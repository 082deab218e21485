import { setTimeout as wait } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';

/** How tools are watched. */
export interface ToolWatch {
  readonly onChange: () => void;
  /** How long to wait for the server's confirmation, in milliseconds. */
  readonly confirmMs: number;
  /** How long to wait before subscribing again, in milliseconds. */
  readonly retryAfterMs: number;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/**
 * Subscribes to changes of a server's tools, which servers without sessions do not report by themselves, and subscribes
 * again when the subscription is lost, until the signal aborts. Resolves once it is subscribed; rejects if it is refused.
 */
export async function watchTools(
  client: Client,
  { onChange, confirmMs, retryAfterMs, signal }: ToolWatch,
): Promise<void> {
  const subscribe = async () => client.listen({ toolsListChanged: true }, { signal, timeout: confirmMs });
  const keepSubscribed = async (first: McpSubscription) => {
    for (let current: McpSubscription | undefined = first; !signal.aborted;) {
      await current?.closed;
      await wait(retryAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
      // A server that is gone is reported by the next call.
      current = await subscribe().catch(() => undefined);
      // What has changed meanwhile is unknown.
      onChange();
    }
  };
  void keepSubscribed(await subscribe());
}
