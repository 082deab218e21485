import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ChunkFramer } from '../../src/streams/chunk-framer.js';

it.each([0, 1, 15, 16, 255, 4_096, 65_536])('frames %i bytes as one chunk', (length) => {
  const bytes = Buffer.alloc(length, 'é');
  const chunk = new ChunkFramer().chunkOf(bytes);
  expect(chunk).toEqual(
    Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
  );
});

it('frames the same bytes once for all readers, and does not copy long ones', () => {
  const framer = new ChunkFramer();
  const bytes = Buffer.from('frame');
  const chunk = framer.chunkOf(bytes);
  for (let other = 0; other < 7; other += 1) framer.chunkOf(Buffer.from(`${other}`));
  expect(framer.chunkOf(bytes)).toBe(chunk);
  framer.chunkOf(Buffer.from('one too many'));
  expect(framer.chunkOf(bytes)).not.toBe(chunk);
  expect(framer.chunkOf(bytes)).toEqual(chunk);
  expect(framer.chunkOf(Buffer.alloc(65_537))).toBeUndefined();
});

it('forgets its chunks, so that their memory is freed', async () => {
  const framer = new ChunkFramer();
  const bytes = Buffer.from('frame');
  const chunk = framer.chunkOf(bytes);
  framer.forget();
  expect(framer.chunkOf(bytes)).not.toBe(chunk);
  expect(framer.chunkOf(bytes)).toEqual(chunk);

  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = new WeakRef(framer.chunkOf(bytes) ?? bytes);
  framer.forget();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(held.deref()).toBeUndefined();
});
