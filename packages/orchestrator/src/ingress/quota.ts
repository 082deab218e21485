import type { RunStore } from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';
import { RequestError } from '../errors.js';
import type { OrchestratorLimits } from '../options.js';

const minuteMs = 60_000;

/** Limits how often a project starts sessions. The counters are in the store, so that all its processes share them. */
export class Quota {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #startsPerMinute: number;

  constructor(store: RunStore, clock: Clock, { startsPerMinute }: OrchestratorLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#startsPerMinute = startsPerMinute;
  }

  /** Counts a new session of a project. @throws RequestError `QUOTA_EXCEEDED` with the time to wait */
  async take(project: string): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const minute = Math.floor(nowMs / minuteMs);
    const expiresAtMs = (minute + 1) * minuteMs;
    const counter = `starts:${minute}:${project}`;
    const started = await this.#store.increment(counter, 1, { nowMs, expiresAtMs });
    const limit = this.#startsPerMinute;
    if (started > limit) throw exceeded({ quota: 'starts_per_minute', limit }, (expiresAtMs - nowMs) / 1000);
  }
}

/** The project has as many open sessions as it may. */
export function tooManySessions(limit: number): RequestError {
  return exceeded({ quota: 'open_sessions', limit }, 5);
}

function exceeded(details: { quota: string; limit: number }, retryAfterS: number): RequestError {
  const message = `The project has reached its limit of ${details.limit} (${details.quota.replaceAll('_', ' ')}).`;
  return new RequestError(message, { code: 'QUOTA_EXCEEDED', details, retryAfterS });
}
