import pLimit from 'p-limit';
import type { SessionApi } from '../client/session-api.js';
import { getInterruptService, type InterruptService } from '../interrupts/interrupt-service.js';
import { createLogger } from '../logging/logger.js';
import { listRestorers, type PrivateDataMap } from '../privacy/private-data-map.js';
import type { PrivateValues } from '../privacy/private-values.js';
import type { OwnedByRun } from '../session/agent-run.js';
import type { RunContext } from '../session/run-context.js';
import type { ScopeState } from './scope-state.js';

/** Creates what the sessions of one run share, from the scope that started it. */
export function createContext(
  owned: OwnedByRun,
  state: ScopeState,
  parts: {
    api: SessionApi;
    privateValues: PrivateValues;
    interruptService: InterruptService | undefined;
    /** The values of the run's redacted messages. */
    redactedValues: PrivateDataMap;
  },
): RunContext {
  const { api, privateValues, redactedValues } = parts;
  const { toolTimeoutMs, dependencyTimeoutMs, maxParallelTools, receipts, type, name } = state;
  return {
    ...owned,
    api,
    runtime: api.runtime,
    logger: createLogger({
      name: 'svc.core.run',
      fields: { run_id: owned.runId, [type]: name },
      clean: (fields) => privateValues.cleanFields(fields),
    }),
    limits: { toolTimeoutMs, dependencyTimeoutMs },
    limit: pLimit(maxParallelTools),
    privateValues,
    restoreArguments: (args) =>
      listRestorers(redactedValues).map((restore) =>
        Object.fromEntries(Object.entries(args).map(([name, value]) => [name, restore(value)])),
      ),
    interruptService: parts.interruptService ?? getInterruptService(),
    receipts,
  };
}
