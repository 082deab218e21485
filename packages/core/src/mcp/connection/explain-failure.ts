import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import { cutText } from '../../cut-text.js';
import { MCPError, nameRpcCode } from '../errors.js';
import { LOST } from '../transport/answer-stream.js';
import { INVALID_ANSWER } from '../transport/read-message.js';
import { SignInError } from '../transport/sign-in.js';
import type { Secrets } from '../credentials/secrets.js';

/** The activity of a failure while the connection is opened. */
export const CONNECTING = 'connecting to it';

/** The context of a failure. */
export interface FailureContext {
  readonly server: string;
  /** The activity, such as `calling 'search'`. */
  readonly doing: string;
  /** How the connection ended, if it did. */
  readonly end: string | undefined;
  /** Confidential values, which are removed from texts. */
  readonly secrets: Pick<Secrets, 'clean'>;
}

/** The protocol's code of a server that speaks only newer versions: as the response, or in that with status 400. */
const UNSUPPORTED_VERSION_CODE = -32022;
const UNSUPPORTED_VERSION_BODY = /"code":\s*-32022\b/;
/** The protocol's code for an unknown method, in a response with status 404. */
const UNKNOWN_METHOD_CODE = -32601;
const UNKNOWN_METHOD_BODY = /"code":\s*-32601\b/;

/**
 * How a server refuses the handshake that speaks only versions without one: it does not know the method, or misses what its
 * versions have in every request. The code that names its versions is only recommended.
 */
const HANDSHAKE_REFUSALS: ReadonlySet<string> = new Set([
  'MCP_HTTP_400',
  'MCP_INVALID_REQUEST',
  'MCP_METHOD_NOT_FOUND',
  'MCP_INVALID_PARAMS',
]);

/** Codes of a connection that broke after the server may have received the request. */
const BROKEN_CONNECTION_CODES: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);
/** The message of `fetch` for a body that breaks off or cannot be decompressed. */
const BROKEN_BODY_MESSAGE = 'terminated';
/** The name of the cause for a response that is not HTTP. */
const BROKEN_RESPONSE_NAME = 'HTTPParserError';
/** The name of the MCP library's error for a 403 that asks for another scope, once a sign-in did not help. */
const INSUFFICIENT_SCOPE_NAME = 'InsufficientScopeError';
/** The maximum length of the reason of a failed sign-in, which may be a whole page. */
const MAX_REASON_LENGTH = 300;

/** The error of the MCP library for an error response of the server. */
const RpcErrorSchema = z.object({ name: z.literal('ProtocolError'), code: z.int(), message: z.string() });
/** The error of the MCP library for what it detected itself; `status` is that of an HTTP response. */
const LibraryErrorSchema = z.object({
  name: z.enum(['SdkError', 'SdkHttpError']),
  code: z.string(),
  message: z.string(),
  status: z.int().optional(),
  /** The response's body, which the message does not have if it was a redirect. */
  data: z.object({ text: z.string().nullish() }).optional().catch(undefined),
});
/** The errors of the MCP library for an authorization server that is at fault itself. */
const AuthorizationServerErrorSchema = z.union([
  z.object({
    name: z.literal('OAuthError'),
    code: z.enum(['server_error', 'temporarily_unavailable', 'too_many_requests']),
  }),
  z.object({ name: z.literal('RegistrationRejectedError'), status: z.int().refine(isTemporary) }),
]);
const SystemErrorSchema = z.object({ code: z.string(), path: z.string().optional() });

/** Turns an error of the MCP library into an {@link MCPError}; SDK errors are returned unchanged. */
export function explainFailure(error: unknown, context: FailureContext): unknown {
  if (isSdkError(error)) return error;
  if (error instanceof SignInError) return explainSignIn(error, context);
  const fail = failBecauseOf(error, context);

  const rpc = RpcErrorSchema.safeParse(error).data;
  if (rpc) return explainResponse(rpc, fail, context);
  const library = LibraryErrorSchema.safeParse(error).data;
  if (library?.code === 'CONNECTION_CLOSED') return lost(fail, context);
  if (library?.code === 'REQUEST_TIMEOUT')
    return fail('MCP_TIMEOUT', 'did not respond in time', { isRetryable: true });
  if (
    library?.code === 'INVALID_RESULT' ||
    library?.code === 'UNSUPPORTED_RESULT_TYPE' ||
    error instanceof z.core.$ZodError ||
    error instanceof SyntaxError
  )
    return fail('MCP_PROTOCOL_VIOLATION', 'sent a message that violates the protocol');
  // Its process is ended because of that, which must not be reported as the reason.
  if (error instanceof Error && error.message.includes('protocol version is not supported'))
    return otherVersion(fail);
  if (library?.code === 'ERA_NEGOTIATION_FAILED' && library.status === undefined)
    return explainNegotiation(error, context, fail);
  if (library?.code === 'CLIENT_HTTP_UNEXPECTED_CONTENT')
    return fail(
      'MCP_PROTOCOL_VIOLATION',
      `did not respond as an MCP server (${context.secrets.clean(library.message)})`,
    );
  if (library?.status === 400 && UNSUPPORTED_VERSION_BODY.test(library.message))
    return otherVersion(fail, UNSUPPORTED_VERSION_CODE);
  if (library?.status === 404 && UNKNOWN_METHOD_BODY.test(library.message))
    return refused(fail, 404, UNKNOWN_METHOD_CODE);
  if (library?.status !== undefined) return refused(fail, library.status);
  if (error instanceof Error && error.name === INSUFFICIENT_SCOPE_NAME) return refused(fail, 403);
  return unreachable(fail, context, error);
}

