import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../app.js';

/** Sends these bytes; returns the response until the server closes the connection or the text contains `until`. */
async function exchange(port: number, bytes: string, until?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').write(bytes);
  let text = '';
  for await (const data of socket) {
    text += String(data);
    if (until !== undefined && text.includes(until)) break;
  }
  socket.destroy();
  return text;
}

/** Records each write to a socket. */
function recordWrites(socket: Socket, writes: string[]): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => {
    writes.push(Buffer.from(chunk, encoding).toString('latin1'));
    write(chunk, encoding, done);
  };
  socket._writev = (chunks, done) => {
    writes.push(
      chunks.map(({ chunk, encoding }) => Buffer.from(chunk, encoding).toString('latin1')).join(''),
    );
    writev?.(chunks, done);
  };
}

/** Decodes the body of a chunked response; throws if the coding is malformed. */
function unchunk(text: string): { body: string; rest: string } {
  let body = '';
  let rest = text;
  for (;;) {
    const [line, hex = ''] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    if (line === undefined) throw new Error(`no chunk in ${JSON.stringify(rest.slice(0, 40))}`);
    const length = Number.parseInt(hex, 16);
    const end = line.length + length;
    if (rest.slice(end, end + 2) !== '\r\n') throw new Error(`chunk of ${length} has no end`);
    body += rest.slice(line.length, end);
    rest = rest.slice(end + 2);
    if (length === 0) return { body, rest };
  }
}

const portOf = (origin: string) => Number(new URL(origin).port);
const headOf = (version: string, id = 's1') => `GET /svc/events/${id} HTTP/${version}\r\nHost: a\r\n\r\n`;

describe('the bytes on the connection', () => {
  it('are well-formed chunks over HTTP/1.1, short and long, up to the last chunk', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    for (const length of [1, 5_000, 200_000]) {
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'é'.repeat(length) });
    }
    const answer = exchange(
      portOf(server.origin),
      headOf('1.1').replace('Host: a', 'Host: a\r\nConnection: close'),
    );
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'live' });
    await bridge.emitFinal('done');
    const [head = '', ...rest] = (await answer).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    const { body, rest: after } = unchunk(rest.join('\r\n\r\n'));
    expect(body.match(/^event: .*$/gm)).toHaveLength(5);
    expect(Buffer.from(body, 'latin1').toString()).toContain('é'.repeat(200_000));
    expect(after).toBe('');
  });

  it('are not chunked over HTTP/1.0, and end with the connection', async () => {
    await using server = await listen();
    await server.bridge().emitFinal('done');
    const [head = '', body] = (await exchange(portOf(server.origin), headOf('1.0'))).split('\r\n\r\n');
    expect(head).not.toContain('chunked');
    expect(body).toMatch(/^: replay\n\nid: .*event: final\n.*\n\n: live\n\n$/s);
  });

  it('are in order when a client pipelines a second stream', async () => {
    await using server = await listen();
    await server.bridge('b').emitFinal('second');
    const first = server.bridge('a');
    const answer = exchange(portOf(server.origin), headOf('1.1', 'a') + headOf('1.1', 'b'), '"second"');
    await first.waitForSubscriber({ timeoutMs: 10_000 });
    await server.registry.get('b')?.waitForSubscriber({ timeoutMs: 100 });
    await first.emitFinal('first');
    const text = await answer;
    expect(text.indexOf('"first"')).toBeGreaterThan(0);
    expect(text.indexOf('"second"')).toBeGreaterThan(text.indexOf('"first"'));
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    const [, one = '', two = ''] = text.split(/HTTP\/1.1 200 OK.*?\r\n\r\n/s);
    expect(unchunk(one).body).toContain('event: final');
    expect(two).toContain('"second"');
  });

  it('are two writes for a replay, so that the head is parsed while the rest is on its way', async () => {
    await using server = await listen();
    await server.bridge().emitStatusMessage({ assistantId: 'a', message: 'held' });
    const writes: string[] = [];
    server.app.server.on('connection', (socket) => recordWrites(socket, writes));
    await exchange(portOf(server.origin), headOf('1.1'), ': live');
    expect(writes).toHaveLength(2);
    expect(writes[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n.*: replay\n\n\r\n$/s);
    expect(writes[1]).toMatch(/id: .*: live\n\n\r\n$/s);
  });

  it('are one write if nothing is replayed', async () => {
    await using server = await listen();
    server.bridge();
    const writes: string[] = [];
    server.app.server.on('connection', (socket) => recordWrites(socket, writes));
    await exchange(portOf(server.origin), headOf('1.1'), ': live');
    expect(writes).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n.*: live\n\n\r\n$/s)]);
  });

  it('are one write even if they are too many to be copied', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const writes: string[] = [];
    server.app.server.on('connection', (socket) => recordWrites(socket, writes));
    const answer = exchange(portOf(server.origin), headOf('1.1'), 'too long');
    while (writes.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await bridge.emitAssistantChunk({ assistantId: 'a', text: `${'x'.repeat(100_000)} too long` });
    await answer;
    expect(writes[1]).toMatch(/^[0-9a-f]+\r\nid: .* too long.*\n\n\r\n$/s);
  });

  it('are one write when the app closes, so that the end is sent before the connection is cut', async () => {
    const server = await listen();
    server.bridge();
    const writes: string[] = [];
    server.app.server.on('connection', (socket) => recordWrites(socket, writes));
    const answer = exchange(portOf(server.origin), headOf('1.1'));
    while (writes.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await server[Symbol.asyncDispose]();
    expect(await answer).toMatch(/\nretry: \d+\n\n\r\n0\r\n\r\n$/);
    expect(writes.slice(1)).toEqual([expect.stringMatching(/^\w+\r\nretry: \d+\n\n\r\n0\r\n\r\n$/)]);
  });

  it('leave no listener on a connection that serves many streams in turn', async () => {
    await using server = await listen();
    // More than the connection takes at once, so that each stream waits for it to drain.
    for (const text of ['x'.repeat(200_000), 'y'.repeat(200_000)])
      await server.bridge().emitAssistantChunk({ assistantId: 'a', text });
    await server.bridge().emitFinal('done');
    const connections: Socket[] = [];
    server.app.server.on('connection', (socket) => connections.push(socket));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const listeners: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const request = httpRequest(server.url(), { agent });
      request.end();
      const [response] = await once(request, 'response');
      let text = '';
      for await (const data of response) text += String(data);
      expect(text).toContain('event: final');
      listeners.push(connections[0]?.listenerCount('drain') ?? -1);
    }
    expect(connections).toHaveLength(1);
    expect(new Set(listeners).size).toBe(1);
    agent.destroy();
  });
});
