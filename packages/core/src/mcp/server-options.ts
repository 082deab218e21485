import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import * as z from 'zod';
import { checkOptions, invalidOption, withoutNulls, type ShapeOf } from '../config/options.js';
import { MAX_TIMER_MS } from '../deadline.js';
import { MAX_RESULT_BYTES } from '../tools/build-tool.js';
import type { Injection } from '../tools/injection.js';
import { ToolOverride } from '../tools/tool-override.js';
import { TOOL_LOG_LEVELS } from '../tools/tool-reports.js';
import type { HeaderSource } from './transport/http-transport.js';

const nonBlank = z.string().trim().min(1, 'must not be empty');
const durationMs = z.number().positive().max(MAX_TIMER_MS);
const waitMs = z.number().min(0).max(MAX_TIMER_MS);
const record = z.record(z.string(), z.string());
const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** How often the tools of a server may be called. */
export interface RateLimitOptions {
  /** How many calls may begin in any stretch of `perMs`. */
  maxCalls: number;
  /** The stretch, in milliseconds. */
  perMs: number;
  /** The least time between the beginnings of two calls, in milliseconds. @default 0 */
  minIntervalMs?: number | undefined;
  /** How many calls may wait; one more fails at once. @default 100 */
  maxWaiting?: number | undefined;
}

const RateLimitSchema = z.strictObject({
  maxCalls: z.int().min(1),
  perMs: durationMs,
  minIntervalMs: waitMs.default(0),
  maxWaiting: z.int().min(0).default(100),
} satisfies ShapeOf<RateLimitOptions>);

/** How a connection that was lost is tried anew. */
interface ReconnectOptions {
  /** How often one demand for the server tries. @default 4 */
  maxAttempts?: number | undefined;
  /** The first wait, in milliseconds; doubled each time. @default 250 */
  baseMs?: number | undefined;
  /** The longest wait, in milliseconds. @default 30000 */
  maxDelayMs?: number | undefined;
}

const ReconnectSchema = z.strictObject({
  maxAttempts: z.int().min(1).default(4),
  baseMs: waitMs.default(250),
  maxDelayMs: waitMs.default(30_000),
} satisfies ShapeOf<ReconnectOptions>);

/** What a server can be told however it is reached. */
interface SharedServerOptions {
  /** What the server is called here; its tools carry it. */
  name: string;
  /** What stands before the tools' names; `''` leaves them as they are. @default the name */
  prefix?: string | undefined;
  /** What stands between prefix and name. @default '__' */
  separator?: string | undefined;
  /** The only tools of the server that are offered, by the server's names. @default all */
  tools?: readonly string[] | undefined;
  /** Values for arguments that the planner leaves out, for each tool that has them. An override's win over them. */
  defaultArgs?: Readonly<Record<string, unknown>> | undefined;
  /** Arguments that the planner does not see, for each tool that has them. */
  inject?: Readonly<Record<string, Injection>> | undefined;
  /** Arguments that are shown although they are named like credentials. */
  exposeArguments?: readonly string[] | undefined;
  /** Changes of single tools, by the server's names. */
  overrides?: Readonly<Record<string, ToolOverride>> | undefined;
  /** @default no limit */
  rateLimit?: RateLimitOptions | undefined;
  /** Whether a result that the server marks as an error fails the call, instead of being shown to the planner. @default false */
  raiseToolErrors?: boolean | undefined;
  /** Fields of a result that tell of a failure although the server does not mark it. @default ['error', 'errors'] */
  softErrorKeys?: readonly string[] | undefined;
  /** How often a connection that was lost is tried anew, and how long is waited between. */
  reconnect?: ReconnectOptions | undefined;
  /** How long starting and greeting the server may take, in milliseconds. @default 30000 */
  connectTimeoutMs?: number | undefined;
  /** How long the server may be silent during a call, in milliseconds; progress starts it anew. @default 60000 */
  callTimeoutMs?: number | undefined;
  /** How long a call may take in all, in milliseconds, questions to people aside. @default 600000 */
  maxCallMs?: number | undefined;
  /** The largest message that is taken from the server, in bytes. @default 10485760 */
  maxMessageBytes?: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. @default 1048576 */
  maxResultBytes?: number | undefined;
  /** How many tools are taken from the server; more are left out. @default 1000 */
  maxTools?: number | undefined;
  /** The least grave log lines that the server sends. @default 'info' */
  logLevel?: (typeof TOOL_LOG_LEVELS)[number] | undefined;
}

