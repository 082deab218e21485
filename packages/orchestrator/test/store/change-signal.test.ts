import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { ChangeSignal } from '../../src/store/change-signal.js';

it('wakes a waiter at the next change, and at once if it has missed one', async () => {
  const changes = new ChangeSignal();
  let woken = 0;
  const waiting = changes.waitSince(changes.version).then(() => (woken += 1));
  await Promise.resolve();
  expect(woken).toBe(0);
  const before = changes.version;
  changes.notify();
  await waiting;
  await changes.waitSince(before);
  expect(woken).toBe(1);
});

it('ends a wait when its signal aborts, and at once if it is already aborted', async () => {
  const changes = new ChangeSignal();
  const abort = new AbortController();
  const waiting = changes.waitSince(changes.version, abort.signal);
  abort.abort();
  await waiting;
  await changes.waitSince(changes.version, abort.signal);
});

it('removes the abort listener of a waiter that was woken', async () => {
  const changes = new ChangeSignal();
  const { signal } = new AbortController();
  let removed = 0;
  const remove = signal.removeEventListener.bind(signal);
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    removed += 1;
    remove(...given);
  };
  for (let round = 0; round < 3; round += 1) {
    const waiting = changes.waitSince(changes.version, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    changes.notify();
    await waiting;
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(removed).toBe(3);
});
