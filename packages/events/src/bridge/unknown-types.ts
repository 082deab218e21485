import { isContractEventName } from '@svc/contracts';
import type { Logger } from '../logger.js';

const MOST_TYPES = 1000;

/** Warns once of each event type that is not of the contract: its data gets the general rules of the audience alone. */
export class UnknownTypes {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  see(type: string): void {
    if (isContractEventName(type) || this.#seen.has(type) || this.#seen.size >= MOST_TYPES) return;
    this.#seen.add(type);
    this.#logger.warn(
      `Event type '${type}' is not part of the contract: frontend_safe readers get it with known private fields and values hidden, and all else as it is`,
    );
  }
}