const SharedShape = {
  name: nonBlank,
  prefix: z.string().optional(),
  separator: nonBlank.default('__'),
  tools: z.array(nonBlank).readonly().optional(),
  defaultArgs: z.record(z.string(), z.unknown()).default({}),
  inject: z.record(z.string(), z.custom<Injection>(isObject)).default({}),
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

/** What a program can be told of where it runs. */
interface EnvironmentOptions {
  /** Variables for the server. Besides them it gets only what every program needs, such as PATH and HOME. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of this process that the server may have as well. */
  inheritEnv?: readonly string[] | undefined;
  /** Where the server runs. @default here */
  cwd?: string | undefined;
}

const EnvironmentShape = {
  env: record.optional(),
  inheritEnv: z.array(nonBlank).readonly().optional(),
  cwd: nonBlank.optional(),
} satisfies ShapeOf<EnvironmentOptions>;

/** A server that is started as a child process. */
export interface StdioServerOptions extends SharedServerOptions, EnvironmentOptions {
  /** The program that is the server. */
  command: string;
  /** What the program is called with. @default [] */
  args?: readonly string[] | undefined;
}

const StdioSchema = z.strictObject({
  ...SharedShape,
  ...EnvironmentShape,
  command: nonBlank,
  args: z.array(z.string()).readonly().default([]),
} satisfies ShapeOf<StdioServerOptions>);

/** A server at an address. */
export interface HttpServerOptions extends SharedServerOptions {
  /** The address of a streamable HTTP server. */
  url: string | URL;
  /** Headers for each request, or a function that gives them. */
  headers?: HeaderSource | undefined;
  /** Signs in by OAuth, as the MCP library's own providers do. */
  authProvider?: OAuthClientProvider | undefined;
}

const HttpSchema = z.strictObject({
  ...SharedShape,
  url: z
    .union([z.url({ protocol: /^https?$/ }), z.instanceof(URL)])
    .transform((url) => new URL(url))
    .refine(
      ({ username, password }) => username === '' && password === '',
      'must hold no user and no password, which no request is made with; give them in headers',
    ),
  headers: z.union([record, z.custom<HeaderSource>((value) => typeof value === 'function')]).optional(),
  authProvider: z.custom<OAuthClientProvider>(isObject).optional(),
} satisfies ShapeOf<HttpServerOptions>);

/** A server that is a package of npm or PyPI. */
export interface MCPAutoSetupOptions extends SharedServerOptions, EnvironmentOptions {
  /** What runs the package: `npx` for npm's, `uvx` for Python's. */
  launcher: 'npx' | 'uvx';
  /** The package's name. */
  package: string;
  /** The exact version. Without it the newest one runs, whatever it is by then. */
  version?: string | undefined;
  /** The program in the package, if it is not named like it. */
  executable?: string | undefined;
  /** What the program of the package is called with. @default [] */
  args?: readonly string[] | undefined;
  /** Where the launcher is. @default found on PATH */
  launcherPath?: string | undefined;
  /** How long starting and greeting the server may take, in milliseconds; its package may have to come first. @default 120000 */
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

/** The options of a server, checked. */
export type ServerConfig = z.output<typeof StdioSchema> | z.output<typeof HttpSchema>;
/** The options of a package, checked. */
export type AutoSetupConfig = z.output<typeof AutoSetupSchema>;

/** Checks the options of a server; unknown and malformed ones are errors that name them. */
export function parseServerOptions(options: StdioServerOptions | HttpServerOptions): ServerConfig {
  const given = withoutAbsent(options);
  const [hasCommand, hasUrl] = ['command' in given, 'url' in given];
  if (hasCommand === hasUrl)
    throw invalidOption('An MCPServer', 'needs a command or a url, and not both', ['command', 'url']);
  return hasUrl
    ? checkOptions(HttpSchema, given, 'MCPServer')
    : checkOptions(StdioSchema, given, 'MCPServer');
}

/** Checks the options of a package. */
export function parseAutoSetupOptions(options: MCPAutoSetupOptions): AutoSetupConfig {
  return checkOptions(AutoSetupSchema, withoutAbsent(options), 'MCPAutoSetup');
}

/** Options without those that are `undefined` or `null`, of which a program has those of an address, and the other way round. */
function withoutAbsent(options: object): object {
  return Object.fromEntries(
    Object.entries(Object(options))
      .filter(([, value]) => (value ?? undefined) !== undefined)
      .map(([name, value]) => [name, SECTIONS.has(name) ? withoutNulls(value) : value]),
  );
}

/** Options that have options of their own. In the others, such as `env` and `defaultArgs`, `null` is a value. */
const SECTIONS: ReadonlySet<string> = new Set([
  'rateLimit',
  'reconnect',
] satisfies (keyof StdioServerOptions)[]);
