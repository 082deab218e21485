import type { PrivateValue } from '@svc/redaction';
import type { Audience } from '../audience/audience.js';
import {
  called,
  oneOf,
  positiveMs,
  refuseUnknown,
  wholeFrom,
  withMethods,
  withoutNulls,
} from '../check-option.js';
import type { EventLog } from '../log/event-log.js';
import { MemoryEventLog } from '../log/memory-log.js';
import type { Logger } from '../logger.js';
import type { SchemaValidation } from '../pipeline/validate.js';

/** What happens when more events wait for an attached reader than `queueMaxsize` allows. */
export type Backpressure = 'block' | 'drop_oldest' | 'drop_newest';

/** How an event bridge works. */
export interface EventBridgeOptions {
  /**
   * Who its readers are. `frontend_safe` hides raw redaction details, injected private values and internal error
   * details before anything is stored; an `internal` bridge can serve both audiences. @default 'internal'
   */
  audience?: Audience | undefined;
  /** The most events a new reader is given of the past; also how far back a cursor reaches. @default 500 */
  maxHistory?: number | undefined;
  /** The idle time after which a stream gets a keep-alive, in milliseconds. @default 15_000 */
  heartbeatIntervalMs?: number | undefined;
  /** The most events that may wait for one attached reader; 0 is no bound: it reads on from the log. @default 0 */
  queueMaxsize?: number | undefined;
  /** What happens at that bound: the producer waits, or the reader loses events and is told so. @default 'block' */
  backpressure?: Backpressure | undefined;
  /** What happens to malformed events. @default 'warn' */
  schemaValidation?: SchemaValidation | undefined;
  /** Whether a question asked again in the same turn is dropped. @default true */
  dedupeInterrupts?: boolean | undefined;
  /** Whether a status message that repeats the one before is dropped. @default false */
  dedupeStatusMessages?: boolean | undefined;
  /** Whether a `session_start` makes the bridge forget the repeats it knows. @default true */
  resetOnSessionStart?: boolean | undefined;
  /** Where the events are kept. @default a MemoryEventLog of its own */
  log?: EventLog | undefined;
  /** Where warnings go. @default console */
  logger?: Logger | undefined;
  /** The private values known now; `frontend_safe` readers get their data names in their place. */
  privateValues?: (() => Iterable<PrivateValue>) | undefined;
}

/** All options, checked. */
export type BridgeSettings = Required<Omit<EventBridgeOptions, 'privateValues'>> &
  Pick<EventBridgeOptions, 'privateValues'>;

/**
 * Fills in the defaults.
 *
 * @throws RangeError or TypeError naming the option that is invalid.
 */
export function resolveOptions(options: EventBridgeOptions): BridgeSettings {
  const {
    audience = 'internal',
    maxHistory = 500,
    heartbeatIntervalMs = 15_000,
    queueMaxsize = 0,
    backpressure = 'block',
    schemaValidation = 'warn',
    dedupeInterrupts = true,
    dedupeStatusMessages = false,
    resetOnSessionStart = true,
    log = new MemoryEventLog(),
    logger = console,
    privateValues,
    ...unknown
  } = withoutNulls(options);
  refuseUnknown('EventBridge', unknown);
  return {
    audience: oneOf('audience', inAnyCase(audience), ['internal', 'frontend_safe']),
    maxHistory: wholeFrom(1, 'maxHistory', maxHistory),
    heartbeatIntervalMs: positiveMs('heartbeatIntervalMs', heartbeatIntervalMs),
    queueMaxsize: wholeFrom(0, 'queueMaxsize', queueMaxsize),
    backpressure: oneOf('backpressure', backpressure, ['block', 'drop_oldest', 'drop_newest']),
    schemaValidation: oneOf('schemaValidation', schemaValidation, ['off', 'warn', 'strict']),
    dedupeInterrupts: flag('dedupeInterrupts', dedupeInterrupts),
    dedupeStatusMessages: flag('dedupeStatusMessages', dedupeStatusMessages),
    resetOnSessionStart: flag('resetOnSessionStart', resetOnSessionStart),
    log: withMethods('log', log, ['open', 'append', 'readAfter']),
    logger: withMethods('logger', logger, ['info', 'warn', 'error']),
    ...(privateValues !== undefined && { privateValues: called('privateValues', privateValues) }),
  };
}

function inAnyCase(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

function flag(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be true or false, got ${typeof value}`);
}
