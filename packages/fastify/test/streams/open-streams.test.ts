import { BridgeRegistry } from '@svc/events';
import { expect, it } from 'vitest';
import { resolveMountOptions } from '../../src/mount-options.js';
import { OpenStreams } from '../../src/streams/open-streams.js';

it('make the chunk of the same bytes once for all who write them together, and hold it no longer', async () => {
  const settings = resolveMountOptions({ registry: new BridgeRegistry(), authorize: () => true });
  const { framer, flushes } = new OpenStreams(settings, Math.random);
  const bytes = Buffer.from('frame');
  const chunks: unknown[] = [];
  const write = () => flushes.add({ flush: () => void chunks.push(framer.chunkOf(bytes)) });
  write();
  write();
  await Promise.resolve();
  write();
  await Promise.resolve();
  expect(chunks).toHaveLength(3);
  expect(chunks[1]).toBe(chunks[0]);
  expect(chunks[2]).not.toBe(chunks[0]);
});
