import type { Client } from '@modelcontextprotocol/client';
import { withDeadline } from '../../deadline.js';
import { MCPError } from '../errors.js';
import { STATELESS_VERSION } from '../transport/http-transport.js';
import { isHandshakeRefused } from './explain-failure.js';

/** The newest version with a handshake, which servers know that know a newer one too. */
const NEWEST_WITH_HANDSHAKE = '2025-11-25';

/** How long a server may take to say that it also speaks the version without a handshake, in milliseconds. */
const MAX_PROBE_MS = 2_000;

/** An open connection. */
interface Opened {
  readonly client: Client;
  /** Whether the server can reach this client outside the responses to its calls, such as to ask something. */
  readonly hasSession: boolean;
  close(): Promise<void>;
}

/** Opens a connection, with a handshake unless it is given the version of the protocol. */
export type Open<Connection extends Opened> = (signal: AbortSignal, version?: string) => Promise<Connection>;

/**
 * Opens a connection with a handshake, or without one if the server refuses it, or speaks both and gives no session in which
 * it could ask something.
 */
export async function openInAnyVersion<Connection extends Opened>(
  open: Open<Connection>,
  signal: AbortSignal,
): Promise<Connection> {
  const connection = await openUnlessRefused(open, signal);
  const { client, hasSession } = connection;
  if (hasSession || client.getNegotiatedProtocolVersion() !== NEWEST_WITH_HANDSHAKE) return connection;
  const createError = () => new Error('The server did not answer in time.');
  const deadline = { timeoutMs: MAX_PROBE_MS, signal, createError };
  const opening = withDeadline(deadline, async (within) => open(within, STATELESS_VERSION));
  const newer = await opening.catch(() => undefined);
  if (newer) await connection.close();
  const chosen = newer ?? connection;
  if (!signal.aborted) return chosen;
  await chosen.close();
  throw signal.reason;
}

/** Opens a connection to a server that was used without a handshake. */
export async function reopenStateless<Connection extends Opened>(
  open: Open<Connection>,
  signal: AbortSignal,
): Promise<Connection> {
  return open(signal, STATELESS_VERSION).catch(async (refusal: unknown) => {
    // It may have been replaced by a server of an older version.
    if (!isOtherVersion(refusal)) throw refusal;
    return openUnlessRefused(open, signal);
  });
}

async function openUnlessRefused<Connection extends Opened>(
  open: Open<Connection>,
  signal: AbortSignal,
): Promise<Connection> {
  return open(signal).catch(async (refusal: unknown) => {
    if (!isHandshakeRefused(refusal)) throw refusal;
    return open(signal, STATELESS_VERSION).catch((error: unknown) => {
      // If it does not know that version either, it may want the handshake, and have refused it for another reason.
      throw isOtherVersion(error) ? refusal : error;
    });
  });
}

function isOtherVersion(error: unknown): boolean {
  return error instanceof MCPError && error.code === 'MCP_PROTOCOL_VIOLATION';
}
