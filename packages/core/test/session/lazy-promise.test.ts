import { describe, expect, it, vi } from 'vitest';
import { LazyPromise } from '../../src/session/lazy-promise.js';

/** Returns a lazy promise of work that runs once, and the mock that starts it. */
function lazy<T>(work: () => Promise<T>) {
  let started: Promise<T> | undefined;
  const start = vi.fn(() => (started ??= work()));
  return { promise: new LazyPromise(start), start };
}

describe('a lazy promise', () => {
  it('is a Promise whose work starts when it is first awaited', async () => {
    const { promise, start } = lazy(async () => 'done');
    expect(promise).toBeInstanceOf(Promise);
    expect(start).not.toHaveBeenCalled();
    expect(await promise).toBe('done');
  });

  it.each<[string, (promise: Promise<string>) => Promise<unknown>, unknown]>([
    ['then', async (promise) => promise.then((text) => text.length), 4],
    ['catch', async (promise) => promise.catch(() => 'caught'), 'done'],
    ['finally', async (promise) => promise.finally(() => undefined), 'done'],
    ['Promise.all', async (promise) => Promise.all([promise, promise]), ['done', 'done']],
    ['Promise.race', async (promise) => Promise.race([promise, new Promise(() => undefined)]), 'done'],
    ['Promise.resolve', async (promise) => Promise.resolve(promise), 'done'],
    ['an async function that returns it', async (promise) => promise, 'done'],
  ])('is awaited by %s', async (_name, use, expected) => {
    const { promise } = lazy(async () => 'done');
    expect(await use(promise)).toEqual(expected);
  });

  it('rejects for everyone who awaits it if its work fails', async () => {
    const { promise } = lazy(async () => Promise.reject(new Error('broke')));
    await expect(promise).rejects.toThrow('broke');
    expect(await promise.catch((error: unknown) => String(error))).toBe('Error: broke');
  });

  it('throws when Promise.prototype.then is called on it directly, instead of never settling', async () => {
    const { promise, start } = lazy(async () => 'done');
    expect(() => Promise.prototype.then.call(promise, () => {})).toThrow(TypeError);
    expect(start).not.toHaveBeenCalled();
  });
});
