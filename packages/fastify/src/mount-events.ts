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
    /** The registry of the bridges that the mounted event route serves. */
    eventBridges: BridgeRegistry;
  }
}

/**
 * Adds `GET /svc/events/:sessionId`, the event stream of a session, and `app.eventBridges`. When the app closes, the
 * streams end and tell readers when to reconnect.
 *
 * @throws TypeError or RangeError naming the invalid option.
 * @example
 * mountEvents(app, { authorize: async (request, sessionId) => owns(await userOf(request), sessionId) });
 */
export function mountEvents(app: MountableApp, options: MountOptions = {}): void {
  const settings = resolveMountOptions(options);
  const { registry, url, authorize } = settings;
  if (authorize === undefined)
    warn(app, `Anyone can read any session at GET ${url}; pass \`authorize\` to mountEvents`);
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
    addRetryAfter(app, url);
    // A log in memory notifies readers in the next turn of the event loop, and is lost with the process.
    await setImmediate();
    streams.drain();
  });
}

/** Warns in the app's log, and as a process warning if that log may be disabled, as it is in Fastify by default. */
function warn({ log }: MountableApp, message: string): void {
  log.warn(message);
  if (!('level' in log)) process.emitWarning(message);
}

/** Adds `Retry-After`: a closing Fastify answers 503 itself, before any route, and sends none. */
function addRetryAfter(app: MountableApp, url: string): void {
  const [base = ''] = `${app.prefix}${url}`.split(':');
  app.server.prependListener('request', (request, response) => {
    if (request.url?.startsWith(base)) response.setHeader('retry-after', '1');
  });
}

// Asynchronous, so that an error rejects the registration; nothing catches what a synchronous plugin throws.
const mount: FastifyPluginAsync<MountOptions & RegisterOptions> = async (app, options) => {
  // Fastify passes its own options of register() too; null counts as absent.
  const absent = { value: null, enumerable: true };
  mountEvents(app, Object.create(options, { logLevel: absent, logSerializers: absent }));
};

/** `mountEvents` as a plugin: `await app.register(eventsPlugin, { authorize })`. It applies `prefix` itself. */
export const eventsPlugin = fastifyPlugin(mount, { name: '@svc/fastify', fastify: '5.x' });
