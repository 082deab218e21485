import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Passes the messages of a transport on as `change` returns them, from the first one on. */
export function changeMessages(
  transport: Pick<Transport, 'onmessage'>,
  change: (message: JSONRPCMessage) => JSONRPCMessage,
): void {
  let listener: Transport['onmessage'];
  // The library sets its listener when it connects, and then receives the response to the handshake.
  Object.defineProperty(transport, 'onmessage', {
    get: () => listener,
    set(next: Transport['onmessage']) {
      listener = next && ((message, extra) => next(change(message), extra));
    },
  });
}
