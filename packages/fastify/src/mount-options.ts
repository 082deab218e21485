import type { Audience, BridgeRegistry, EventBridge } from '@svc/events';
import type { FastifyRequest } from 'fastify';
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
  /** The age at which a connection ends, in milliseconds, so that its reader is authorized again. @default none */
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
  } = readOptions(options, MOUNT_OPTIONS);
  if (typeof prefix !== 'string' || !/^(\/.*[^/])?$/.test(prefix))
    throw new TypeError(`prefix must be empty, or begin with / and not end with it, got ${show(prefix)}`);
  if (typeof path !== 'string' || !/^\/(.*\/)?:sessionId(\/|$)/.test(path))
    throw new TypeError(`path must begin with / and contain the segment :sessionId, got ${show(path)}`);
  assertFunction('authorize', authorize);
  assertFunction('factory', factory);
  if (typeof registry.getOrCreate !== 'function')
    throw new TypeError(`registry must be a BridgeRegistry, got ${show(registry)}`);
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
  if (typeof limits !== 'object') throw new TypeError(`limits must be an object, got ${show(limits)}`);
  const {
    readersPerSession = 1_000,
    sessions = 10_000,
    waitingReaders = 1_000,
    waitingBytes = 1024 * 1024,
  } = readOptions(limits, READER_LIMITS, 'limits.');
  return {
    readersPerSession: integerFrom(1, 'limits.readersPerSession', readersPerSession),
    sessions: integerFrom(1, 'limits.sessions', sessions),
    waitingReaders: integerFrom(1, 'limits.waitingReaders', waitingReaders),
    waitingBytes: integerFrom(128 * 1024, 'limits.waitingBytes', waitingBytes),
  };
}

/**
 * Returns the options without those that are null, which count as absent. `known` names every option, or it does not
 * compile.
 *
 * @throws TypeError for an unknown option: a misspelt `authorize` would let everyone in.
 */
function readOptions<Options extends object>(
  options: Options,
  known: Record<keyof Options, true>,
  path = '',
): Options {
  const kept = { ...options };
  for (const [name, value] of Object.entries(kept)) if (value === null) Reflect.deleteProperty(kept, name);
  const unknown = Object.keys(kept).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return kept;
  const names = Object.keys(known).map((name) => path + name);
  throw new TypeError(`mountEvents: unknown option '${path}${unknown}'. Known options: ${names.join(', ')}.`);
}

function assertFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${name} must be a function, got ${typeof value}`);
}

/** @throws RangeError unless the value is an audience. */
export function assertAudience(value: unknown): asserts value is Audience {
  if (value === 'internal' || value === 'frontend_safe') return;
  throw new RangeError(`audience must be one of internal, frontend_safe, got ${show(value)}`);
}

function timerMs(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new RangeError(`${name} must be more than 0 and at most ${2 ** 31 - 1} ms, got ${show(value)}`);
}

function integerFrom(min: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new RangeError(`${name} must be a whole number of at least ${min}, got ${show(value)}`);
}

/** Describes a value in an error: strings and numbers as they are, anything else by its type. */
function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : typeof value;
}
