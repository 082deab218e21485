import { setImmediate } from 'node:timers/promises';
import type { BridgeRegistry } from '@svc/events';
import type { FastifyPluginAsync, RegisterOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type MountOptions, resolveMountOptions } from './mount-options.js';
import type { MountableApp } from './mountable-app.js';
import { EventsRoute } from './route/events-route.js';
import { OpenStreams } from './streams/open-streams.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The bridges that the mounted event route serves. */
    eventBridges: BridgeRegistry;
  }
}

/**
 * Adds `GET /svc/events/:sessionId`, the event stream of a session, and `app.eventBridges`. When the app closes, readers
 * are sent elsewhere.
 *
 * @throws TypeError or RangeError naming the option that is invalid.
 * @example
 * mountEvents(app, { authorize: async (request, sessionId) => owns(await userOf(request), sessionId) });
 */
export function mountEvents(app: MountableApp, options: MountOptions = {}): void {
  const settings = resolveMountOptions(options);
  const { registry, url, authorize } = settings;
  if (authorize === undefined)
    warn(app, `Everybody may read every session at GET ${url}: pass authorize to mountEvents`);
  const streams = new OpenStreams(settings, Math.random);
  // With more than one mount, the first one's bridges are the app's.
  if (!app.hasDecorator('eventBridges')) app.decorate('eventBridges', registry);
  app.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    handler: new EventsRoute(settings, streams).handle,
  });
  app.addHook('preClose', async () => {
    sayWhenToComeBack(app, url);
    // A log in memory tells readers of its news with the next turn of the event loop, and dies with the process.
    await setImmediate();
    streams.drain();
  });
}

/** In the log of the app, and in the process where it may have none, as Fastify by default. */
function warn({ log }: MountableApp, message: string): void {
  log.warn(message);
  if (!('level' in log)) process.emitWarning(message);
}

/** A closing Fastify answers 503 itself, before any route, and does not say when to come back. */
function sayWhenToComeBack(app: MountableApp, url: string): void {
  const [base = ''] = `${app.prefix}${url}`.split(':');
  app.server.prependListener('request', (request, response) => {
    if (request.url?.startsWith(base)) response.setHeader('retry-after', '1');
  });
}

// Asynchronous, because what any other plugin throws is caught by nobody, and this one's rejects the registration.
const mount: FastifyPluginAsync<MountOptions & RegisterOptions> = async (app, options) => {
  // Fastify's own options of register() come along.
  const { logLevel: _logLevel, logSerializers: _logSerializers, ...mountOptions } = options;
  mountEvents(app, mountOptions);
};

/** The same as a plugin: `await app.register(eventsPlugin, { authorize })`. It applies `prefix` itself. */
export const eventsPlugin = fastifyPlugin(mount, { name: '@svc/fastify', fastify: '5.x' });
