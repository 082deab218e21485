import type { Client, Progress } from '@modelcontextprotocol/client';
import { follow, MAX_TIMER_MS } from '../../deadline.js';
import type { ActiveCall, ActiveCalls } from '../calls/active-calls.js';
import {
  CallResultSchema,
  readCallResult,
  type CallResult,
  type MCPToolResult,
} from '../calls/call-result.js';
import { callWithAnswers } from '../calls/call-with-answers.js';
import { CallTimer, type CallEnd } from '../calls/call-timer.js';
import type { ConnectionKeeper } from '../connection/connection-keeper.js';
import { MCPError } from '../errors.js';
import { explainFailure } from '../connection/explain-failure.js';
import type { Connection } from '../connection/open-connection.js';
import type { RateLimit } from '../calls/rate-limit.js';
import type { Secrets } from '../credentials/secrets.js';
import type { ServerConfig } from '../server-options.js';
import { findArgumentHeaders, usesArgumentHeaders, writeArgumentHeaders } from './argument-headers.js';
import type { ServerCall } from './server-tool.js';

/** The parts of a server caller. */
export interface CallerParts {
  readonly config: ServerConfig;
  readonly keeper: ConnectionKeeper;
  readonly rateLimit: RateLimit;
  readonly calls: ActiveCalls;
  readonly secrets: Secrets;
}

/** How far a call has come. */
interface CallState {
  /** Whether the server has answered already, and wants the call to come back. */
  hasBegun: boolean;
}

/** The protocol's name for the log level of a call. */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Failures of a request that has certainly not reached the tool. */
const NOT_STARTED: ReadonlySet<string> = new Set([
  'MCP_UNREACHABLE',
  'MCP_UNAUTHORIZED',
  'MCP_HTTP_429',
  'MCP_HTTP_503',
]);

/**
 * Calls a server's tools when the rate limit allows, with a connection that is opened if necessary, within the time
 * limits.
 */
export class ServerCaller {
  readonly #parts: CallerParts;

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  async call(call: ServerCall): Promise<MCPToolResult> {
    const { config, rateLimit, keeper } = this.#parts;
    const { signal } = call.context;
    await rateLimit.enter(signal);
    const state = { hasBegun: false };
    const result = await keeper.withConnection(
      signal,
      async (connection) => this.#withinLimits(connection, call, state),
      () => state.hasBegun,
    );
    const { raiseToolErrors, softErrorKeys, name: server } = config;
    await this.#checkOutput(call, result);
    return readCallResult(result, { server, tool: call.tool.name, raiseToolErrors, softErrorKeys });
  }

  async #withinLimits(connection: Connection, call: ServerCall, state: CallState): Promise<CallResult> {
    const { config, calls } = this.#parts;
    const { context } = call;
    const controller = new AbortController();
    const stopFollowing = follow(context.signal, controller);
    const limits = { silenceMs: config.callTimeoutMs, totalMs: config.maxCallMs };
    let timedOut: MCPError | undefined;
    const timer = new CallTimer(limits, (end) => {
      timedOut = this.#timeoutError(call, end);
      controller.abort(timedOut);
    });
    const active = { context, timer, state };
    const remove = calls.add(active);
    try {
      return await this.#send(connection.client, call, active, controller.signal);
    } catch (error) {
      context.signal.throwIfAborted();
      throw timedOut ?? this.#explain(error, call, { connection, ...state });
    } finally {
      remove();
      timer.end();
      stopFollowing();
    }
  }

  async #send(
    client: Client,
    { tool, args }: ServerCall,
    active: ActiveCall & { readonly state: CallState },
    signal: AbortSignal,
  ): Promise<CallResult> {
    const { calls, config } = this.#parts;
    const params = { name: tool.name, arguments: { ...args } };
    const options = {
      signal,
      // Our own time limits apply; the library's cannot be paused while a person is asked.
      timeout: MAX_TIMER_MS,
      onprogress: (progress: Progress) => calls.showProgress(active, progress),
    };
    if (client.getProtocolEra() !== 'modern')
      return client.request({ method: 'tools/call', params }, CallResultSchema, options);
    const isOverHttp = usesArgumentHeaders(client, config);
    const wanted = isOverHttp ? findArgumentHeaders(tool.inputSchema) : undefined;
    const send = async () =>
      callWithAnswers(client, {
        server: config.name,
        // Without a session, the log level is part of each call.
        params: { ...params, _meta: { [LOG_LEVEL]: config.logLevel } },
        options: { ...options, headers: writeArgumentHeaders(wanted ?? [], args) },
        ask: async (question) => calls.askFor(active, question, signal),
        onBegun() {
          active.state.hasBegun = true;
          active.timer.touch();
        },
      });
    // Over standard output, the lines of all calls come in one stream.
    return isOverHttp ? calls.send(active, send) : send();
  }

  async #checkOutput({ tool, checkOutput }: ServerCall, result: CallResult): Promise<void> {
    if (!checkOutput || result.isError === true) return;
    const problem = result.structuredContent
      ? await checkOutput(result.structuredContent)
      : 'there is no structured content';
    if (problem === undefined) return;
    const { name } = this.#parts.config;
    throw new MCPError(
      `The result of '${tool.name}' of the MCP server '${name}' does not match its own output schema: ${problem}.`,
      { code: 'MCP_OUTPUT_INVALID', server: name },
    );
  }

  #explain(
    error: unknown,
    { tool, isWriting }: ServerCall,
    { connection, hasBegun }: CallState & { readonly connection: Connection },
  ): unknown {
    const { config, secrets } = this.#parts;
    const doing = `calling '${tool.name}'`;
    const explained = explainFailure(error, { server: config.name, doing, end: connection.end, secrets });
    if (!(explained instanceof MCPError) || !isWriting) return explained;
    const hasStarted = hasBegun || !NOT_STARTED.has(explained.code);
    if (!explained.isRetryable || !hasStarted) return explained;
    return new MCPError(`${explained.message} It may have taken effect.`, {
      code: explained.code,
      server: config.name,
      isRetryable: false,
      details: { outcome: 'unknown' },
      cause: explained.cause,
    });
  }

  #timeoutError({ tool, isWriting }: ServerCall, end: CallEnd): MCPError {
    const { config } = this.#parts;
    const [limitMs, what] =
      end === 'silent' ? [config.callTimeoutMs, 'was silent for'] : [config.maxCallMs, 'took more than'];
    const maybeDone = isWriting ? ' It may have taken effect.' : '';
    return new MCPError(
      `'${tool.name}' of the MCP server '${config.name}' ${what} ${limitMs} ms.${maybeDone}`,
      {
        code: 'MCP_TIMEOUT',
        server: config.name,
        isRetryable: !isWriting,
        details: { timeout_ms: limitMs, ...(isWriting ? { outcome: 'unknown' } : {}) },
      },
    );
  }
}
