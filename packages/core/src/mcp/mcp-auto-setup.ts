import { inspect } from 'node:util';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolSource } from '../tools/tool-source.js';
import { MCPServer, type MCPServerPorts } from './mcp-server.js';
import {
  parseAutoSetupOptions,
  type AutoSetupConfig,
  type MCPAutoSetupOptions,
  type StdioServerOptions,
} from './server-options.js';

/**
 * An MCP server in a package: `npx` runs one from npm, `uvx` one from PyPI, and downloads it first if necessary.
 *
 * @example
 * agent.addTool(new MCPAutoSetup({ name: 'memory', launcher: 'npx', package: '@modelcontextprotocol/server-memory', version: '2026.8.31' }));
 */
export class MCPAutoSetup implements ToolSource, AsyncDisposable {
  readonly #server: MCPServer;

  constructor(options: MCPAutoSetupOptions, ports: MCPServerPorts = {}) {
    this.#server = new MCPServer(describeLaunch(parseAutoSetupOptions(options)), ports);
  }

  /** The name of the server. */
  get name(): string {
    return this.#server.name;
  }

  /** Whether the server is connected. */
  get isConnected(): boolean {
    return this.#server.isConnected;
  }

  /** Connects now, to detect early that the package cannot be run. */
  async connect(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#server.connect(options);
  }

  /** Lists the server's tools, after the allow-list and overrides. */
  async listTools(options: { signal?: AbortSignal } = {}): Promise<readonly Tool[]> {
    return this.#server.listTools(options);
  }

  /** Closes the connection and ends the server's process. Closing twice is safe. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [inspect.custom](): string {
    return inspect(this.#server).replace('MCPServer', 'MCPAutoSetup');
  }

  /** Returns the name and the state of the server. */
  toJSON(): Record<string, unknown> {
    return this.#server.toJSON();
  }
}

/** Returns the options with the command line that runs a package. */
export function describeLaunch(config: AutoSetupConfig): StdioServerOptions {
  const { launcher, package: _package, version: _version, executable: _executable, ...rest } = config;
  const { launcherPath = launcher, ...server } = rest;
  return { ...server, command: launcherPath, args: [...LAUNCHERS[launcher](config), ...server.args] };
}

const LAUNCHERS = {
  npx({ package: packageName, version, executable }) {
    const spec = version === undefined ? packageName : `${packageName}@${version}`;
    return executable === undefined ? ['--yes', spec] : ['--yes', `--package=${spec}`, '--', executable];
  },
  uvx({ package: packageName, version, executable }) {
    const spec = version === undefined ? packageName : `${packageName}==${version}`;
    return ['--from', spec, executable ?? packageName];
  },
} satisfies Record<AutoSetupConfig['launcher'], (config: AutoSetupConfig) => string[]>;
