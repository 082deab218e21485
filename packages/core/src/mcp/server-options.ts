import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { checkOptions, withoutNulls } from '../config/options.js';
import { MAX_TIMER_MS } from '../deadline.js';
import type { Injection } from '../tools/injection.js';
import { ToolOverride } from '../tools/tool-override.js';
import { TOOL_LOG_LEVELS } from '../tools/tool-reports.js';
import type { HeaderSource } from './http-transport.js';

const nonBlank = z.string().trim().min(1, 'must not be empty');
const durationMs = z.number().positive().max(MAX_TIMER_MS);
const record = z.record(z.string(), z.string());
const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const RateLimitSchema = z.strictObject({
  /** How many calls may begin in any stretch of `perMs`. */
  maxCalls: z.int().min(1),
  /** The stretch, in milliseconds. */
  perMs: durationMs,
  /** The least time between the beginnings of two calls, in milliseconds. @default 0 */
  minIntervalMs: z.number().min(0).default(0),
  /** How many calls may wait; one more fails at once. @default 100 */
  maxWaiting: z.int().min(0).default(100),
});
/** How often the tools of a server may be called. */
export type RateLimitOptions = z.input<typeof RateLimitSchema>;

const ReconnectSchema = z.strictObject({
  /** How often one demand for the server tries. @default 4 */
  maxAttempts: z.int().min(1).default(4),
  /** The first wait, in milliseconds; doubled each time. @default 250 */
  baseMs: z.number().min(0).default(250),
  /** The longest wait, in milliseconds. @default 30000 */
  maxDelayMs: z.number().min(0).default(30_000),
});

/** What a server can be told however it is reached. */
const SharedShape = {
  /** What the server is called here; its tools carry it. */
  name: nonBlank,
  /** What stands before the tools' names; `''` leaves them as they are. @default the name */
  prefix: z.string().optional(),
  /** What stands between prefix and name. @default '__' */
  separator: nonBlank.default('__'),
  /** The only tools of the server that are offered, by the server's names. @default all */
  tools: z.array(nonBlank).readonly().optional(),
  /** Values for arguments that the planner leaves out, for each tool that has them. An override's win over them. */
  defaultArgs: z.record(z.string(), z.unknown()).default({}),
  /** Arguments that the planner does not see, for each tool that has them. */
  inject: z.record(z.string(), z.custom<Injection>(isObject)).default({}),
  /** Arguments that are shown although they are named like credentials. */
  exposeArguments: z.array(nonBlank).readonly().default([]),
  /** Changes of single tools, by the server's names. */
  overrides: z.record(z.string(), z.instanceof(ToolOverride)).default({}),
  /** @default no limit */
  rateLimit: RateLimitSchema.optional(),
  /** Whether a result that the server marks as an error fails the call, instead of being shown to the planner. @default false */
  raiseToolErrors: z.boolean().default(false),
  /** Fields of a result that tell of a failure although the server does not mark it. @default ['error', 'errors'] */
  softErrorKeys: z.array(nonBlank).readonly().default(['error', 'errors']),
  /** How often a connection that was lost is tried anew, and how long is waited between. */
  reconnect: ReconnectSchema.default({ maxAttempts: 4, baseMs: 250, maxDelayMs: 30_000 }),
  /** How long starting and greeting the server may take, in milliseconds. @default 30000 */
  connectTimeoutMs: durationMs.default(30_000),
  /** How long the server may be silent during a call, in milliseconds; progress starts it anew. @default 60000 */
  callTimeoutMs: durationMs.default(60_000),
  /** How long a call may take in all, in milliseconds, questions to people aside. @default 600000 */
  maxCallMs: durationMs.default(600_000),
  /** The largest message that is taken from the server, in bytes. @default 10485760 */
  maxMessageBytes: z
    .int()
    .min(1_024)
    .default(10 * 1024 * 1024),
  /** The largest result that may leave the process, in bytes of JSON. @default 1048576 */
  maxResultBytes: z
    .int()
    .min(1)
    .default(1024 * 1024),
  /** How many tools are taken from the server; more are left out. @default 1000 */
  maxTools: z.int().min(1).default(1_000),
  /** The least grave log lines that the server sends. @default 'info' */
  logLevel: z.enum(TOOL_LOG_LEVELS).default('info'),
};

const EnvironmentShape = {
  /** Variables for the server. Besides them it gets only what every program needs, such as PATH and HOME. */
  env: record.optional(),
  /** Names of variables of this process that the server may have as well. */
  inheritEnv: z.array(nonBlank).readonly().optional(),
  /** Where the server runs. @default here */
  cwd: nonBlank.optional(),
};

const StdioSchema = z.strictObject({
  ...SharedShape,
  ...EnvironmentShape,
  /** The program that is the server. */
  command: nonBlank,
  args: z.array(z.string()).readonly().default([]),
});

const HttpSchema = z.strictObject({
  ...SharedShape,
  /** The address of a streamable HTTP server. */
  url: z
    .union([z.url({ protocol: /^https?$/ }), z.instanceof(URL)])
    .transform((url) => new URL(url))
    .refine(
      ({ username, password }) => username === '' && password === '',
      'must hold no user and no password, which no request is made with; give them in headers',
    ),
  /** Headers for each request, or a function that gives them. */
  headers: z.union([record, z.custom<HeaderSource>((value) => typeof value === 'function')]).optional(),
  /** Signs in by OAuth, as the MCP library's own providers do. */
  authProvider: z.custom<OAuthClientProvider>(isObject).optional(),
});

const AutoSetupSchema = z.strictObject({
  ...SharedShape,
  ...EnvironmentShape,
  /** What runs the package: `npx` for npm's, `uvx` for Python's. */
  launcher: z.enum(['npx', 'uvx']),
  /** The package's name. */
  package: z.string().regex(/^[@A-Za-z0-9_][\w./@-]*$/, 'must be the name of a package'),
  /** The exact version. Without it the newest one runs, whatever it is by then. */
  version: z
    .string()
    .regex(/^[\w.+-]+$/, 'must be a version')
    .optional(),
  /** The program in the package, if it is not named like it. */
  executable: nonBlank.optional(),
  args: z.array(z.string()).readonly().default([]),
  /** Where the launcher is. @default found on PATH */
  launcherPath: nonBlank.optional(),
  /** It may have to download the package first. @default 120000 */
  connectTimeoutMs: durationMs.default(120_000),
});

/** A server that is started as a child process. */
export type StdioServerOptions = z.input<typeof StdioSchema>;
/** A server at an address. */
export type HttpServerOptions = z.input<typeof HttpSchema>;
/** A server that is a package of npm or PyPI. */
export type MCPAutoSetupOptions = z.input<typeof AutoSetupSchema>;

/** The options of a server, checked. */
export type ServerConfig = z.output<typeof StdioSchema> | z.output<typeof HttpSchema>;
/** The options of a package, checked. */
export type AutoSetupConfig = z.output<typeof AutoSetupSchema>;

/** Checks the options of a server; unknown and malformed ones are errors that name them. */
export function parseServerOptions(options: StdioServerOptions | HttpServerOptions): ServerConfig {
  const given = withoutAbsent(options);
  const [hasCommand, hasUrl] = ['command' in given, 'url' in given];
  if (hasCommand === hasUrl) {
    throw new ConfigurationError('An MCPServer needs a command or a url, and not both.', {
      code: 'CONFIG_INVALID_OPTION',
    });
  }
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
