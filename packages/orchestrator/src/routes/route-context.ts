import type { RunStore } from '@svc/contracts/orchestrator';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.js';
import type { Quota } from '../ingress/quota.js';
import type { Memory } from '../memory/memory.js';
import type { OrchestratorLogger } from '../logger.js';
import type { OrchestratorMetrics } from '../observe/metrics.js';
import type { OrchestratorLimits } from '../options.js';
import type { RandomText } from '../random-text.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { StreamRegistry } from '../streams/stream-registry.js';

/** What the routes share. */
export interface RouteContext {
  readonly store: RunStore;
  readonly manager: SessionManager;
  readonly streams: StreamRegistry;
  readonly quota: Quota;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly randomText: RandomText;
  readonly metrics: OrchestratorMetrics;
  readonly logger: OrchestratorLogger;
  readonly limits: OrchestratorLimits;
  readonly heartbeatIntervalMs: number;
  /** The absolute URL of this orchestrator as the caller reaches it, without a trailing slash. */
  readonly baseUrl: (request: FastifyRequest) => string;
  /** Whether the unfinished runs left to this process have been taken over. */
  readonly hasStarted: () => boolean;
  readonly isDraining: () => boolean;
}
