import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { follow, raceAbort, withDeadline } from '../../deadline.js';
import type { Logger } from '../../logging/logger.js';
import { VERSION } from '../../version.js';
import type { ActiveCalls } from '../calls/active-calls.js';
import { buildChildEnvironment } from '../transport/child-environment.js';
import { ChildTransport } from '../transport/child-transport.js';
import { MCPError } from '../errors.js';
import { openInAnyVersion, reopenStateless, type Open } from './choose-version.js';
import { CONNECTING, explainFailure } from './explain-failure.js';
import { findInArguments, findInUrl } from '../credentials/find-credentials.js';
import { changeMessages } from '../transport/change-messages.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { limitValues } from '../transport/limit-values.js';
import { hideResult } from '../transport/unchecked-result.js';
import type { Secrets } from '../credentials/secrets.js';
import type { ServerConfig } from '../server-options.js';
import { watchTools } from './watch-tools.js';

/** An open connection to a server. */
export interface Connection {
  readonly client: Client;
  /** How the connection ended; undefined while it is open. */
  readonly end: string | undefined;
  /** Whether nothing more can be sent; the last responses may still arrive until it has ended. */
  readonly isEnding: boolean;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** Whether a server without sessions reports changes of its tools. */
  readonly isWatched: boolean;
  /** Whether the server can reach this client outside the responses to its calls, such as to ask something. */
  readonly hasSession: boolean;
  /** Closes the connection and ends the server's process. Closing twice is safe. */
  close(): Promise<void>;
}

/** The parts of a connection. */
export interface ConnectionParts {
  readonly config: ServerConfig;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Whether it was last used without a handshake, which is tried first then. */
  readonly wasStateless: boolean;
  /** The running calls, which receive the server's notifications and questions. */
  readonly calls: ActiveCalls;
  /** Called when the server's tools have changed. */
  readonly onToolsChanged: () => void;
  /** Called once when the connection has ended, for whatever reason. */
  readonly onEnd: (ended: Connection) => void;
}

/** The time limit for ending the session of a server over HTTP, in milliseconds. */
const END_SESSION_TIMEOUT_MS = 2_000;

/** How long a server may take to confirm that it reports changes of its tools, in milliseconds. */
const MAX_CONFIRM_MS = 5_000;

