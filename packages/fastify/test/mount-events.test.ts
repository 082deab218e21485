import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import { BridgeRegistry } from '@svc/events';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventsPlugin, getEventBridge, mountEvents, removeEventBridge } from '../src/index.js';
import { eventsIn, isLive, listen, open } from './app.js';

describe('mountEvents', () => {
  it('applies prefix and path, also as a plugin', async () => {
    const registry = new BridgeRegistry();
    registry.getOrCreate('s1');
    const app = Fastify({ forceCloseConnections: true });
    await app.register(eventsPlugin, {
      prefix: '/api',
      logLevel: 'warn',
      logSerializers: {},
      path: '/stream/:sessionId',
      registry,
      authorize: () => true,
    });
    // A second mount has a registry of its own, and `app.eventBridges` stays the first.
    mountEvents(app, { prefix: '/two', registry: new BridgeRegistry(), authorize: () => true });
    await app.register(async (child) => mountEvents(child, { prefix: '', registry, authorize: () => true }), {
      prefix: '/child',
    });
    expect(app.eventBridges).toBe(registry);
    expect(app.hasPlugin('@svc/fastify')).toBe(true);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    for (const path of ['/api/stream/s1', '/child/events/s1']) {
      expect((await open(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    await app.close();
  });

  it('rejects the registration of the plugin if an option is unknown', async () => {
    const app = Fastify();
    // In JavaScript, an option can be misspelt.
    const options = { prefix: '/x', authorise: () => true };
    await expect(async () => app.register(eventsPlugin, options)).rejects.toThrow(
      /^mountEvents: unknown option 'authorise'\. Known options: prefix, path, authorize, .*, limits\.$/,
    );
    await app.close().catch(() => undefined);
  });

  it('refuses a Map of options, also as a plugin, and reads inherited ones', async () => {
    const deny = async () => false;
    const app = Fastify();
    await app.register(eventsPlugin, Object.create({ authorize: deny, logLevel: 'warn' }));
    expect((await app.inject('/svc/events/s1')).statusCode).toBe(403);
    const options = new Map([['authorize', deny]]);
    await expect(async () => Fastify().register(eventsPlugin, options as object)).rejects.toThrow(
      /^mountEvents: options must be an object with options by name, got /,
    );
    await app.close();
  });

  it('returns the whole stream from app.inject when it has ended', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'held' });
    const answer = server.app.inject('/svc/events/s1');
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emitFinal('live');
    const { statusCode, payload } = await answer;
    expect(statusCode).toBe(200);
    expect(eventsIn(payload).map(([, event]) => event)).toEqual(['status_message', 'final']);
  });

  it('serves the bridges of getEventBridge by default, which are frontend_safe', async () => {
    const app = Fastify({ forceCloseConnections: true });
    mountEvents(app, { authorize: () => true });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const bridge = getEventBridge('default-1');
    expect(bridge.audience).toBe('frontend_safe');
    expect(getEventBridge('default-1', { audience: 'internal' })).toBe(bridge);
    expect(getEventBridge('default-2', { audience: 'internal' }).audience).toBe('internal');
    expect(app.eventBridges.get('default-1')).toBe(bridge);
    expect(app.eventBridges.getOrCreate('default-3').audience).toBe('frontend_safe');
    const reader = await open(`http://127.0.0.1:${port}/svc/events/default-1`);
    await removeEventBridge('default-1');
    await reader.ended;
    expect((await open(`http://127.0.0.1:${port}/svc/events/default-1`)).status).toBe(204);
    for (const id of ['default-1', 'default-2', 'default-3']) await removeEventBridge(id);
    await app.close();
  });

  it('answers 500, and frees the reader and its place, if a header set by a hook is invalid', async () => {
    await using server = await listen({ limits: { readersPerSession: 1 } }, (app) => {
      app.addHook('onRequest', async (_, reply) => void reply.header('x-note', 'two\nlines'));
    });
    const bridge = server.bridge();
    for (const _ of [1, 2]) {
      const reader = await open(server.url());
      await reader.ended;
      expect([reader.status, JSON.parse(reader.text())]).toMatchObject([500, { code: 'ERR_INVALID_CHAR' }]);
    }
    expect(bridge.subscriberCount).toBe(0);
  });

  it('sends headers that other plugins have set, such as those for CORS', async () => {
    await using server = await listen({}, async (app) => {
      await app.register(cors, { origin: ['https://page.test'], credentials: true });
    });
    server.bridge();
    const origin = 'https://page.test';
    const { headers, close } = await open(server.url(), { origin });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    });
    close();
    const preflight = await fetch(server.url(), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'last-event-id,authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('last-event-id');
    expect((await open(server.url('%20'), { origin })).headers['access-control-allow-origin']).toBe(origin);
  });
});

describe('closing the app', () => {
  it.each([true, false])(
    'ends streams with a reconnection time, and refuses new readers (return503OnClosing: %s)',
    async (return503OnClosing) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(0.25);
      onTestFinished(() => random.mockRestore());
      const registry = new BridgeRegistry();
      const bridge = registry.getOrCreate('s1');
      const app = Fastify({ return503OnClosing });
      let duringClose: unknown;
      const authorize = vi.fn(() => true);
      await app.register(
        async (child) => {
          mountEvents(child, { registry, authorize, prefix: '/:team' });
          child.addHook('preClose', whileClosing);
        },
        { prefix: '/teams' },
      );
      async function whileClosing() {
        const late = await open(url('s1'));
        const elsewhere = await open(url('s1').replace('/teams', '/other'));
        duringClose = [late.status, late.headers['retry-after'], elsewhere.headers['retry-after']];
        await Promise.all([late.ended, elsewhere.ended]);
      }
      await app.listen({ port: 0, host: '127.0.0.1' });
      const url = (id: string) =>
        `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/teams/a/events/${id}`;
      const readers = [await open(url('s1')), await open(url('s1')), await open(url('not yet'))];
      for (const { until } of readers) await until(isLive);
      await app.close();
      for (const { ended, text } of readers) {
        await ended;
        // From 500 ms to 2,500 ms, a quarter of the way.
        expect(text()).toMatch(/\n\nretry: 1000\n\n$/);
      }
      expect(duringClose).toEqual([503, '1', undefined]);
      expect(authorize).toHaveBeenCalledTimes(readers.length);
      expect(bridge.subscriberCount).toBe(0);
      expect(bridge.closed).toBe(false);
      await registry.close();
    },
  );

  it('first delivers what is in the log, such as the end of a stopped turn', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'Looking' });
    const { until, ended, text } = await open(server.url());
    await until(isLive);
    await bridge.emitFinal('Stopped.');
    await server.app.close();
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['status_message', 'final']);
  });
});
