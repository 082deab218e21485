import { isContractEventName } from '@svc/contracts';
import type { Logger } from '../logger.js';

const MOST_TYPES = 1000;

/** What this SDK sends besides: lines that tools write for whoever reads. */
const ownTypes: ReadonlySet<string> = new Set(['tool_log']);

/** Kept by logger, which all sessions of a process share: an application that has events of its own sends them in each. */
const toldTypes = new WeakMap<Logger, Set<string>>();

/**
 * Warns once of each event type that neither the contract nor this SDK knows: its data gets the general rules of the
 * audience alone.
 */
export function warnOfUnknownType(type: string, logger: Logger): void {
  if (isContractEventName(type) || ownTypes.has(type)) return;
  const told = toldTypes.get(logger) ?? new Set();
  toldTypes.set(logger, told);
  if (told.has(type) || told.size >= MOST_TYPES) return;
  told.add(type);
  logger.warn(
    `Event type '${type}' is not part of the contract: frontend_safe readers get it with only known private fields and values hidden`,
  );
}
