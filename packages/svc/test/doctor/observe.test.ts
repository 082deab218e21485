import { expect, it } from 'vitest';
import { observe } from '../../src/doctor/observe.js';
import { startServer } from '../start-server.js';

const look = { headers: {}, lookMs: 60_000, signal: new AbortController().signal };

it('sees frames as they are, also where a piece ends within a letter', async () => {
  const first = Buffer.from(
    ': hello\n\nid: 1-ü\nevent: update\ndata: {"timestamp":"1970-01-01T00:00:05Z"}\n\n',
  );
  const within = first.indexOf('ü') + 1;
  let goOn = () => {};
  const url = await startServer((_request, response) => {
    response.write(first.subarray(0, within));
    goOn = () => {
      response.write(first.subarray(within));
      for (const data of ['{"timestamp":5}', '{"timestamp":"soon"}', 'null', 'text'])
        response.write(`data: ${data}\n\n`);
      response.end();
    };
  });
  // The first piece is there when its comment is.
  const { frames, status, endedAtMs } = await observe({ ...look, url: new URL(url) }, (soFar) => {
    if (soFar.length === 1) goOn();
    return false;
  });
  const event = { kind: 'event', id: '1-ü', event: 'update', madeAtMs: 5_000 };
  expect(frames[0]).toMatchObject({ kind: 'comment', comment: 'hello', chunk: 0 });
  expect(frames[1]).toMatchObject(event);
  expect(frames[1]?.chunk).toBeGreaterThan(0);
  expect(frames.slice(2).map(({ madeAtMs }) => madeAtMs)).toEqual(Array(4).fill(undefined));
  expect(status).toBe(200);
  expect(endedAtMs).toBeGreaterThan(0);
});

it('looks no longer than it has to, which is no end of the stream', async () => {
  const url = await startServer((_request, response) => void response.write(': hello\n\n'));
  const { frames, endedAtMs } = await observe({ ...look, url: new URL(url) }, (soFar) => soFar.length > 0);
  expect(frames).toMatchObject([{ comment: 'hello' }]);
  expect(endedAtMs).toBeUndefined();
});
