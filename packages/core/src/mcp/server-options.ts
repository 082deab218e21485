import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { checkOptions, invalidOption, withoutNulls, type ShapeOf } from '../config/options.js';
import { MAX_TIMER_MS } from '../deadline.js';
import { isRecord } from '../is-record.js';
import { checkInjections, MAX_RESULT_BYTES } from '../tools/declaration/build-tool.js';
import type { Injection, Injections } from '../tools/references/injection.js';
import { ToolOverride } from '../tools/declaration/tool-override.js';
import { TOOL_LOG_LEVELS } from '../tools/reports/tool-reports.js';
import type { HeaderSource } from './transport/http-transport.js';

const nonBlank = z.string().trim().min(1, 'must not be empty');
const durationMs = z.number().positive().max(MAX_TIMER_MS);
const waitMs = z.number().min(0).max(MAX_TIMER_MS);
const record = z.record(z.string(), z.string());

/** Limits how often the tools of a server are called. */
export interface RateLimitOptions {
  /** The maximum number of calls that start within any `perMs`. */
  maxCalls: number;
  /** The length of the time window, in milliseconds. */
  perMs: number;
  /** The minimum time between the starts of two calls, in milliseconds. @default 0 */
  minIntervalMs?: number | undefined;
  /** The maximum number of queued calls; further ones fail at once. @default 100 */
  maxWaiting?: number | undefined;
}

const RateLimitSchema = z.strictObject({
  maxCalls: z.int().min(1),
  perMs: durationMs,
  minIntervalMs: waitMs.default(0),
  maxWaiting: z.int().min(0).default(100),
} satisfies ShapeOf<RateLimitOptions>);

/** Options for reconnecting after a lost connection. */
interface ReconnectOptions {
  /** The maximum number of attempts each time the server is needed. @default 4 */
  maxAttempts?: number | undefined;
  /** The first delay, in milliseconds; doubled each time. @default 250 */
  baseMs?: number | undefined;
  /** The maximum delay, in milliseconds. @default 30000 */
  maxDelayMs?: number | undefined;
}

const ReconnectSchema = z.strictObject({
  maxAttempts: z.int().min(1).default(4),
  baseMs: waitMs.default(250),
  maxDelayMs: waitMs.default(30_000),
} satisfies ShapeOf<ReconnectOptions>);

/** Options of every server, however it is reached. */
interface SharedServerOptions {
  /** The name of the server, used in messages and as the default prefix of its tools. */
  name: string;
  /** The prefix of the tools' names; `''` leaves them unchanged. @default the name */
  prefix?: string | undefined;
  /** The separator between prefix and name. @default '__' */
  separator?: string | undefined;
  /** An allow-list of tools, by the server's names. @default all */
  tools?: readonly string[] | undefined;
  /**
   * Default values of arguments that the planner leaves out, for each tool that has them. Those of an override take
   * precedence.
   */
  defaultArgs?: Readonly<Record<string, unknown>> | undefined;
  /** Injected arguments, which the planner does not see, for each tool that has them. */
  inject?: Readonly<Record<string, Injection>> | undefined;
  /** Arguments that the planner sees although they are named like credentials. */
  exposeArguments?: readonly string[] | undefined;
  /** Overrides of single tools, by the server's names. */
  overrides?: Readonly<Record<string, ToolOverride>> | undefined;
  /** Limits how often the tools are called. @default no limit */
  rateLimit?: RateLimitOptions | undefined;
  /**
   * Whether a result that the server marks as an error fails the call, instead of being returned to the planner.
   * @default false
   */
  raiseToolErrors?: boolean | undefined;
  /** Fields of a result that indicate a failure that the server does not mark as an error. @default ['error', 'errors'] */
  softErrorKeys?: readonly string[] | undefined;
  /** Attempts and delays for reconnecting after a lost connection. */
  reconnect?: ReconnectOptions | undefined;
  /** The time limit for starting and initializing the server, and for each sign-in, in milliseconds. @default 30000 */
  connectTimeoutMs?: number | undefined;
  /** How long the server may be silent during a call, in milliseconds; progress restarts it. @default 60000 */
  callTimeoutMs?: number | undefined;
  /** The time limit of a whole call, in milliseconds, not counting questions to people. @default 600000 */
  maxCallMs?: number | undefined;
  /** The largest message that is accepted from the server, in bytes. @default 10485760 */
  maxMessageBytes?: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. @default 1048576 */
  maxResultBytes?: number | undefined;
  /** The maximum number of tools from the server; further ones are ignored. @default 1000 */
  maxTools?: number | undefined;
  /** The minimum level of log lines that the server sends. @default 'info' */
  logLevel?: (typeof TOOL_LOG_LEVELS)[number] | undefined;
}

