import { expect, it } from 'vitest';
import { StreamRegistry, type StreamEnd } from '../../src/streams/stream-registry.js';

it('ends the streams of one key with a reason, and all streams without one', () => {
  const registry = new StreamRegistry({ streams: 9, streamsPerProject: 9 });
  const ends: [string, StreamEnd | undefined][] = [];
  const open = (keyId: string) =>
    registry.add({ keyId, projectId: 'p', end: (reason) => ends.push([keyId, reason]) });
  open('one');
  open('two');
  open('one')();
  const reason = { code: 'KEY_REVOKED', message: 'gone' };
  registry.endOf('one', reason);
  expect(ends).toEqual([['one', reason]]);
  registry.endAll();
  expect(ends.slice(1)).toEqual([
    ['one', undefined],
    ['two', undefined],
  ]);
});
