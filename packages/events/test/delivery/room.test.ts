import { expect, it } from 'vitest';
import { Room } from '../../src/delivery/room.js';

it('a producer waits until the slowest reader has advanced far enough or has left', async () => {
  const room = new Room();
  const [slow, slower] = [{ afterSeq: 0 }, { afterSeq: 0 }];
  room.enter(slow);
  room.enter(slower);
  expect(room.wait(2, 2)).toBeUndefined();
  const released: number[] = [];
  const waiting = [3, 4].map((seq) => room.wait(seq, 2)?.then(() => released.push(seq)));
  slow.afterSeq = 4;
  room.changed();
  await Promise.resolve();
  expect(released).toEqual([]);
  slower.afterSeq = 1;
  room.changed();
  await waiting[0];
  expect(released).toEqual([3]);
  room.leave(slower);
  await waiting[1];
  expect(room.size).toBe(1);
});

it('releases all waiting producers at once, and lets later ones wait again', async () => {
  const room = new Room();
  room.enter({ afterSeq: 0 });
  const waiting = room.wait(3, 2);
  room.release();
  await waiting;
  expect(room.wait(4, 2)).toBeInstanceOf(Promise);
});