const SharedShape = {
  name: nonBlank,
  prefix: z.string().optional(),
  separator: nonBlank.default('__'),
  tools: z.array(nonBlank).readonly().optional(),
  defaultArgs: z.record(z.string(), z.unknown()).default({}),
  inject: z.record(z.string(), z.custom<Injection>()).default({}),
  exposeArguments: z.array(nonBlank).readonly().default([]),
  overrides: z.record(z.string(), z.instanceof(ToolOverride)).default({}),
  rateLimit: RateLimitSchema.optional(),
  raiseToolErrors: z.boolean().default(false),
  softErrorKeys: z.array(nonBlank).readonly().default(['error', 'errors']),
  reconnect: ReconnectSchema.prefault({}),
  connectTimeoutMs: durationMs.default(30_000),
  callTimeoutMs: durationMs.default(60_000),
  maxCallMs: durationMs.default(600_000),
  maxMessageBytes: z
    .int()
    .min(1_024)
    .default(10 * 1024 * 1024),
  maxResultBytes: z.int().min(1).default(MAX_RESULT_BYTES),
  maxTools: z.int().min(1).default(1_000),
  logLevel: z.enum(TOOL_LOG_LEVELS).default('info'),
} satisfies ShapeOf<SharedServerOptions>;

/** Options for the environment of a program. */
interface EnvironmentOptions {
  /**
   * Environment variables for the server. In addition, it gets only those that every program needs, such as PATH and
   * HOME.
   */
  env?: Readonly<Record<string, string>> | undefined;
  /** Names of environment variables of this process to pass on to the server. */
  inheritEnv?: readonly string[] | undefined;
  /** The working directory of the server. @default that of this process */
  cwd?: string | undefined;
}

const EnvironmentShape = {
  env: record.optional(),
  inheritEnv: z.array(nonBlank).readonly().optional(),
  cwd: nonBlank.optional(),
} satisfies ShapeOf<EnvironmentOptions>;

/** A server that is started as a child process. */
export interface StdioServerOptions extends SharedServerOptions, EnvironmentOptions {
  /** The program to run. */
  command: string;
  /** The arguments of the program. @default [] */
  args?: readonly string[] | undefined;
}

const StdioSchema = z.strictObject({
  ...SharedShape,
  ...EnvironmentShape,
  command: nonBlank,
  args: z.array(z.string()).readonly().default([]),
} satisfies ShapeOf<StdioServerOptions>);

/** A server at a URL. */
export interface HttpServerOptions extends SharedServerOptions {
  /** The URL of a streamable HTTP server. */
  url: string | URL;
  /** Headers for each request, or a function that returns them. */
  headers?: HeaderSource | undefined;
  /** A provider of the MCP library that signs in with OAuth. */
  authProvider?: OAuthClientProvider | undefined;
}

const HttpSchema = z.strictObject({
  ...SharedShape,
  url: z
    .union([z.url({ protocol: /^https?$/ }), z.instanceof(URL)])
    .transform((url) => new URL(url))
    .refine(
      ({ username, password }) => username === '' && password === '',
      'must not contain a user or a password, because requests are sent without them; use headers',
    ),
  headers: z
    .union(
      [record, z.custom<HeaderSource>((value) => typeof value === 'function')],
      'must be an object of strings, or a function that returns one',
    )
    .refine(isSendable, 'must have names and values that HTTP allows')
    .optional(),
  authProvider: z.custom<OAuthClientProvider>(isRecord).optional(),
} satisfies ShapeOf<HttpServerOptions>);

