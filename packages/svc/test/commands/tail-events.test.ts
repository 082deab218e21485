import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../src/program.js';
import { startServer } from '../start-server.js';
import { recordingTerminal } from './terminal.js';

const serve = async (listener: RequestListener) => `${await startServer(listener)}/svc/events/s1`;

function tail(address: string, ...flags: string[]) {
  const recording = recordingTerminal();
  const ended = createProgram(recording.terminal).parseAsync([
    'node',
    'svc',
    'events',
    'tail',
    address,
    ...flags,
  ]);
  return { ...recording, ended };
}

const streamType = { 'content-type': 'text/event-stream' };
const frame = (id: string, type: string) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, timestamp: '', data: { n: 1 } })}\n\n`;

describe('svc events tail', () => {
  it('sends the given cursor and headers', async () => {
    let asked: unknown;
    const url = await serve(({ headers }, response) => {
      asked = [headers['last-event-id'], headers['x-who'], headers['authorization']];
      response.writeHead(200, streamType).end(frame('2', 'session_end'));
    });
    await tail(url, '--last-event-id', '1', '--header', 'X-Who: me', '--header', 'Authorization: Bearer k')
      .ended;
    expect(asked).toEqual(['1', 'me', 'Bearer k']);
  });

  it.each([500, 503, 429, 408])('reports a retry after status %i once per outage', async (status) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      if (asked === 2) response.writeHead(200, streamType).end(`retry: 1\n\n${frame('1', 'update')}`);
      else if (asked === 4) response.writeHead(200, streamType).end(frame('2', 'session_end'));
      else response.writeHead(status).end();
    });
    const { errors, lines, ended } = tail(url);
    await ended;
    expect(lines).toHaveLength(2);
    const report = `No connection (status ${status}); retrying.`;
    expect(errors).toEqual([report, report]);
  });

  it.each([
    [200, /^Stream refused: 200 text\/html\. Pass the URL of an event route/],
    [301, /^Stream refused: 301 text\/html\. Pass the final URL/],
    [401, /^Stream refused: 401 text\/html\. .* --header 'name: value'/],
    [403, /^Stream refused: 403 text\/html\. .* --header 'name: value'/],
    [404, /^Stream refused: 404 text\/html\. Pass the URL of an event route/],
  ])('explains how to fix a response with status %i', async (status, message) => {
    const url = await serve((_request, response) => {
      const headers = { 'content-type': 'text/html', location: 'http://127.0.0.1:9/?token=canary' };
      response.writeHead(status, headers).end('<html>');
    });
    await expect(tail(url, '--header', 'x-who: me').ended).rejects.toThrow(message);
  });

  it('reports that there is no answer when a request times out, and retries', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    let count = 0;
    const url = await serve((_request, response) => {
      count += 1;
      asked.resolve();
      if (count > 1) response.writeHead(200, streamType).end(frame('1', 'session_end'));
    });
    const { errors, lines, ended } = tail(url);
    await asked.promise;
    // The client's timeout, and then its delay before it retries; more would time the second request out too.
    await vi.advanceTimersByTimeAsync(16_000);
    vi.useRealTimers();
    await ended;
    expect([errors, lines.length]).toEqual([['No connection (no answer); retrying.'], 1]);
  });

  it('reports frames that contain no event, such as those of a run at its orchestrator', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      const text = 'id: 1\nevent: update\ndata: {"streaming_content":"4"}\n\n';
      response
        .writeHead(200, streamType)
        .end(`retry: 1\n\n${asked === 1 ? text : frame('2', 'session_end')}`);
    });
    const { errors, lines, ended } = tail(url);
    await ended;
    expect(lines).toHaveLength(1);
    expect(errors).toEqual([expect.stringMatching(/^1 frame .*event route/)]);
  });

  it('reports frames that contain no event soon, even if the connection stays open', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, streamType).write(': live\n\n');
      setTimeout(() => response.write('data: hello\n\n'), 200);
    });
    const { errors, interrupt, ended } = tail(url);
    await expect.poll(() => errors).toEqual([expect.stringMatching(/^1 frame .*event route/)]);
    interrupt();
    await ended;
    expect(errors).toHaveLength(1);
  });

  it('ends silently when it is interrupted, even during a request', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serve(() => asked.resolve());
    const { errors, interrupt, ended } = tail(url);
    await asked.promise;
    interrupt();
    await ended;
    // The pending request fails a moment later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });
});
