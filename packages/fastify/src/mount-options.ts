import type { Audience, BridgeRegistry, EventBridge } from '@svc/events';
import type { FastifyRequest } from 'fastify';
import { callable, oneOf, positiveMs, readOptions, show, wholeFrom } from './check-option.js';
import { defaultRegistry } from './default-registry.js';

/** Limits on the number of readers and on the bytes waiting for each. */
export interface ReaderLimits {
  /** The maximum number of readers of one session. @default 1_000 */
  readersPerSession?: number | undefined;
  /** The maximum number of sessions that have readers. @default 10_000 */
  sessions?: number | undefined;
  /** The maximum number of readers of sessions without a bridge. @default 1_000 */
  waitingReaders?: number | undefined;
  /**
   * The maximum number of bytes handed to one connection but not yet sent, at least 131,072; the rest stays in the log.
   *
   * @default 1_048_576
   */
  waitingBytes?: number | undefined;
}

/** Options of `mountEvents` and `eventsPlugin`. */
export interface MountOptions {
  /** The first part of the route's path; may be empty. @default '/svc' */
  prefix?: string | undefined;
  /** The path after the prefix. It must contain the segment `:sessionId`. @default '/events/:sessionId' */
  path?: string | undefined;
  /**
   * Decides whether a request may read a session. Called on every connect, before the first byte, and admits only on
   * `true`: `false` or nothing is answered with 403. A thrown error whose `statusCode` is 401 or 403 is answered with
   * that status, anything else thrown with 500.
   *
   * @default admits everyone, with a warning at mount
   */
  authorize?:
    | ((request: FastifyRequest, sessionId: string) => boolean | void | Promise<boolean | void>)
    | undefined;
  /**
   * The age at which a connection ends, in milliseconds, so that its reader is authorized again. Set it longer than the
   * heartbeat interval: readers back off after a connection on which nothing arrived.
   *
   * @default none
   */
  maxConnectionAgeMs?: number | undefined;
  /** The readers' audience. They never get more than their bridge's audience allows. @default 'frontend_safe' */
  audience?: (Audience | ((request: FastifyRequest) => Audience | Promise<Audience>)) | undefined;
  /**
   * Creates the bridge of a session that has none here, for example over a shared log. Return nothing if there is no
   * such session: the answer is then 404. Without a factory, readers wait until there is a bridge.
   */
  factory?:
    | ((
        sessionId: string,
        request: FastifyRequest,
      ) => EventBridge | null | undefined | Promise<EventBridge | null | undefined>)
    | undefined;
  /** The registry of the bridges to serve. @default the one that `getEventBridge` uses */
  registry?: BridgeRegistry | undefined;
  /** The time between two heartbeats on a connection, in milliseconds. @default 15_000 */
  heartbeatIntervalMs?: number | undefined;
  /** Limits on the number of readers and on the bytes waiting for each. */
  limits?: ReaderLimits | undefined;
}

/** All options, validated. */
export interface MountSettings extends Pick<MountOptions, 'authorize' | 'factory' | 'maxConnectionAgeMs'> {
  readonly url: string;
  readonly audience: Audience | ((request: FastifyRequest) => Audience | Promise<Audience>);
  readonly registry: BridgeRegistry;
  readonly heartbeatIntervalMs: number;
  readonly limits: Required<ReaderLimits>;
}

const MOUNT_OPTIONS: Record<keyof MountOptions, true> = {
  prefix: true,
  path: true,
  authorize: true,
  maxConnectionAgeMs: true,
  audience: true,
  factory: true,
  registry: true,
  heartbeatIntervalMs: true,
  limits: true,
};

const READER_LIMITS: Record<keyof ReaderLimits, true> = {
  readersPerSession: true,
  sessions: true,
  waitingReaders: true,
  waitingBytes: true,
};

/**
 * Validates the options and fills in the defaults.
 *
 * @throws TypeError or RangeError naming the invalid option.
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
  } = readOptions('mountEvents', options, MOUNT_OPTIONS);
  if (typeof prefix !== 'string' || !/^(\/.*[^/])?$/.test(prefix))
    throw new TypeError(`prefix must be empty, or begin with / and not end with it, got ${show(prefix)}`);
  if (typeof path !== 'string' || !/^\/(.*\/)?:sessionId(\/|$)/.test(path))
    throw new TypeError(`path must begin with / and contain the segment :sessionId, got ${show(path)}`);
  if (typeof registry.getOrCreate !== 'function')
    throw new TypeError(`registry must be a BridgeRegistry, got ${show(registry)}`);
  return {
    url: `${prefix}${path}`,
    authorize: authorize === undefined ? undefined : callable('authorize', authorize),
    factory: factory === undefined ? undefined : callable('factory', factory),
    audience: typeof audience === 'function' ? audience : readAudience(audience),
    registry,
    maxConnectionAgeMs:
      maxConnectionAgeMs === undefined ? undefined : positiveMs('maxConnectionAgeMs', maxConnectionAgeMs),
    heartbeatIntervalMs: positiveMs('heartbeatIntervalMs', heartbeatIntervalMs),
    limits: resolveLimits(limits),
  };
}

function resolveLimits(limits: ReaderLimits): Required<ReaderLimits> {
  const {
    readersPerSession = 1_000,
    sessions = 10_000,
    waitingReaders = 1_000,
    waitingBytes = 1024 * 1024,
  } = readOptions('limits of mountEvents', limits, READER_LIMITS);
  return {
    readersPerSession: wholeFrom(1, 'limits.readersPerSession', readersPerSession),
    sessions: wholeFrom(1, 'limits.sessions', sessions),
    waitingReaders: wholeFrom(1, 'limits.waitingReaders', waitingReaders),
    waitingBytes: wholeFrom(128 * 1024, 'limits.waitingBytes', waitingBytes),
  };
}

/** @throws RangeError unless the value is an audience. */
export function readAudience(value: unknown): Audience {
  return oneOf('audience', value, ['internal', 'frontend_safe']);
}
