import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './runs/bodies.js';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns the host name of a `Host` header without its port; the brackets of IPv6 stay. */
function hostName(authority: string): string {
  return authority.toLowerCase().replace(/:\d+$/, '');
}

const inBrackets = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** The address that a connection was made to, as it stands in a URL. No foreign name can be equal to it. */
function addressOf({ localAddress = '' }: Socket): string {
  return inBrackets(localAddress.replace(/^::ffff:(?=\d+\.)/, ''));
}

/**
 * Refuses requests with a foreign `Host` (another name that resolves to this machine) or from a page of another `Origin`
 * with 403: without a login, being local is the server's only protection.
 */
export function refuseForeign(app: FastifyInstance, boundHost: string): void {
  const known = new Set([...loopbackNames, inBrackets(boundHost.toLowerCase())]);
  app.addHook('onRequest', async (request, reply) => {
    const host = request.headers.host;
    // `HOST` may be a name or `0.0.0.0`; the address that the server prints is then the one it is reached at.
    const isKnown = (name: string) => known.has(name) || name === addressOf(request.socket);
    if (host === undefined || !isKnown(hostName(host)))
      return reply
        .code(403)
        .send({ code: 'HOST_REFUSED', message: 'Use the address that the server printed at start.' });
    const origin = request.headers.origin;
    if (origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase())
      return reply
        .code(403)
        .send({ code: 'ORIGIN_REFUSED', message: 'Pages from other origins may not use this server.' });
    return undefined;
  });
}

/** The error for a body of another type. */
export const notJson = () => new ApiError(400, 'BODY_NOT_JSON', 'Send content-type application/json.');

/** Accepts only JSON bodies; anything else is a 400 with a code, like every invalid body. */
export function onlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(new ApiError(400, 'BODY_NOT_JSON', 'The body is not valid JSON; send an object.'));
    }
  });
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(notJson());
  });
}
