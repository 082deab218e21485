import type { RunStore } from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';
import { RequestError } from '../errors.js';
import type { OrchestratorLimits } from '../options.js';

const minuteMs = 60_000;

/** Counts the sessions of projects. The counters are in the store, so that all its processes share them. */
export class Quota {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #limits: Pick<OrchestratorLimits, 'openSessionsPerProject' | 'startsPerMinute'>;

  constructor(store: RunStore, clock: Clock, limits: OrchestratorLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Counts a new session of a project. @throws RequestError `QUOTA_EXCEEDED` with the time to wait */
  async take(project: string): Promise<void> {
    const { openSessionsPerProject, startsPerMinute } = this.#limits;
    const nowMs = this.#clock.nowMs();
    const minute = Math.floor(nowMs / minuteMs);
    const expiresAtMs = (minute + 1) * minuteMs;
    const counter = `starts:${minute}:${project}`;
    const started = await this.#store.increment(counter, 1, { nowMs, expiresAtMs });
    if (started > startsPerMinute) {
      const retryAfterS = (expiresAtMs - nowMs) / 1000;
      throw exceeded({ quota: 'starts_per_minute', limit: startsPerMinute }, retryAfterS);
    }
    if ((await this.#store.countOpenRuns(project)) >= openSessionsPerProject) {
      throw exceeded({ quota: 'open_sessions', limit: openSessionsPerProject }, 5);
    }
  }
}

function exceeded(details: { quota: string; limit: number }, retryAfterS: number): RequestError {
  const message = `The project has reached its limit of ${details.limit} (${details.quota.replaceAll('_', ' ')}).`;
  return new RequestError(message, { code: 'QUOTA_EXCEEDED', details, retryAfterS });
}
