import type { BridgeRegistry, EventBridge } from '@svc/events';
import Fastify, { type FastifyBaseLogger, type FastifyTypeProvider } from 'fastify';
import { expectTypeOf } from 'vitest';
import { eventsPlugin, getEventBridge, mountEvents, removeEventBridge } from '../src/index.js';

declare const logger: FastifyBaseLogger & { more: true };
declare const apps: [ReturnType<typeof Fastify>, ReturnType<ReturnType<typeof Fastify>['withTypeProvider']>];

mountEvents(Fastify());
mountEvents(Fastify({ http2: true }), { prefix: '/x' });
mountEvents(Fastify({ https: { key: '', cert: '' } }));
mountEvents(Fastify({ loggerInstance: logger }));
mountEvents(Fastify().withTypeProvider<FastifyTypeProvider>());
for (const app of apps) mountEvents(app);

const app = Fastify();
mountEvents(app, { authorize: (request, sessionId) => request.headers['x-user'] === sessionId });
mountEvents(app, { authorize: async () => {} });
mountEvents(app, {
  factory: async () => null,
  audience: (request) => (request.ip === '::1' ? 'internal' : 'frontend_safe'),
});
void app.register(eventsPlugin, { prefix: '/x', authorize: () => true });
expectTypeOf(app.eventBridges).toEqualTypeOf<BridgeRegistry>();
expectTypeOf(getEventBridge('s1')).toEqualTypeOf<EventBridge>();
expectTypeOf(removeEventBridge('s1')).resolves.toBeVoid();

// @ts-expect-error a typo is an error
mountEvents(app, { authorise: () => true });
// @ts-expect-error there are two audiences
mountEvents(app, { audience: 'everybody' });
// @ts-expect-error a string admits nobody
mountEvents(app, { authorize: () => 'yes' });
