import { isContractEventName } from '@svc/contracts';
import type { Logger } from '../logger.js';

const MOST_TYPES = 1000;

/** What this SDK sends besides: lines that tools write for whoever reads. */
const ownTypes: ReadonlySet<string> = new Set(['tool_log']);

/**
 * Warns once of each event type that neither the contract nor this SDK knows: its data gets the general rules of the
 * audience alone.
 */
export class UnknownTypes {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  see(type: string): void {
    if (isContractEventName(type) || ownTypes.has(type)) return;
    if (this.#seen.has(type) || this.#seen.size >= MOST_TYPES) return;
    this.#seen.add(type);
    this.#logger.warn(
      `Event type '${type}' is not part of the contract: frontend_safe readers get it with known private fields and values hidden, and all else as it is`,
    );
  }
}
