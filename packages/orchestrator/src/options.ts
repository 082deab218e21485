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

const LimitsSchema = z.strictObject({
  /** Bytes of a start request. */
  startBodyBytes: bytes.default(80 * 1024 * 1024),
  /** Bytes of a result or an answer. */
  resultBodyBytes: bytes.default(8 * 1024 * 1024),
  /** Unfinished sessions of one project. */
  openSessionsPerProject: count.default(1000),
  /** New sessions of one project in one minute. */
  startsPerMinute: count.default(600),
  /** Open event streams of this process. */
  streams: count.default(10_000),
  /** Those of one project among them, so that no project takes all. */
  streamsPerProject: count.default(5_000),
  /** Events of one run. */
  eventsPerRun: count.default(10_000),
  /** Planning rounds of one run. */
  cyclesPerRun: count.default(20),
  /** Records in the memory of one project. */
  memoryRecordsPerProject: count.default(100_000),
  /** Bytes of the resources in the memory of one project. */
  memoryBytesPerProject: bytes.default(1024 ** 3),
});

const OptionsSchema = z.strictObject({
  /** What is allowed at most; more is refused. */
  limits: nullsAbsent(LimitsSchema).prefault({}),
  /** How long a run may work, in milliseconds; the time that people take to answer does not count. @default 86400000 */
  runTimeoutMs: timeMs.default(24 * 60 * 60_000),
  /** How long the result of a call is waited for, in milliseconds; then it fails with `TOOL_TIMEOUT`. @default 900000 */
  toolTimeoutMs: timeMs.default(15 * 60_000),
  /** How long a person may take to answer, in milliseconds. @default 604800000 */
  checkpointTtlMs: timeMs.default(7 * 24 * 60 * 60_000),
  /** How long ended sessions can be read, in milliseconds. @default 604800000 */
  sessionRetentionMs: timeMs.default(7 * 24 * 60 * 60_000),
  /** How long a conversation is remembered, in milliseconds. @default 2592000000 */
  threadRetentionMs: timeMs.default(30 * 24 * 60 * 60_000),
  /** How many turns of it are. @default 50 */
  threadTurns: count.default(50),
  /** How often an idle stream beats, in milliseconds. @default 15000 */
  heartbeatIntervalMs: timeMs.default(15_000),
  /** How long a run of a silent replica is left to it, in milliseconds. @default 15000 */
  leaseMs: timeMs.default(15_000),
  /** How often the keys of open streams and runs are looked at, in milliseconds; 30000 at most. @default 5000 */
  keyCheckIntervalMs: timeMs.max(30_000).default(5_000),
  /** How often growing text is sent at most, in milliseconds. @default 40 */
  textIntervalMs: z.number().min(0).default(40),
  /** Who this process is among replicas. @default by the store */
  instance: z.string().min(1).optional(),
  /** Where clients reach it, when a proxy stands before it. @default the name it was called by */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#]*$/, 'give it without ? and #')
    // Whoever starts a run is told it.
    .refine((text) => !hasLogin(URL.parse(text)), 'give it without user and password')
    .optional(),
  /** Further host names to answer to. @default none */
  allowedHosts: z.array(z.string().regex(hostName, 'give names without scheme and port')).default([]),
  /** The project of `orchestrator.apiKey`. @default 'local' */
  project: ScopeName.default('local'),
});

/** What an orchestrator allows. All have defaults. */
export type OrchestratorLimits = z.infer<typeof LimitsSchema>;
/** The options with their defaults filled in. */
export type OrchestratorSettings = z.infer<typeof OptionsSchema>;

/** How an orchestrator is made. */
export interface OrchestratorOptions extends z.input<typeof OptionsSchema> {
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
export function readOptions(options: z.input<typeof OptionsSchema>): OrchestratorSettings {
  return parseOptions(OptionsSchema, options, 'createOrchestrator');
}
