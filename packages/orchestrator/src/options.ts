import { DAY_MS } from './clock.js';
import type { RunStore } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { ScopeName, type FixedKey } from './keys/key-scope.js';
import type { OrchestratorMemoryOptions } from './memory/create-memory.js';
import type { OrchestratorLogger } from './logger.js';
import { parseOptions } from './parse-options.js';
import { partSchemas } from './part-schemas.js';
import type { Planner } from './planning/planner.js';
import type { SystemToolsOptions } from './system-tools/create-system-tools.js';
import { nullsAbsent } from './without-nulls.js';

const bytes = z.number().int().min(1);
const count = z.number().int().min(1);
/** At most 100 years: stores keep the resulting times as whole numbers, and responses show them as dates. */
const timeMs = z
  .int()
  .min(1)
  .max(36_500 * DAY_MS);
/** The form of a host name in a `Host` header, without the port. */
const hostName = /^(?:\[[\da-f:.]+\]|[^\s/:@?#]+)$/i;
const hasCredentials = (url: URL | null) => Boolean(url?.username || url?.password);

/** The limits of an orchestrator. */
interface Limits {
  /** Bytes in a start request. @default 83886080 (80 MiB) */
  startBodyBytes?: number | undefined;
  /** Bytes in a result or an answer. @default 8388608 (8 MiB) */
  resultBodyBytes?: number | undefined;
  /** Unfinished sessions per project. @default 1000 */
  openSessionsPerProject?: number | undefined;
  /** New sessions per project and minute. @default 600 */
  startsPerMinute?: number | undefined;
  /** Open event streams in this process. @default 10000 */
  streams?: number | undefined;
  /** Open event streams in this process per project. @default 5000 */
  streamsPerProject?: number | undefined;
  /** Events per run. @default 10000 */
  eventsPerRun?: number | undefined;
  /** Planning rounds per run. @default 20 */
  cyclesPerRun?: number | undefined;
  /** Memory records per project. @default 100000 */
  memoryRecordsPerProject?: number | undefined;
  /** Bytes of memory resources per project. @default 1073741824 (1 GiB) */
  memoryBytesPerProject?: number | undefined;
}

const LimitsSchema = z.strictObject({
  startBodyBytes: bytes.default(80 * 1024 * 1024),
  resultBodyBytes: bytes.default(8 * 1024 * 1024),
  openSessionsPerProject: count.default(1000),
  startsPerMinute: count.default(600),
  streams: count.default(10_000),
  streamsPerProject: count.default(5_000),
  eventsPerRun: count.default(10_000),
  cyclesPerRun: count.default(20),
  memoryRecordsPerProject: count.default(100_000),
  memoryBytesPerProject: bytes.default(1024 ** 3),
} satisfies Record<keyof Limits, z.ZodType>);

/** The settings of an orchestrator that have defaults. */
interface Settings {
  /** Limits; requests beyond them are refused. */
  limits?: Limits | undefined;
  /** How long a run may work, in milliseconds, not counting the time that people take to answer. @default 86400000 */
  runTimeoutMs?: number | undefined;
  /** How long to wait for the result of a call, in milliseconds; then the call fails with `TOOL_TIMEOUT`. @default 900000 */
  toolTimeoutMs?: number | undefined;
  /** How long a person may take to answer, in milliseconds. @default 604800000 */
  checkpointTtlMs?: number | undefined;
  /** How long an ended session can be read, in milliseconds. @default 604800000 */
  sessionRetentionMs?: number | undefined;
  /** How long a conversation is remembered, in milliseconds. @default 2592000000 */
  threadRetentionMs?: number | undefined;
  /** How many turns of a conversation are remembered. @default 50 */
  threadTurns?: number | undefined;
  /** Interval between heartbeats on an idle stream, in milliseconds. @default 15000 */
  heartbeatIntervalMs?: number | undefined;
  /** How long a replica that has gone silent keeps its runs, in milliseconds. @default 15000 */
  leaseMs?: number | undefined;
  /** How often the keys of open streams and runs are checked, in milliseconds; at most 30000. @default 5000 */
  keyCheckIntervalMs?: number | undefined;
  /** Minimum interval between updates of streamed text, per 4000 characters of it, in milliseconds. @default 40 */
  textIntervalMs?: number | undefined;
  /** The name of this process, different for each replica. @default random if replicas share the store, else `local` */
  instance?: string | undefined;
  /** The URL at which clients reach the orchestrator behind a proxy; its host name is accepted. @default taken from each request */
  publicUrl?: string | undefined;
  /** Additional host names to accept in requests. @default none */
  allowedHosts?: string[] | undefined;
  /** The project of `orchestrator.apiKey`. @default 'local' */
  project?: string | undefined;
}

const SettingsSchema = z.strictObject({
  limits: nullsAbsent(LimitsSchema).prefault({}),
  runTimeoutMs: timeMs.default(24 * 60 * 60_000),
  toolTimeoutMs: timeMs.default(15 * 60_000),
  checkpointTtlMs: timeMs.default(7 * 24 * 60 * 60_000),
  sessionRetentionMs: timeMs.default(7 * 24 * 60 * 60_000),
  threadRetentionMs: timeMs.default(30 * 24 * 60 * 60_000),
  threadTurns: count.default(50),
  heartbeatIntervalMs: timeMs.default(15_000),
  leaseMs: timeMs.default(15_000),
  keyCheckIntervalMs: timeMs.max(30_000).default(5_000),
  textIntervalMs: z.int().min(0).default(40),
  instance: z.string().min(1).optional(),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL, such as https://plan.example' })
    .regex(/^[^?#]*$/, 'must not contain ? or #')
    // The URL is sent to everyone who starts a run.
    .refine((text) => !hasCredentials(URL.parse(text)), 'must not contain a user name or password')
    .optional(),
  allowedHosts: z.array(z.string().regex(hostName, 'must be a host name without scheme or port')).default([]),
  project: ScopeName.default('local'),
} satisfies Record<keyof Settings, z.ZodType>);

/** The limits with the defaults filled in. */
export type OrchestratorLimits = z.output<typeof LimitsSchema>;
/** The settings with the defaults filled in. */
export type OrchestratorSettings = z.output<typeof SettingsSchema>;

/** The options of `createOrchestrator`. */
export interface OrchestratorOptions extends Settings {
  /** Decides the steps of every run. @default offlinePlanner() */
  planner?: Planner | undefined;
  /** Stores the runs; closed with the orchestrator. @default a store in memory */
  store?: RunStore | undefined;
  /** Receives structured log entries without payloads; a pino logger fits. If it fails, runs continue. @default none */
  logger?: OrchestratorLogger | undefined;
  /** How memory is stored and searched. */
  memory?: OrchestratorMemoryOptions | undefined;
  /** Keys that are valid in addition to those of `orchestrator.keys`; they are not stored. @default none */
  keys?: readonly FixedKey[] | undefined;
  /** Tools that the orchestrator itself runs in addition to `think`, `reevaluate` and `compose`. @default none */
  systemTools?: SystemToolsOptions | undefined;
}

const OptionsSchema = SettingsSchema.extend(
  partSchemas satisfies Record<Exclude<keyof OrchestratorOptions, keyof Settings>, z.ZodType>,
);

/** Checks the options and fills in the defaults of the settings. @throws RangeError naming an invalid option */
export function readOptions(options: OrchestratorOptions): z.output<typeof OptionsSchema> {
  return parseOptions(OptionsSchema, options, 'createOrchestrator');
}
