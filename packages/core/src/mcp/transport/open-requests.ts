import * as z from 'zod';
import { follow } from '../../deadline.js';

/** Identifies a request of the protocol. */
export type RequestId = string | number;

/** A sent request whose response is being read. */
export interface OpenRequest {
  readonly id: RequestId;
  /** Aborts when nobody waits for the response any more. */
  readonly signal: AbortSignal;
  /** Throws if it has been cancelled, so that it must not be sent any more. */
  readonly throwIfCancelled: () => void;
  /** Must be called when the body has been read or is abandoned. */
  readonly end: () => void;
}

const IdSchema = z.union([z.string(), z.number()]);
const RequestSchema = z.object({ id: IdSchema, method: z.string() });
const CancelSchema = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: IdSchema }),
});

/**
 * The requests to a server over HTTP whose responses are read. A server does not answer what was cancelled, and the MCP
 * library would read such a response, on a connection of its own, for as long as the session lasts.
 */
export class OpenRequests {
  readonly #open = new Map<RequestId, AbortController>();
  readonly #cancelled = new WeakSet<AbortController>();

  /**
   * Sends a message. Stops reading the response of a request that it cancels; keeps track of the response if it is a
   * request itself.
   */
  async send(
    { body, signal }: RequestInit,
    fetchResponse: (request: OpenRequest | undefined) => Promise<Response>,
  ): Promise<Response> {
    const message = typeof body === 'string' ? parseJson(body) : undefined;
    const cancelled = CancelSchema.safeParse(message).data?.params.requestId;
    if (cancelled !== undefined) {
      const controller = this.#open.get(cancelled);
      if (controller) this.#cancelled.add(controller);
      // Sends the cancellation first: closing the connection does not cancel the request.
      return fetchResponse(undefined).finally(() => controller?.abort());
    }
    const id = RequestSchema.safeParse(message).data?.id;
    return id === undefined
      ? fetchResponse(undefined)
      : this.#request(id, signal ?? undefined, fetchResponse);
  }

  async #request(
    id: RequestId,
    signal: AbortSignal | undefined,
    fetchResponse: (request: OpenRequest) => Promise<Response>,
  ): Promise<Response> {
    const controller = new AbortController();
    const stopFollowing = follow(signal, controller);
    const end = () => {
      stopFollowing();
      if (this.#open.get(id) === controller) this.#open.delete(id);
    };
    const throwIfCancelled = () => {
      if (this.#cancelled.has(controller)) throw new Error('The request was cancelled before it was sent.');
    };
    this.#open.set(id, controller);
    try {
      return await fetchResponse({ id, signal: controller.signal, throwIfCancelled, end });
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Parses a body; one that is not JSON is not a message, such as one for signing in. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
