import { createServer, get } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { EventEnvelope } from '@svc/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { chaosProxy } from '../../src/testing/chaos-proxy.js';
import type { Chaos } from '../../src/testing/chaos-proxy.js';
import { silentLogger } from '../silent-logger.js';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves a bridge over `node:http`, without a framework. */
function serve(bridge: EventBridge): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const lastEventId = request.headers['last-event-id']?.toString() ?? null;
    const frames = bridge.generateSse({ lastEventId });
    response.on('close', () => void frames.return());
    void (async () => {
      for await (const frame of frames) response.write(frame);
      response.end();
    })();
  });
  return listen(server);
}

/** Reads a stream to its end: reconnects with its cursor and keeps every event id once. */
async function readThrough(url: string): Promise<EventEnvelope[]> {
  const events = new Map<string, EventEnvelope>();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const lastEventId = [...events.keys()].at(-1);
    await readOnce(url, lastEventId, (event) => events.set(event.id, event)).catch(() => {});
    if ([...events.values()].at(-1)?.type === 'final') return [...events.values()];
  }
  throw new Error('the stream never ended');
}

function readOnce(url: string, lastEventId: string | undefined, take: (event: EventEnvelope) => void) {
  return new Promise<void>((resolve, reject) => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const request = get(url, { headers, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        rest += chunk;
        const end = rest.lastIndexOf('\n\n') + 2;
        if (end < 2) return;
        for (const { envelope } of decodeFrames(rest.slice(0, end))) take(envelope);
        rest = rest.slice(end);
      });
      response.on('end', resolve).on('error', reject);
    });
    request.on('error', reject);
  });
}

async function recordedBridge(): Promise<EventBridge> {
  const bridge = new EventBridge('s', { logger: silentLogger });
  await bridge.emitStatusMessage({ assistantId: 'a', message: 'Looking… ü 😀' });
  await bridge.emitToolEvent({ toolName: 'fetch', toolId: 't', status: 'executing', args: { q: '\n\n' } });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'Four degrees, ' });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'and rain.' });
  await bridge.emit('custom', { text: 'data: not a frame\n\n' });
  await bridge.emitFinal('done');
  return bridge;
}

describe('chaosProxy', () => {
  it('forwards everything unchanged when the plan is empty', async () => {
    const url = await listen(
      createServer((request, response) => {
        response.writeHead(207, { 'x-given': String(request.headers['x-asked']) });
        request.pipe(response);
      }),
    );
    await using proxy = await chaosProxy(url, () => ({}));
    const response = await fetch(`${proxy.url}/a?b=1`, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-asked': 'yes' },
    });
    expect([response.status, response.headers.get('x-given'), await response.text()]).toEqual([
      207,
      'yes',
      'hello',
    ]);
    expect(proxy.requests).toEqual([{ index: 0, path: '/a?b=1', lastEventId: undefined }]);
  });

  it.each<[string, Chaos, string]>([
    ['cuts', { cutAtByte: 3 }, 'abc'],
    ['half-closes', { halfCloseAtByte: 4 }, 'abcd'],
  ])('%s the response at the given byte', async (_, chaos, expected) => {
    const url = await listen(createServer((_request, response) => response.end('abcdefgh')));
    await using proxy = await chaosProxy(url, () => chaos);
    let received = '';
    const read = async () => {
      const response = await fetch(proxy.url);
      for await (const piece of response.body ?? []) received += Buffer.from(piece).toString();
    };
    await expect(read()).rejects.toThrow();
    expect(received).toBe(expected);
  });

  it.each<[string, Chaos]>([
    ['cuts', { cutAtByte: 8 }],
    ['half-closes', { halfCloseAtByte: 8 }],
  ])('%s an open response after its last byte so far, without waiting for the next', async (_, chaos) => {
    const url = await listen(createServer((_request, response) => response.write('abcdefgh')));
    await using proxy = await chaosProxy(url, () => chaos);
    const response = await fetch(proxy.url);
    await expect(response.text()).rejects.toThrow();
  });

  it('cuts a response that has no bytes yet', async () => {
    const url = await listen(createServer((_request, response) => response.flushHeaders()));
    await using proxy = await chaosProxy(url, () => ({ cutAtByte: 0 }));
    await expect(fetch(proxy.url).then((response) => response.text())).rejects.toThrow();
  });

  it('stalls, re-chunks and repeats frames', async () => {
    const url = await listen(createServer((_request, response) => response.end('data: 1\n\ndata: 2\n\n')));
    const chaos = { duplicatesFrames: true, chunkBytes: 2, stallAtByte: 5, stallMs: 1 };
    await using proxy = await chaosProxy(url, () => chaos);
    const response = await fetch(proxy.url);
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect(pieces.join('')).toBe('data: 1\n\ndata: 1\n\ndata: 2\n\ndata: 2\n\n');
    expect(pieces.length).toBeGreaterThan(2);
  });
});

describe('a stream over a faulty connection', () => {
  it('is complete after resuming, wherever it was cut', async () => {
    const bridge = await recordedBridge();
    const whole = await bridge.history();
    const url = await serve(bridge);
    const length = Buffer.byteLength(await text((await fetch(url)).body ?? new ReadableStream()));
    expect(length).toBeGreaterThan(2000);
    const planOf = ({ path }: { path: string }) => (path === '/' ? {} : { cutAtByte: Number(path.slice(1)) });
    await using proxy = await chaosProxy(url, planOf);
    const cut = async (cutAtByte: number) => {
      const events = new Map<string, EventEnvelope>();
      const take = (event: EventEnvelope) => events.set(event.id, event);
      await readOnce(`${proxy.url}/${cutAtByte}`, undefined, take).catch(() => {});
      await readOnce(`${proxy.url}/`, [...events.keys()].at(-1), take);
      expect([...events.values()]).toEqual(whole);
    };
    const cuts = Array.from({ length }, (_, cutAtByte) => cutAtByte);
    while (cuts.length > 0) await Promise.all(cuts.splice(0, 50).map(cut));
  });

  it.each<[string, Chaos]>([
    ['when it arrives in chunks of one byte', { chunkBytes: 1 }],
    ['when every frame arrives twice', { duplicatesFrames: true }],
    ['when it is half-closed in the middle', { halfCloseAtByte: 700 }],
  ])('is complete %s', async (_, chaos) => {
    const bridge = await recordedBridge();
    await using proxy = await chaosProxy(await serve(bridge), ({ index }) => (index === 0 ? chaos : {}));
    expect(await readThrough(proxy.url)).toEqual(await bridge.history());
  });
});
