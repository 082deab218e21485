import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { FrameWriter } from '../../../src/routes/sessions/frame-writer.js';

function recorder(highWaterMark = 1_000_000) {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const target = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      waiting.push(done);
    },
  });
  return { written, target, drain: () => waiting.splice(0).forEach((done) => done()) };
}

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('writes the frames of one event loop turn together', async () => {
  const { written, target, drain } = recorder();
  const writer = new FrameWriter(target);
  await writer.write('a', never);
  await writer.write('', never);
  await writer.write('b', never);
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual(['ab']);
  drain();
  await writer.write('c', never);
  writer.flush();
  drain();
  await turn();
  expect(written).toEqual(['ab', 'c']);
});

it('waits for a slow reader until it reads or its signal aborts', async () => {
  const { target, drain } = recorder(4);
  const writer = new FrameWriter(target);
  await writer.write('long frame', never);
  await turn();
  let isThrough = false;
  const next = writer.write('x', never).then(() => (isThrough = true));
  await turn();
  expect(isThrough).toBe(false);
  drain();
  await turn();
  drain();
  await next;
  await turn();
  const abort = new AbortController();
  const last = writer.write('another long frame', abort.signal);
  abort.abort();
  await last;
});

it('does not hold back a large frame', async () => {
  const { written, target } = recorder();
  const writer = new FrameWriter(target);
  await writer.write('x'.repeat(70_000), never);
  expect(written).toHaveLength(1);
});
