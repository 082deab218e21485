import { isContractEventName } from '@svc/contracts';
import type { Logger } from '../logger.js';

const MOST_TYPES = 1000;

/** Types that this SDK sends besides those of the contract: lines that tools write for readers. */
const ownTypes: ReadonlySet<string> = new Set(['tool_log']);

/** The types warned of, by logger: the sessions of a process share one, and an application's own events are in each. */
const warnedTypes = new WeakMap<Logger, Set<string>>();

/**
 * Warns once of each event type that neither the contract nor this SDK knows: only the general rules of the audience
 * apply to its data.
 */
export function warnOfUnknownType(type: string, logger: Logger): void {
  if (isContractEventName(type) || ownTypes.has(type)) return;
  const warned = warnedTypes.get(logger) ?? new Set();
  warnedTypes.set(logger, warned);
  if (warned.has(type) || warned.size >= MOST_TYPES) return;
  warned.add(type);
  logger.warn(
    `Event type '${type}' is not part of the contract: frontend_safe readers get it with only known private fields and values hidden`,
  );
}
