import { type Audience, BridgeRegistry, EventBridge } from '@svc/events';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountEvents } from '../src/index.js';
import { chunk, isLive, listen, open } from './app.js';

/** An error that `authorize` may throw. */
function failure(statusCode?: number): Error {
  const error = new Error(`private: db-password (statusCode ${statusCode})`);
  return Object.assign(error, statusCode === undefined ? {} : { statusCode });
}

describe('authorization and audience', () => {
  it.each([
    [true, 200],
    [false, 403],
    [undefined, 403],
    [1, 403],
    ['yes', 403],
    [failure(401), 401],
    [failure(403), 403],
    [failure(404), 500],
    [failure(), 500],
    ['a thrown string', 500, true],
    [undefined, 500, true],
    [null, 500, true],
  ])(
    'answers %s from authorize with %i, before the first byte of the stream',
    async (answer, status, isThrown = false) => {
      const authorize = async () => {
        if (answer instanceof Error || isThrown) throw answer;
        return answer as never;
      };
      await using server = await listen({ authorize });
      const bridge = server.bridge();
      await bridge.emitAssistantChunk(chunk('secret'));
      const reader = await open(server.url());
      expect(reader.status).toBe(status);
      if (status === 200) {
        reader.close();
        return;
      }
      await reader.ended;
      expect(JSON.parse(reader.text())).toEqual({ code: expect.any(String), message: expect.any(String) });
      expect(reader.text()).not.toMatch(/secret|private/);
      expect(reader.headers['cache-control']).toBe('no-store');
    },
  );

  it('counts no caller that authorize refuses against the limits', async () => {
    const answers = [false, true];
    const authorize = () => answers.shift() === true;
    await using server = await listen({ authorize, limits: { readersPerSession: 1 } });
    server.bridge();
    const refused = await open(server.url());
    const admitted = await open(server.url());
    expect([refused.status, admitted.status]).toEqual([403, 200]);
    admitted.close();
  });

  it('passes the request and the session id to authorize', async () => {
    const authorize = vi.fn(
      (request: { headers: Record<string, unknown> }, sessionId: string) =>
        sessionId === 'a/b' && request.headers['x-user'] === 'me',
    );
    await using server = await listen({ authorize });
    server.bridge('a/b');
    const { status, close } = await open(server.url('a%2Fb'), { 'x-user': 'me' });
    expect(status).toBe(200);
    close();
  });

  it('logs why authorize failed', async () => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: 'error', stream: { write: (line) => void lines.push(line) } } });
    const authorize = () => Promise.reject(failure());
    mountEvents(app, { registry: new BridgeRegistry(), authorize });
    await app.inject('/svc/events/s1');
    await app.close();
    expect(lines).toEqual([expect.stringMatching(/private: db-password.*authorize failed/)]);
  });

  it('admits everyone if there is no authorize', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const registry = new BridgeRegistry();
    await registry.getOrCreate('s1', () => new EventBridge('s1')).emitFinal('done');
    const app = Fastify();
    mountEvents(app, { registry });
    const { statusCode, payload } = await app.inject('/svc/events/s1');
    expect([statusCode, payload]).toEqual([200, expect.stringContaining('event: final')]);
    await app.close();
  });

  it('warns once at mount if there is no authorize', async () => {
    const processWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => processWarning.mockRestore());
    const lines: string[] = [];
    const app = Fastify({
      logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
    });
    mountEvents(app, { registry: new BridgeRegistry() });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('authorize');
    expect(processWarning).not.toHaveBeenCalled();
    await app.close();
  });

  it('emits a process warning if the app has no logger', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const app = Fastify();
    mountEvents(app, { registry: new BridgeRegistry() });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('authorize')]]);
    await app.close();
  });

  it('warns in the log of an app whose logger has no levels', async () => {
    const processWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => processWarning.mockRestore());
    const warn = vi.fn();
    const log = { warn, info() {}, error() {}, debug() {}, fatal() {}, trace() {}, silent() {} };
    const app = Fastify({ loggerInstance: { ...log, child: () => log } as never });
    mountEvents(app, { registry: new BridgeRegistry() });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('authorize')]]);
    await app.close();
  });

  const secret = { args: { private_data_injected: { card: '4111' } } };

  it.each([
    ['frontend_safe', 'internal', false],
    ['internal', 'internal', true],
    ['internal', 'frontend_safe', false],
    [(): Audience => 'internal', 'internal', true],
    [async (): Promise<Audience> => 'frontend_safe', 'internal', false],
  ] as const)(
    'serves the audience %s from a bridge for %s, with injected arguments: %s',
    async (audience, ofBridge, shows) => {
      await using server = await listen({ audience });
      const bridge = server.bridge('s1', { audience: ofBridge });
      await bridge.emitToolEvent({ toolName: 't', toolId: 't1', status: 'executing', ...secret });
      const { until, close } = await open(server.url());
      expect((await until(isLive)).includes('4111')).toBe(shows);
      close();
    },
  );

  it('answers an unknown audience with 500', async () => {
    await using server = await listen({ audience: () => 'everybody' as never });
    server.bridge();
    expect((await open(server.url())).status).toBe(500);
    expect((await open(server.url('not-begun'))).status).toBe(500);
  });
});
