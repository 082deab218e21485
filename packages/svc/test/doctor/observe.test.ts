import { expect, it } from 'vitest';
import { observe } from '../../src/doctor/observe.js';
import { startServer } from '../start-server.js';

const look = { headers: {}, lookMs: 60_000, signal: new AbortController().signal };

it('parses frames even when a chunk ends within a character', async () => {
  const first = Buffer.from(
    ': hello\n\nid: 1-ü\nevent: update\ndata: {"timestamp":"1970-01-01T00:00:05Z"}\n\n',
  );
  const middle = first.indexOf('ü') + 1;
  let sendRest = () => {};
  const url = await startServer((_request, response) => {
    response.write(first.subarray(0, middle));
    sendRest = () => {
      response.write(first.subarray(middle));
      for (const data of ['{"timestamp":5}', '{"timestamp":"soon"}', 'null', 'text'])
        response.write(`data: ${data}\n\n`);
      response.end();
    };
  });
  const beganAtMs = performance.now();
  // The first chunk has arrived once its comment is there.
  const { frames, status, endedAtMs } = await observe({ ...look, url: new URL(url) }, (soFar) => {
    if (soFar.length === 1) sendRest();
    return false;
  });
  const event = { kind: 'event', id: '1-ü', event: 'update', madeAtMs: 5_000 };
  expect(frames[0]).toMatchObject({ kind: 'comment', comment: 'hello', chunk: 0 });
  expect(frames[1]).toMatchObject(event);
  expect(frames[1]?.chunk).toBeGreaterThan(0);
  expect(frames.slice(2).map(({ madeAtMs }) => madeAtMs)).toEqual(Array(4).fill(undefined));
  expect(status).toBe(200);
  expect(endedAtMs).toBeGreaterThan(0);
  expect(endedAtMs).toBeLessThanOrEqual(performance.now() - beganAtMs);
});

it('stops looking once it has seen enough, without reporting an end of the stream', async () => {
  const url = await startServer((_request, response) => void response.write(': hello\n\n'));
  const { frames, endedAtMs } = await observe({ ...look, url: new URL(url) }, (soFar) => soFar.length > 0);
  expect(frames).toMatchObject([{ comment: 'hello' }]);
  expect(endedAtMs).toBeUndefined();
});

it('does not follow a redirect, which could receive the credentials', async () => {
  const paths: (string | undefined)[] = [];
  const url = await startServer(({ url: path }, response) => {
    paths.push(path);
    response.writeHead(302, { location: '/other' }).end();
  });
  expect((await observe({ ...look, url: new URL(url) })).status).toBe(302);
  expect(paths).toHaveLength(1);
});

it('reports when a connection broke', async () => {
  const url = await startServer((_request, response) => {
    response.write(': hello\n\n', () => response.destroy());
  });
  const beganAtMs = performance.now();
  const { endedAtMs } = await observe({ ...look, url: new URL(url) });
  expect(endedAtMs).toBeGreaterThan(0);
  expect(endedAtMs).toBeLessThanOrEqual(performance.now() - beganAtMs);
});

it('reads an event as large as the largest result that an orchestrator accepts by default', async () => {
  const data = JSON.stringify('r'.repeat(8 * 1024 * 1024));
  const url = await startServer((_request, response) => void response.write(`id: 1\ndata: ${data}\n\n`));
  const { frames, endedAtMs } = await observe({ ...look, url: new URL(url) }, (soFar) => soFar.length > 0);
  expect(frames).toMatchObject([{ kind: 'event', id: '1' }]);
  expect(endedAtMs).toBeUndefined();
});
