import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/session/event-queue.js';

const event = (n: number) => ({ name: 'x', payload: { n } });

/** Whether a promise is settled by the next turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (
    (await Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve(pending)))])) !==
    pending
  );
}

describe('an event queue', () => {
  it('delivers events to its reader in order', async () => {
    const queue = new EventQueue();
    queue.attend();
    await queue.push(event(1));
    const next = queue.next();
    void queue.push(event(2));
    queue.close();
    expect([await next, await queue.next(), await queue.next()]).toEqual([event(1), event(2), undefined]);
  });

  it('wakes a waiting reader', async () => {
    const queue = new EventQueue();
    queue.attend();
    const next = queue.next();
    expect(await isSettled(next)).toBe(false);
    void queue.push(event(1));
    expect(await next).toEqual(event(1));
  });

  it('gives waiting calls of next() one event each, in order, and ends all the others', async () => {
    const queue = new EventQueue();
    queue.attend();
    const waiting = [queue.next(), queue.next(), queue.next(), queue.next()];
    for (const n of [1, 2]) await queue.push(event(n));
    queue.close();
    expect(await Promise.all(waiting)).toEqual([event(1), event(2), undefined, undefined]);
  });

  it('rejects all waiting calls of next() on an error', async () => {
    const queue = new EventQueue();
    queue.attend();
    const waiting = [queue.next(), queue.next()];
    queue.close({ error: new Error('it broke') });
    for (const next of waiting) await expect(next).rejects.toThrow('it broke');
  });

  it('drops events while there is no reader', async () => {
    const queue = new EventQueue();
    for (let n = 0; n < 5000; n += 1) await queue.push(event(n));
    queue.attend();
    queue.close();
    expect(await queue.next()).toBeUndefined();
  });

  it('makes the writer wait while the reader is far behind, and loses nothing', async () => {
    const queue = new EventQueue();
    queue.attend();
    const pushes = Array.from({ length: 1025 }, async (_item, n) => queue.push(event(n)));
    const last = pushes.at(-1) ?? Promise.resolve();
    expect(await isSettled(last)).toBe(false);
    for (let n = 0; n < 600; n += 1) expect(await queue.next()).toEqual(event(n));
    expect(await isSettled(last)).toBe(true);
  });

  it('does not make writers wait after stopWaiting(), and still loses nothing', async () => {
    const queue = new EventQueue();
    queue.attend();
    const writing = Promise.all(Array.from({ length: 2000 }, async (_item, n) => queue.push(event(n))));
    queue.stopWaiting();
    await writing;
    await queue.push(event(2000));
    for (let n = 0; n <= 2000; n += 1) expect(await queue.next()).toEqual(event(n));
  });

  it('does not make writers wait for a reader that has left', async () => {
    const queue = new EventQueue();
    queue.attend();
    const pushes = Array.from({ length: 1100 }, async (_item, n) => queue.push(event(n)));
    queue.detach();
    await Promise.all(pushes);
  });

  it('does not make writers wait once it is closed', async () => {
    const queue = new EventQueue();
    queue.attend();
    const pushes = Array.from({ length: 1100 }, async (_item, n) => queue.push(event(n)));
    queue.close();
    await Promise.all(pushes);
    for (let n = 0; n < 1100; n += 1) expect(await queue.next()).toEqual(event(n));
    expect(await queue.next()).toBeUndefined();
  });

  it('rejects its reader only after the events that are still queued', async () => {
    const queue = new EventQueue();
    queue.attend();
    void queue.push(event(1));
    queue.close({ error: new Error('lost') });
    expect(await queue.next()).toEqual(event(1));
    await expect(queue.next()).rejects.toThrow('lost');
  });
});
