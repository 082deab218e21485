import { ToolError } from '../tools/errors.js';

/** Options of an {@link MCPError}. */
export interface MCPErrorOptions {
  /** The code of the error. */
  code: string;
  /** The name of the server. */
  server: string;
  /** The code of a JSON-RPC error, such as -32602. */
  rpcCode?: number | undefined;
  isRetryable?: boolean;
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** An MCP server could not be reached, broke its protocol, or refused a request. */
export class MCPError extends ToolError {
  /** The name of the server. */
  readonly server: string;
  /** The code of the server's JSON-RPC error; undefined if the server did not respond with one. */
  readonly rpcCode: number | undefined;
  /**
   * The end of the server's standard error output, if it could not be started. It is for people and not part of any
   * event or JSON.
   */
  declare readonly stderr?: string;

  constructor(message: string, options: MCPErrorOptions) {
    const { server, rpcCode, details, code, isRetryable, cause } = options;
    super(message, {
      code,
      isRetryable,
      details: { server, ...(rpcCode === undefined ? {} : { rpc_code: rpcCode }), ...details },
      cause,
    });
    this.server = server;
    this.rpcCode = rpcCode;
  }
}

/** The names of the standard JSON-RPC codes; a server's own code is only in `rpcCode`. */
const RPC_CODES: ReadonlyMap<number, string> = new Map([
  [-32700, 'MCP_PARSE_ERROR'],
  [-32600, 'MCP_INVALID_REQUEST'],
  [-32601, 'MCP_METHOD_NOT_FOUND'],
  [-32602, 'MCP_INVALID_PARAMS'],
  [-32603, 'MCP_INTERNAL_ERROR'],
]);

/** Returns the name of a JSON-RPC error code. */
export function nameRpcCode(rpcCode: number): string {
  return RPC_CODES.get(rpcCode) ?? 'MCP_SERVER_ERROR';
}
