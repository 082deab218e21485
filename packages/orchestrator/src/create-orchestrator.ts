import type { RunStore } from '@svc/contracts/orchestrator';
import { systemClock } from './clock.js';
import { KeyRing } from './keys/key-ring.js';
import { readFixedKeys } from './keys/key-scope.js';
import { formatKey } from './keys/key-token.js';
import { createMemory } from './memory/create-memory.js';
import { errorFacts, guardLogger, silentLogger } from './logger.js';
import { OrchestratorMetrics } from './observe/metrics.js';
import { Telemetry } from './observe/telemetry.js';
import { readOptions, type OrchestratorOptions, type OrchestratorSettings } from './options.js';
import { Orchestrator } from './orchestrator.js';
import { offlinePlanner } from './planning/offline/offline-planner.js';
import { randomText } from './random-text.js';
import { StreamRegistry } from './streams/stream-registry.js';
import { SessionManager } from './sessions/session-manager.js';
import { ThreadLog } from './sessions/journal/thread-log.js';
import { MemoryRunStore } from './store/memory-run-store.js';
import { createSystemTools } from './system-tools/create-system-tools.js';

/**
 * Creates an orchestrator. Nothing runs before `listen()`.
 * @throws RangeError naming an invalid option
 * @throws MaivnSDKError `CONFIG_INVALID_API_KEY` if one of `keys` contains characters that no client can send, and
 *   `CONFIG_INVALID_OPTION` naming another field of a key that is invalid
 * @example
 * const orchestrator = createOrchestrator();
 * await orchestrator.listen({ port: 0 });
 * const client = new Client({ apiKey: orchestrator.apiKey, baseUrl: orchestrator.url });
 */
export function createOrchestrator(options: OrchestratorOptions = {}): Orchestrator {
  const {
    planner = offlinePlanner(),
    store = new MemoryRunStore(),
    memory: memoryOptions,
    keys,
    systemTools,
    logger: unguardedLogger = silentLogger,
    ...settings
  } = readOptions(options ?? {});
  const logger = guardLogger(unguardedLogger);
  const clock = systemClock;
  const ownKey = {
    key: formatKey({ id: randomText(12).toLowerCase(), secret: randomText(43) }),
    project: settings.project,
    // The key differs in each process, but this id does not, so a run that it started continues in the next process.
    keyId: 'in-process',
  };
  const keyRing = new KeyRing({ store, clock, randomText, fixed: [ownKey, ...readFixedKeys(keys)] });
  const streams = new StreamRegistry(settings.limits);
  const metrics = new OrchestratorMetrics({
    activeSessions: (projectId) => manager.activeCount(projectId),
    openStreams: (projectId) => streams.sizeOf(projectId),
  });
  const telemetry = new Telemetry({ logger, metrics, nowMs: () => clock.nowMs() });
  const onError = (error: unknown, sessionId?: string) =>
    logger.error(
      { ...(sessionId === undefined ? {} : { session_id: sessionId }), error: errorFacts(error) },
      'background work failed',
    );
  const memory = createMemory(memoryOptions, {
    store,
    clock,
    randomText,
    limits: {
      recordsPerProject: settings.limits.memoryRecordsPerProject,
      bytesPerProject: settings.limits.memoryBytesPerProject,
    },
    onError,
  });
  const manager = new SessionManager({
    ...managerSettings(settings, store),
    telemetry,
    onError,
    parts: {
      store,
      planner,
      toolbox: createSystemTools(planner, systemTools),
      memory,
      clock,
      threads: new ThreadLog(store, clock, {
        maxTurns: settings.threadTurns,
        retentionMs: settings.threadRetentionMs,
      }),
      newId: () => randomText(16),
      limits: { maxEvents: settings.limits.eventsPerRun, maxRejectedSteps: 4 },
      textIntervalMs: settings.textIntervalMs,
    },
  });
  return new Orchestrator({
    settings,
    store,
    manager,
    memory,
    streams,
    metrics,
    logger,
    keys: keyRing,
    ownKey,
    clock,
    randomText,
    onError,
  });
}

function managerSettings(
  { instance, leaseMs, limits, runTimeoutMs, toolTimeoutMs, checkpointTtlMs }: OrchestratorSettings,
  { scope }: RunStore,
) {
  const owner = instance ?? (scope === 'cluster' ? randomText(16) : 'local');
  const runLimits = { maxCycles: limits.cyclesPerRun, runTimeoutMs, toolTimeoutMs, checkpointTtlMs };
  return { owner, leaseMs, runLimits };
}