/** Whether a server refused the handshake, so that it may be used without one. */
export function isHandshakeRefused(error: unknown): boolean {
  if (!(error instanceof MCPError)) return false;
  const { code, rpcCode } = error;
  return (
    HANDSHAKE_REFUSALS.has(code) || rpcCode === UNKNOWN_METHOD_CODE || rpcCode === UNSUPPORTED_VERSION_CODE
  );
}

/** Explains why the version of the protocol could not be found out. */
function explainNegotiation(error: unknown, context: FailureContext, fail: Fail): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? otherVersion(fail) : explainFailure(cause, context);
}

/** Explains an error response. */
function explainResponse(
  { code, message }: z.infer<typeof RpcErrorSchema>,
  fail: Fail,
  context: FailureContext,
): MCPError {
  if (code === LOST.code && message === LOST.message) return lost(fail, context);
  if (code === INVALID_ANSWER.code && message === INVALID_ANSWER.message)
    return fail('MCP_PROTOCOL_VIOLATION', 'sent a message that violates the protocol');
  // In a response to a call, the code is the server's own.
  if (code === UNSUPPORTED_VERSION_CODE && context.doing === CONNECTING) return otherVersion(fail, code);
  return fail(nameRpcCode(code), `responded with error ${code}: ${context.secrets.clean(message)}`, {
    rpcCode: code,
  });
}

/** Explains a failed sign-in. The cause is an error of the MCP library, the authorization server or the provider. */
function explainSignIn({ cause }: SignInError, context: FailureContext): unknown {
  if (isSdkError(cause)) return cause;
  if (cause === undefined)
    return failBecauseOf(cause, context)('MCP_UNAUTHORIZED', 'refused access (a person must sign in first)');
  const isMalformed = cause instanceof SyntaxError || cause instanceof z.core.$ZodError;
  const message = messageOf(cause, context);
  const reason = isMalformed ? 'the response of its authorization server is malformed' : message;
  // The error of the JSON parser quotes the response, in which there may be tokens.
  const fail = failBecauseOf(cause instanceof SyntaxError ? undefined : cause, context);
  return fail('MCP_UNAUTHORIZED', `could not be signed in to (${cutText(reason, MAX_REASON_LENGTH)})`, {
    isRetryable: AuthorizationServerErrorSchema.safeParse(cause).success,
  });
}

/**
 * Cleans a cause, which is printed with its error: its message may repeat confidential values from the server's
 * response, and the error of an HTTP parser contains what it could not read.
 */
function withoutSecrets(error: unknown, { secrets }: FailureContext): unknown {
  if (!(error instanceof Error)) return error;
  const message = secrets.clean(error.message);
  const body = LibraryErrorSchema.safeParse(error).data?.data?.text ?? '';
  const isClean = message === error.message && secrets.clean(body) === body;
  return isClean && !isBrokenResponse(error.cause) ? error : new Error(message);
}

/** The message of a cause without confidential values. */
function messageOf(cause: unknown, { secrets }: FailureContext): string {
  return cause instanceof Error ? secrets.clean(cause.message) : 'no reason was given';
}

type Fail = (code: string, what: string, more?: { rpcCode?: number; isRetryable?: boolean }) => MCPError;

function failBecauseOf(cause: unknown, context: FailureContext): Fail {
  const { server, doing } = context;
  return (code, what, more) =>
    new MCPError(`The MCP server '${server}' ${what} while ${doing}.`, {
      code,
      server,
      cause: withoutSecrets(cause, context),
      ...more,
    });
}

function otherVersion(fail: Fail, rpcCode?: number): MCPError {
  const more = rpcCode === undefined ? {} : { rpcCode };
  return fail('MCP_PROTOCOL_VIOLATION', 'uses a protocol version that is not supported', more);
}

function lost(fail: Fail, { end }: Pick<FailureContext, 'end'>): MCPError {
  return fail('MCP_CONNECTION_LOST', `disconnected (${end ?? 'the connection was closed'})`, {
    isRetryable: true,
  });
}

function refused(fail: Fail, status: number, rpcCode?: number): MCPError {
  if (status === 401 || status === 403)
    return fail('MCP_UNAUTHORIZED', `refused access with status ${status}`);
  const more = { isRetryable: isTemporary(status), ...(rpcCode === undefined ? {} : { rpcCode }) };
  return fail(`MCP_HTTP_${status}`, `responded with status ${status}`, more);
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 429;
}

function unreachable(fail: Fail, context: FailureContext, error: unknown): MCPError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, path } = SystemErrorSchema.safeParse(cause).data ?? {};
  // The same codes for a network address have no path.
  if ((code === 'ENOENT' || code === 'EACCES') && path !== undefined)
    return fail(
      'MCP_COMMAND_NOT_FOUND',
      `could not be started (${code}: '${context.secrets.clean(path)}' was not found or is not executable)`,
    );
  if (context.end !== undefined) return lost(fail, context);
  const message = messageOf(cause, context);
  // The HTTP parser's code, which it has on Node.js 22, says less than its message.
  const reason = isBrokenResponse(cause) ? message : (code ?? message);
  if (BROKEN_CONNECTION_CODES.has(code) || hasAnswered(error, cause))
    return lost(fail, { end: `the connection broke: ${reason}` });
  return fail('MCP_UNREACHABLE', `could not be reached (${reason})`, { isRetryable: true });
}

/** Whether a response had begun, so that the server has received the request. */
function hasAnswered(error: unknown, cause: unknown): boolean {
  if (error instanceof Error && error.message === BROKEN_BODY_MESSAGE) return true;
  return isBrokenResponse(cause);
}

function isBrokenResponse(cause: unknown): boolean {
  return cause instanceof Error && cause.name === BROKEN_RESPONSE_NAME;
}
