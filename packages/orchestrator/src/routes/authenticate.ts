import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.js';
import { RequestError } from '../errors.js';
import { KEY_OPERATIONS, type Access, type KeyOperation } from '../keys/key-operation.js';
import type { Caller, KeyRing } from '../keys/key-ring.js';
import { fromStore } from '../sessions/journal/store-failure.js';
import { inTime } from './answer-in-time.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route must declare it. */
    access?: Access;
    /** Browsers may read the route, sending the key as the password of HTTP Basic. */
    basic?: boolean;
  }
}

interface Identified {
  readonly caller: Caller;
  /** Of the monotonic clock. */
  readonly atMs: number;
}

const identified = new WeakMap<FastifyRequest, Identified>();

/** The caller, once the key was found valid. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return identified.get(request)?.caller;
}

/** The caller. Every route except the open ones has one. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request);
  if (!caller) throw new RequestError('This operation requires a key.', { code: 'KEY_MISSING' });
  return caller;
}

/**
 * Requires a valid key with one of the route's operations: `Authorization: Bearer`, `X-API-Key`, or HTTP Basic on
 * routes for browsers. A key whose request took longer than `keyCheckIntervalMs` to arrive is checked again.
 * @throws Error when a route is added that does not declare its access
 */
export function authenticate(
  app: FastifyInstance,
  { keys, keyCheckIntervalMs, clock }: { keys: KeyRing; keyCheckIntervalMs: number; clock: Clock },
): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${String(method)} ${url} needs config.access: who may call it.`);
  });
  app.addHook('onRequest', async (request, reply) => {
    // Only an unknown route has no `access`; any valid key gets its 404.
    const { access = KEY_OPERATIONS, basic } = request.routeOptions.config;
    if (access === 'open') return;
    const key = readKey(request, basic === true);
    const caller = key === undefined ? undefined : await inTime(clock, fromStore(keys.identify(key)));
    if (caller) {
      identified.set(request, { caller, atMs: performance.now() });
      refuseOtherOperations(caller, access);
      return;
    }
    void reply.header('www-authenticate', basic ? 'Basic realm="svc", charset="UTF-8"' : 'Bearer');
    if (key === undefined) {
      throw new RequestError('Send a key as "Authorization: Bearer <key>".', { code: 'KEY_MISSING' });
    }
    throw invalidKey();
  });
  app.addHook('preValidation', async (request, reply) => {
    const found = identified.get(request);
    if (!found || performance.now() - found.atMs < keyCheckIntervalMs) return;
    if (await inTime(clock, fromStore(keys.isValid(found.caller.keyId)))) return;
    void reply.header('www-authenticate', 'Bearer');
    throw invalidKey();
  });
}

function invalidKey(): RequestError {
  return new RequestError('The key is unknown or revoked.', { code: 'KEY_INVALID' });
}

function refuseOtherOperations({ operations }: Caller, needed: readonly KeyOperation[]): void {
  if (!operations || needed.some((operation) => operations.includes(operation))) return;
  const names = needed.map((operation) => `"${operation}"`).join(' or ');
  throw new RequestError(
    `The key does not permit ${names}. Use a key of the project that does; keys.create and svc keys create make one.`,
    { code: 'OPERATION_FORBIDDEN', details: { operations: [...needed] } },
  );
}

function readKey({ headers }: FastifyRequest, basic: boolean): string | undefined {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(/\s+(.*)/s);
  if (/^bearer$/i.test(scheme) && credentials !== '') return credentials.trim();
  if (basic && /^basic$/i.test(scheme)) return readBasic(credentials);
  const header = headers['x-api-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** The password; the user name is ignored. */
function readBasic(credentials: string): string | undefined {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  return colon >= 0 && colon < text.length - 1 ? text.slice(colon + 1) : undefined;
}
