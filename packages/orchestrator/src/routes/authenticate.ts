import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from '../errors.js';
import type { Caller, KeyRing } from '../keys/key-ring.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route works without a key. */
    open?: boolean;
    /** The route can be read by a browser, which sends the key as the password of HTTP Basic. */
    basic?: boolean;
  }
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Whoever calls, once the key was found valid. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** Whoever calls. Every route but the open ones has one. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request);
  if (!caller) throw new RequestError('This operation needs a key.', { code: 'KEY_MISSING' });
  return caller;
}

/** Lets in who has a valid key: `Authorization: Bearer`, `X-API-Key`, or HTTP Basic where a browser reads. */
export function authenticate(app: FastifyInstance, keys: KeyRing): void {
  app.addHook('onRequest', async (request, reply) => {
    const { open, basic } = request.routeOptions.config;
    if (open) return;
    const key = readKey(request, basic === true);
    const caller = key === undefined ? undefined : await keys.identify(key);
    if (caller) {
      callers.set(request, caller);
      return;
    }
    void reply.header('www-authenticate', basic ? 'Basic realm="svc", charset="UTF-8"' : 'Bearer');
    if (key === undefined) {
      throw new RequestError('Send a key as "Authorization: Bearer <key>".', { code: 'KEY_MISSING' });
    }
    throw new RequestError('The key is unknown or revoked.', { code: 'KEY_INVALID' });
  });
}

function readKey({ headers }: FastifyRequest, basic: boolean): string | undefined {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(/\s+(.*)/s);
  if (/^bearer$/i.test(scheme) && credentials !== '') return credentials.trim();
  if (basic && /^basic$/i.test(scheme)) return readBasic(credentials);
  const header = headers['x-api-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** The password; a user name is not looked at. */
function readBasic(credentials: string): string | undefined {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  return colon >= 0 && colon < text.length - 1 ? text.slice(colon + 1) : undefined;
}
