export type { MCPToolResult } from './mcp/calls/call-result.js';
export { MCPError } from './mcp/errors.js';
export type { HeaderSource } from './mcp/transport/http-transport.js';
export { MCPAutoSetup } from './mcp/mcp-auto-setup.js';
export { MCPServer } from './mcp/mcp-server.js';
export type {
  HttpServerOptions,
  MCPAutoSetupOptions,
  RateLimitOptions,
  StdioServerOptions,
} from './mcp/server-options.js';
export type { ServableAgent, ServableRun } from './mcp/serve/offers/servable-agent.js';
export { serveMcp, type MCPService, type ServeMcpOptions } from './mcp/serve/serve-mcp.js';