/** The platform's own error would quote the header, whose value may be a credential. */
function isSendable(headers: HeaderSource): boolean {
  if (typeof headers === 'function') return true;
  try {
    return Boolean(new Headers(headers));
  } catch {
    return false;
  }
}

/** A server in a package of npm or PyPI. */
export interface MCPAutoSetupOptions extends SharedServerOptions, EnvironmentOptions {
  /** The program that runs the package: `npx` for npm, `uvx` for PyPI. */
  launcher: 'npx' | 'uvx';
  /** The name of the package. */
  package: string;
  /** The exact version. @default the newest version at that time */
  version?: string | undefined;
  /** The program in the package, if its name differs from the package's. */
  executable?: string | undefined;
  /** The arguments of the program. @default [] */
  args?: readonly string[] | undefined;
  /** The path of the launcher. @default found on PATH */
  launcherPath?: string | undefined;
  /**
   * The time limit for starting and initializing the server, in milliseconds, including the download of its package.
   * @default 120000
   */
  connectTimeoutMs?: number | undefined;
}

const AutoSetupSchema = z.strictObject({
  ...SharedShape,
  ...EnvironmentShape,
  launcher: z.enum(['npx', 'uvx']),
  package: z.string().regex(/^[@A-Za-z0-9_][\w./@-]*$/, 'must be the name of a package'),
  version: z
    .string()
    .regex(/^[\w.+-]+$/, 'must be a version')
    .optional(),
  executable: nonBlank.optional(),
  args: z.array(z.string()).readonly().default([]),
  launcherPath: nonBlank.optional(),
  connectTimeoutMs: durationMs.default(120_000),
} satisfies ShapeOf<MCPAutoSetupOptions>);

/** Validated options of a server. */
export type ServerConfig = z.output<typeof StdioSchema> | z.output<typeof HttpSchema>;
/** Validated options of a package. */
export type AutoSetupConfig = z.output<typeof AutoSetupSchema>;

/** Parses the options of a server; the error names unknown and invalid ones. */
export function parseServerOptions(options: StdioServerOptions | HttpServerOptions): ServerConfig {
  const present = withoutAbsent(options);
  const [hasCommand, hasUrl] = ['command' in present, 'url' in present];
  if (hasCommand === hasUrl) {
    const got = hasUrl ? 'both' : `neither in: ${Object.keys(present).join(', ') || 'no options'}`;
    throw invalidOption('MCPServer:', `exactly one of command and url must be set, got ${got}`, [
      'command',
      'url',
    ]);
  }
  return withInjections(
    hasUrl ? checkOptions(HttpSchema, present, 'MCPServer') : checkOptions(StdioSchema, present, 'MCPServer'),
  );
}

/** Parses the options of a package. */
export function parseAutoSetupOptions(options: MCPAutoSetupOptions): AutoSetupConfig {
  return withInjections(checkOptions(AutoSetupSchema, withoutAbsent(options), 'MCPAutoSetup'));
}

/** Returns the options unchanged. @throws ConfigurationError `TOOL_INVALID_REFERENCE` unless they inject injections */
function withInjections<Config extends { name: string; inject: Injections }>(config: Config): Config {
  checkInjections(config.inject, `the MCP server '${config.name}'`);
  return config;
}

/**
 * Returns the options without those that are `undefined` or `null`, so that both forms can have the other's options
 * absent.
 */
function withoutAbsent(options: object): object {
  return Object.fromEntries(
    Object.entries(Object(options))
      .filter(([, value]) => (value ?? undefined) !== undefined)
      .map(([name, value]) => [name, SECTIONS.has(name) ? withoutNulls(value) : value]),
  );
}

/** Options with nested options. In the others, such as `env` and `defaultArgs`, `null` is a value. */
const SECTIONS: ReadonlySet<string> = new Set([
  'rateLimit',
  'reconnect',
] satisfies (keyof StdioServerOptions)[]);
