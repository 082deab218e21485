import type { PrivateValue } from '@svc/redaction';
import type { Audience } from '../audience/audience.js';
import { callable, oneOf, positiveMs, readOptions, wholeFrom, withMethods } from '../check-option.js';
import type { EventLog } from '../log/event-log.js';
import { MemoryEventLog } from '../log/memory-log.js';
import { guardLogger, type Logger } from '../logger.js';
import type { SchemaValidation } from '../pipeline/validate.js';

/** What happens when more events wait for an attached reader than `queueMaxsize` allows. */
export type Backpressure = 'block' | 'drop_oldest' | 'drop_newest';

/** The options of an {@link EventBridge}. */
export interface EventBridgeOptions {
  /**
   * The audience of its readers. `frontend_safe` hides raw redaction details, injected private values and internal error
   * details before anything is stored. An `internal` bridge can serve both audiences. @default 'internal'
   */
  audience?: Audience | undefined;
  /** How many past events a new reader gets at most, and how far back a cursor can resume. @default 500 */
  maxHistory?: number | undefined;
  /** The idle time before `generateSse` and `toResponse` send a keep-alive, in milliseconds. @default 15_000 */
  heartbeatIntervalMs?: number | undefined;
  /** How many events may wait for one attached reader; 0 means unlimited, as it reads from the log. @default 0 */
  queueMaxsize?: number | undefined;
  /** What happens at that limit: the producer waits, or the reader loses events and gets a `stream_gap`. @default 'block' */
  backpressure?: Backpressure | undefined;
  /** What happens to malformed events. @default 'warn' */
  schemaValidation?: SchemaValidation | undefined;
  /** Whether a repeated question in the same turn is dropped. @default true */
  dedupeInterrupts?: boolean | undefined;
  /** Whether a status message equal to the one before is dropped. @default false */
  dedupeStatusMessages?: boolean | undefined;
  /** Whether a `session_start` resets duplicate detection. @default true */
  resetOnSessionStart?: boolean | undefined;
  /** Where the events are stored. @default a new MemoryEventLog */
  log?: EventLog | undefined;
  /** The logger for warnings and errors. If it fails, the process is warned once. @default console */
  logger?: Logger | undefined;
  /** Returns the currently known private values. `frontend_safe` readers get placeholders with their names instead. */
  privateValues?: (() => Iterable<PrivateValue>) | undefined;
}

/** The checked options, with defaults. */
export type BridgeSettings = Required<Omit<EventBridgeOptions, 'privateValues'>> &
  Pick<EventBridgeOptions, 'privateValues'>;

const BRIDGE_OPTIONS: Record<keyof EventBridgeOptions, true> = {
  audience: true,
  maxHistory: true,
  heartbeatIntervalMs: true,
  queueMaxsize: true,
  backpressure: true,
  schemaValidation: true,
  dedupeInterrupts: true,
  dedupeStatusMessages: true,
  resetOnSessionStart: true,
  log: true,
  logger: true,
  privateValues: true,
};

/**
 * Fills in the defaults.
 *
 * @throws RangeError or TypeError naming the invalid option.
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
  } = readOptions('EventBridge', options, BRIDGE_OPTIONS);
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
    logger: guardLogger(withMethods('logger', logger, ['info', 'warn', 'error'])),
    ...(privateValues !== undefined && { privateValues: callable('privateValues', privateValues) }),
  };
}

function inAnyCase(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

function flag(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be a boolean, got ${typeof value}`);
}
