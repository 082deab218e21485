import type { Audience, BridgeRegistry, EventBridge } from '@svc/events';
import type { FastifyRequest } from 'fastify';
import { defaultRegistry } from './default-registry.js';

/** How many readers there may be, and how much may wait for each. */
export interface ReaderLimits {
  /** Readers of one session. @default 1_000 */
  readersPerSession?: number | undefined;
  /** Sessions that have readers. @default 10_000 */
  sessions?: number | undefined;
  /** Readers of sessions that have no bridge yet. @default 1_000 */
  waitingReaders?: number | undefined;
  /** Bytes handed to one connection and not sent yet; the rest stays in the log. At least 131,072. @default 1_048_576 */
  waitingBytes?: number | undefined;
}

/** How the event stream is mounted. */
export interface MountOptions {
  /** What the path begins with; may be empty. @default '/svc' */
  prefix?: string | undefined;
  /** The path behind the prefix; it holds `:sessionId`. @default '/events/:sessionId' */
  path?: string | undefined;
  /**
   * Who may read a session. Asked on every connect, before the first byte, and admits on `true` only: `false` or nothing
   * is 403. A thrown error's `statusCode` 401 or 403 is answered, anything else thrown is 500.
   *
   * @default everybody, with a warning at mount
   */
  authorize?:
    | ((request: FastifyRequest, sessionId: string) => boolean | void | Promise<boolean | void>)
    | undefined;
  /** After this time a connection ends, in milliseconds, so that its reader is authorized again. @default never */
  maxConnectionAgeMs?: number | undefined;
  /** Who the readers are. They never get more than their bridge's audience allows. @default 'frontend_safe' */
  audience?: (Audience | ((request: FastifyRequest) => Audience | Promise<Audience>)) | undefined;
  /**
   * Makes the bridge of a session that has none here, for example over a shared log; nothing means that there is no
   * such session, which is 404. Without a factory such a reader waits until there is a bridge.
   */
  factory?:
    | ((
        sessionId: string,
        request: FastifyRequest,
      ) => EventBridge | null | undefined | Promise<EventBridge | null | undefined>)
    | undefined;
  /** Where the bridges are. @default the one of `getEventBridge` */
  registry?: BridgeRegistry | undefined;
  /** The time between two heartbeats on a connection, in milliseconds. @default 15_000 */
  heartbeatIntervalMs?: number | undefined;
  /** How many readers there may be, and how much may wait for each. */
  limits?: ReaderLimits | undefined;
}

/** All options, checked. */
export interface MountSettings extends Pick<MountOptions, 'authorize' | 'factory' | 'maxConnectionAgeMs'> {
  readonly url: string;
  readonly audience: Audience | ((request: FastifyRequest) => Audience | Promise<Audience>);
  readonly registry: BridgeRegistry;
  readonly heartbeatIntervalMs: number;
  readonly limits: Required<ReaderLimits>;
}

/**
 * Fills in the defaults.
 *
 * @throws TypeError or RangeError naming the option that is invalid.
 */
export function resolveMountOptions(options: MountOptions): MountSettings {
  const {
    prefix = '/svc',
    path = '/events/:sessionId',
    authorize,
    maxConnectionAgeMs,
    audience = 'frontend_safe',
    factory,
    registry = defaultRegistry,
    heartbeatIntervalMs = 15_000,
    limits = {},
    ...unknown
  } = withoutNulls(options);
  refuseUnknown(unknown);
  if (typeof prefix !== 'string' || !/^(\/.*[^/])?$/.test(prefix))
    throw new TypeError(`prefix must be empty, or begin with / and not end with it, got ${given(prefix)}`);
  if (typeof path !== 'string' || !/^\/(.*\/)?:sessionId(\/|$)/.test(path))
    throw new TypeError(`path must begin with / and contain the segment :sessionId, got ${given(path)}`);
  assertFunction('authorize', authorize);
  assertFunction('factory', factory);
  if (typeof registry.getOrCreate !== 'function') throw new TypeError('registry must be a BridgeRegistry');
  if (typeof audience !== 'function') assertAudience(audience);
  return {
    url: `${prefix}${path}`,
    authorize,
    factory,
    audience,
    registry,
    maxConnectionAgeMs:
      maxConnectionAgeMs === undefined ? undefined : timerMs('maxConnectionAgeMs', maxConnectionAgeMs),
    heartbeatIntervalMs: timerMs('heartbeatIntervalMs', heartbeatIntervalMs),
    limits: resolveLimits(limits),
  };
}

function resolveLimits(limits: ReaderLimits): Required<ReaderLimits> {
  if (typeof limits !== 'object') throw new TypeError(`limits must be an object, got ${given(limits)}`);
  const {
    readersPerSession = 1_000,
    sessions = 10_000,
    waitingReaders = 1_000,
    waitingBytes = 1024 * 1024,
    ...unknown
  } = withoutNulls(limits);
  refuseUnknown(unknown);
  return {
    readersPerSession: wholeFrom(1, 'limits.readersPerSession', readersPerSession),
    sessions: wholeFrom(1, 'limits.sessions', sessions),
    waitingReaders: wholeFrom(1, 'limits.waitingReaders', waitingReaders),
    waitingBytes: wholeFrom(128 * 1024, 'limits.waitingBytes', waitingBytes),
  };
}

/** Options without those that are null, which is as if they were absent. */
function withoutNulls<Options extends object>(options: Options): Options {
  const given = { ...options };
  for (const [name, value] of Object.entries(given)) if (value === null) Reflect.deleteProperty(given, name);
  return given;
}

/** A misspelt `authorize` would let everybody in. */
function refuseUnknown(options: object): void {
  const [name] = Object.keys(options);
  if (name !== undefined) throw new TypeError(`Unknown mountEvents option '${name}'`);
}

function assertFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${name} must be a function, got ${typeof value}`);
}

/** @throws RangeError unless it is an audience. */
export function assertAudience(value: unknown): asserts value is Audience {
  if (value === 'internal' || value === 'frontend_safe') return;
  throw new RangeError(`audience must be internal or frontend_safe, got ${given(value)}`);
}

function timerMs(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new RangeError(`${name} must be more than 0 and at most ${2 ** 31 - 1} ms, got ${given(value)}`);
}

function wholeFrom(least: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, got ${given(value)}`);
}

/** What was given: a text or a number itself; of all else the type, which can always be told. */
function given(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : typeof value;
}
