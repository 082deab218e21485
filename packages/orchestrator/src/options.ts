import type { RunStore } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { ScopeName, type FixedKey } from './keys/key-scope.js';
import type { OrchestratorMemoryOptions } from './memory/open-memory.js';
import type { OrchestratorLogger } from './logger.js';
import { parseOptions } from './parse-options.js';
import type { Planner } from './planning/planner.js';
import type { SystemToolsOptions } from './system-tools/create-system-tools.js';
import { nullsAbsent } from './without-nulls.js';

const bytes = z.number().int().min(1);
const count = z.number().int().min(1);
const timeMs = z.number().min(1);
/** As a `Host` header has it before its port. */
const hostName = /^(?:\[[\da-f:.]+\]|[^\s/:@?#]+)$/i;
const hasLogin = (url: URL | null) => Boolean(url?.username || url?.password);

/** What an orchestrator allows at most. */
interface Limits {
  /** Bytes of a start request. @default 83886080 (80 MiB) */
  startBodyBytes?: number | undefined;
  /** Bytes of a result or an answer. @default 8388608 (8 MiB) */
  resultBodyBytes?: number | undefined;
  /** Unfinished sessions of one project. @default 1000 */
  openSessionsPerProject?: number | undefined;
  /** New sessions of one project in one minute. @default 600 */
  startsPerMinute?: number | undefined;
  /** Open event streams of this process. @default 10000 */
  streams?: number | undefined;
  /** Those of one project among them, so that no project takes all. @default 5000 */
  streamsPerProject?: number | undefined;
  /** Events of one run. @default 10000 */
  eventsPerRun?: number | undefined;
  /** Planning rounds of one run. @default 20 */
  cyclesPerRun?: number | undefined;
  /** Records in the memory of one project. @default 100000 */
  memoryRecordsPerProject?: number | undefined;
  /** Bytes of the resources in the memory of one project. @default 1073741824 (1 GiB) */
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

/** The settings of an orchestrator: values that have defaults. */
interface Settings {
  /** What is allowed at most; more is refused. */
  limits?: Limits | undefined;
  /** How long a run may work, in milliseconds; the time that people take to answer does not count. @default 86400000 */
  runTimeoutMs?: number | undefined;
  /** How long the result of a call is waited for, in milliseconds; then it fails with `TOOL_TIMEOUT`. @default 900000 */
  toolTimeoutMs?: number | undefined;
  /** How long a person may take to answer, in milliseconds. @default 604800000 */
  checkpointTtlMs?: number | undefined;
  /** How long ended sessions can be read, in milliseconds. @default 604800000 */
  sessionRetentionMs?: number | undefined;
  /** How long a conversation is remembered, in milliseconds. @default 2592000000 */
  threadRetentionMs?: number | undefined;
  /** How many turns of it are. @default 50 */
  threadTurns?: number | undefined;
  /** How often an idle stream beats, in milliseconds. @default 15000 */
  heartbeatIntervalMs?: number | undefined;
  /** How long a run of a silent replica is left to it, in milliseconds. @default 15000 */
  leaseMs?: number | undefined;
  /** How often the keys of open streams and runs are looked at, in milliseconds; 30000 at most. @default 5000 */
  keyCheckIntervalMs?: number | undefined;
  /** How often growing text is sent at most, in milliseconds. @default 40 */
  textIntervalMs?: number | undefined;
  /** Who this process is among replicas. @default by the store */
  instance?: string | undefined;
  /** Where clients reach it, when a proxy stands before it. @default the name it was called by */
  publicUrl?: string | undefined;
  /** Further host names to answer to. @default none */
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
  textIntervalMs: z.number().min(0).default(40),
  instance: z.string().min(1).optional(),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#]*$/, 'give it without ? and #')
    // Whoever starts a run is told it.
    .refine((text) => !hasLogin(URL.parse(text)), 'give it without user and password')
    .optional(),
  allowedHosts: z.array(z.string().regex(hostName, 'give names without scheme and port')).default([]),
  project: ScopeName.default('local'),
} satisfies Record<keyof Settings, z.ZodType>);

/** What an orchestrator allows, with the defaults filled in. */
export type OrchestratorLimits = z.output<typeof LimitsSchema>;
/** The settings with the defaults filled in. */
export type OrchestratorSettings = z.output<typeof SettingsSchema>;

/** How an orchestrator is made. */
export interface OrchestratorOptions extends Settings {
  /** Decides the steps of all runs. @default offlinePlanner() */
  planner?: Planner | undefined;
  /** Where runs are kept; closed with the orchestrator. @default a store in memory */
  store?: RunStore | undefined;
  /** Takes structured log entries without payloads, such as a pino logger; its failures fail no run. @default none */
  logger?: OrchestratorLogger | undefined;
  /** Where memory is kept, and how it is searched. */
  memory?: OrchestratorMemoryOptions | undefined;
  /** Keys that are valid besides those of `orchestrator.keys`; they are not stored. */
  keys?: readonly FixedKey[] | undefined;
  /** Tools the orchestrator runs itself besides `think`, `reevaluate` and `compose`. @default none */
  systemTools?: SystemToolsOptions | undefined;
}

/** Checks the options and fills in defaults. @throws RangeError naming the option that does not fit */
export function readOptions(options: Settings): OrchestratorSettings {
  return parseOptions(SettingsSchema, options, 'createOrchestrator');
}
