import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import { MCPError, nameRpcCode } from '../errors.js';
import { INVALID_ANSWER } from '../transport/read-message.js';
import type { Secrets } from '../credentials/secrets.js';

/** Where something failed. */
export interface FailurePlace {
  readonly server: string;
  /** What was being done, such as `calling 'search'`. */
  readonly doing: string;
  /** How the connection ended, if it did. */
  readonly end: string | undefined;
  /** What is confidential, to be taken out of texts. */
  readonly secrets: Pick<Secrets, 'clean'>;
}

/** What the MCP library says of the connection itself. Its codes alone a server may have for errors of its own. */
const CONNECTION_CLOSED = 'MCP error -32000: Connection closed';
const REQUEST_TIMEOUT = 'MCP error -32001: Request timed out';
/** What it makes of an answer that it would not have read. */
const NO_ANSWER = `MCP error ${INVALID_ANSWER.code}: ${INVALID_ANSWER.message}`;

/** Codes of a connection that broke when the server may have got the request already. */
const BROKEN: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** What the MCP library throws for an error that the server answered, or that it found itself. */
const RpcErrorSchema = z.object({ name: z.literal('McpError'), code: z.int(), message: z.string() });
/** What it throws for an HTTP status. */
const HttpErrorSchema = z.object({ code: z.int().min(100).max(599), message: z.string() });
const SystemErrorSchema = z.object({ code: z.string(), path: z.string().optional() });

/** Turns whatever the MCP library threw into an {@link MCPError}; errors of our own pass unchanged. */
export function explainFailure(error: unknown, place: FailurePlace): unknown {
  if (isSdkError(error)) return error;
  const { server, doing } = place;
  const fail: Fail = (code, what, more) =>
    new MCPError(`The MCP server '${server}' ${what} while ${doing}.`, {
      code,
      server,
      cause: withoutSecrets(error, place),
      ...more,
    });

  const rpc = RpcErrorSchema.safeParse(error).data;
  if (rpc?.message === CONNECTION_CLOSED) return lost(fail, place);
  if (rpc?.message === REQUEST_TIMEOUT)
    return fail('MCP_TIMEOUT', 'did not answer in time', { isRetryable: true });
  if (rpc?.message === NO_ANSWER || error instanceof z.core.$ZodError || error instanceof SyntaxError)
    return fail('MCP_PROTOCOL_VIOLATION', 'sent what the protocol does not know');
  if (rpc) {
    const said = place.secrets.clean(rpc.message.replace(/^MCP error -?\d+: /, ''));
    return fail(nameRpcCode(rpc.code), `answered with error ${rpc.code}: ${said}`, { rpcCode: rpc.code });
  }
  // Its process is ended for that, which must not pass for the reason.
  if (error instanceof Error && error.message.includes('protocol version is not supported'))
    return fail('MCP_PROTOCOL_VIOLATION', 'speaks a version of the protocol that is not known here');
  const status = HttpErrorSchema.safeParse(error).data?.code;
  if (status !== undefined) return refused(fail, status);
  // What the library throws when a person has to sign in first; it has neither a name nor a code.
  if (error instanceof Error && error.message === 'Unauthorized') return refused(fail, 401);
  return unreachable(fail, place, error);
}

/** A cause is printed with its error; what it says of the server's answer may repeat what the server was handed. */
function withoutSecrets(error: unknown, { secrets }: FailurePlace): unknown {
  if (!(error instanceof Error)) return error;
  const said = secrets.clean(error.message);
  return said === error.message ? error : new Error(said);
}

type Fail = (code: string, what: string, more?: { rpcCode?: number; isRetryable?: boolean }) => MCPError;

function lost(fail: Fail, { end }: Pick<FailurePlace, 'end'>): MCPError {
  return fail('MCP_CONNECTION_LOST', `went away (${end ?? 'the connection was closed'})`, {
    isRetryable: true,
  });
}

function refused(fail: Fail, status: number): MCPError {
  if (status === 401 || status === 403) return fail('MCP_UNAUTHORIZED', `refused with status ${status}`);
  const isRetryable = status >= 500 || status === 429;
  return fail(`MCP_HTTP_${status}`, `answered with status ${status}`, { isRetryable });
}

function unreachable(fail: Fail, place: FailurePlace, error: unknown): MCPError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, path } = SystemErrorSchema.safeParse(cause).data ?? {};
  // Of an address, which may be forbidden too, there is no path.
  if ((code === 'ENOENT' || code === 'EACCES') && path !== undefined)
    return fail(
      'MCP_COMMAND_NOT_FOUND',
      `could not be started (${code}: '${place.secrets.clean(path)}' was not found or may not run)`,
    );
  if (place.end !== undefined) return lost(fail, place);
  if (BROKEN.has(code)) return lost(fail, { end: `the connection broke: ${code}` });
  const said = cause instanceof Error ? place.secrets.clean(cause.message) : 'no reason given';
  return fail('MCP_UNREACHABLE', `could not be reached (${code ?? said})`, { isRetryable: true });
}