/** Connects to the server and initializes the session. The MCP library is first loaded here. */
export async function openConnection(parts: ConnectionParts, signal: AbortSignal): Promise<Connection> {
  const { config } = parts;
  const timeoutMs = config.connectTimeoutMs;
  const createError = () =>
    new MCPError(`The MCP server '${config.name}' was not ready within ${timeoutMs} ms.`, {
      code: 'MCP_TIMEOUT',
      server: config.name,
      isRetryable: true,
    });
  const open = 'url' in config ? openHttp(config, parts) : openChild(config, parts);
  const controller = new AbortController();
  const stopFollowing = follow(signal, controller);
  const timer = setTimeout(() => controller.abort(createError()), timeoutMs);
  try {
    // Waits until it has ended, even if it is aborted: only then is nothing left behind.
    return await (parts.wasStateless ? reopenStateless : openInAnyVersion)(open, controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stopFollowing();
  }
}

function openChild(
  config: Extract<ServerConfig, { command: string }>,
  parts: ConnectionParts,
): Open<Connection> {
  return async (signal, version) => {
    const { command, args, cwd, maxMessageBytes } = config;
    const env = buildChildEnvironment(config, { env: process.env, platform: process.platform });
    const confidential = [...Object.keys(config.env ?? {}), ...(config.inheritEnv ?? [])];
    parts.secrets.keep(
      Object.fromEntries(confidential.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    );
    for (const [name, value] of findInArguments(args)) parts.secrets.keep({ [name]: value });
    const transport = new ChildTransport({ command, args, env, cwd, maxMessageBytes });
    return initialize(parts, signal, {
      transport,
      version,
      hasSession: () => true,
      canSend: () => transport.canSend,
      readEnd: () => transport.end,
      readStderr: (clean) => transport.readStderr(clean),
      close: async () => transport.close(),
    });
  };
}

function openHttp(config: Extract<ServerConfig, { url: URL }>, parts: ConnectionParts): Open<Connection> {
  return async (signal, version) => {
    const { url, headers, authProvider, maxMessageBytes, connectTimeoutMs } = config;
    for (const [name, value] of findInUrl(url.href)) parts.secrets.keep({ [name]: value });
    let giveUpReason: string | undefined;
    const transport = await createHttpTransport({
      onGiveUp: (reason) => (giveUpReason = reason),
      url,
      authProvider,
      signInTimeoutMs: connectTimeoutMs,
      maxMessageBytes,
      headers,
      secrets: parts.secrets,
    });
    return initialize(parts, signal, {
      transport,
      version,
      hasSession: () => transport.sessionId !== undefined,
      canSend: () => true,
      readEnd: () => giveUpReason,
      readStderr: () => '',
      async close() {
        const createError = () => new Error('The server did not confirm the end of the session.');
        const ended = withDeadline({ timeoutMs: END_SESSION_TIMEOUT_MS, createError }, async () =>
          transport.terminateSession(),
        );
        await ended.catch((error: unknown) =>
          parts.logger.debug('An MCP session could not be ended.', { error }),
        );
        await transport.close();
      },
    });
  };
}

interface Channel {
  readonly version: string | undefined;
  readonly transport: Parameters<Client['connect']>[0];
  readonly hasSession: () => boolean;
  readonly canSend: () => boolean;
  readonly readEnd: () => string | undefined;
  readonly readStderr: (clean: (text: string) => string) => string;
  readonly close: () => Promise<void>;
}

async function initialize(
  parts: ConnectionParts,
  signal: AbortSignal,
  channel: Channel,
): Promise<Connection> {
  const { config, logger, secrets } = parts;
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'svc', version: VERSION },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: channel.version === undefined ? 'legacy' : { pin: channel.version } },
    },
  );
  await listen(client, parts);
  let end: string | undefined;
  let isWatched = false;
  const ending = new AbortController();
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  const close = async () => (closing ??= channel.close());
  const connection: Connection = {
    client,
    get hasSession() {
      return channel.hasSession();
    },
    get end() {
      return end;
    },
    get isEnding() {
      return end !== undefined || !channel.canSend();
    },
    ended,
    get isWatched() {
      return isWatched;
    },
    close,
  };
  client.onclose = () => {
    // It is reported again when the closed connection is closed.
    if (end !== undefined) return;
    end = channel.readEnd() ?? 'the connection was closed';
    ending.abort();
    resolveEnded();
    parts.onEnd(connection);
  };
  client.onerror = (error) =>
    logger.debug('An MCP connection had an error.', { error: secrets.clean(error.message) });
  let isConnected = false;
  changeMessages(channel.transport, (message) => {
    const limited = limitValues(message);
    // A confidential value may be the same as a word of the handshake.
    return isConnected ? hideResult(withStateOf(limited, secrets.cleanMessage(limited))) : limited;
  });
  try {
    // The library does not pass the signal on to the last message of the handshake.
    const connecting = client.connect(channel.transport, { signal, timeout: config.connectTimeoutMs });
    await raceAbort(connecting, signal);
    isConnected = true;
    const { logging, tools } = client.getServerCapabilities() ?? {};
    const ignoreRefusal = (what: string) => (error: unknown) => {
      if (signal.aborted || end !== undefined) throw error;
      // The server is usable anyway.
      logger.debug(`An MCP server refused ${what}.`);
    };
    if (channel.version === undefined) {
      if (logging)
        await client.setLoggingLevel(config.logLevel, { signal }).catch(ignoreRefusal('its log level'));
    } else if (tools?.listChanged) {
      const watching = watchTools(client, {
        onChange: parts.onToolsChanged,
        // A proxy that holds back the beginning of a response must not make the server unusable.
        confirmMs: Math.min(MAX_CONFIRM_MS, config.connectTimeoutMs / 2),
        ...config.reconnect,
        signal: ending.signal,
      });
      const onWatched = () => (isWatched = true);
      await raceAbort(watching, signal).then(onWatched, ignoreRefusal('to report changes of its tools'));
    }
  } catch (error) {
    await close();
    const context = { server: config.name, doing: CONNECTING, end: channel.readEnd(), secrets };
    const stderr = channel.readStderr((text) => secrets.clean(text));
    throw withStderr(explainFailure(error, context), stderr);
  }
  return connection;
}

/** Forwards a server's notifications and questions to the running calls. */
async function listen(client: Client, { calls, onToolsChanged }: ConnectionParts): Promise<void> {
  const { ProtocolError, ProtocolErrorCode } = await import('@modelcontextprotocol/client');
  client.setNotificationHandler('notifications/message', ({ params }) => calls.showLine(params));
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
  // With a handler for the method, the library would check a question first, and collect millions of faults of a huge one.
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method !== 'elicitation/create')
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    if ((params?.['mode'] ?? 'form') !== 'form')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Only forms are supported');
    return calls.ask(params, mcpReq.signal);
  };
}

/** Puts back a state that the server wants to have back as it is. It is shown to nobody. */
function withStateOf(message: JSONRPCMessage, cleaned: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message && 'result' in cleaned)) return cleaned;
  const { requestState } = message.result;
  return typeof requestState === 'string'
    ? { ...cleaned, result: { ...cleaned.result, requestState } }
    : cleaned;
}

/** Adds a server's standard error output where people see it and planners do not. */
function withStderr(error: unknown, stderr: string): unknown {
  if (error instanceof MCPError && stderr !== '')
    Object.defineProperty(error, 'stderr', { value: stderr, enumerable: false });
  return error;
}
