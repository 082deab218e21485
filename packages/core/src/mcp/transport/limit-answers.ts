import type { Transport } from '@modelcontextprotocol/client';

/** How many answers to a server's requests may be on their way; each takes memory, and over HTTP a connection. */
const MAX_ANSWERS = 100;

/** Limits the answers on their way to a server, which may send requests without ever taking the answers. */
export function limitAnswers(transport: Pick<Transport, 'send'>, onExcess: (reason: string) => void): void {
  const send = transport.send.bind(transport);
  let pending = 0;
  transport.send = async (message, options) => {
    if ('method' in message) return send(message, options);
    if (pending >= MAX_ANSWERS)
      return onExcess(`it sent more than ${MAX_ANSWERS} requests without taking the answers`);
    pending += 1;
    try {
      await send(message, options);
    } finally {
      pending -= 1;
    }
  };
}
