import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogPage } from '../../src/log/log-page.js';
import { PollingFollowers } from '../../src/log/polling-followers.js';

it('rejects the pending read of a follower when the log can no longer be read', async () => {
  let isLost = false;
  const failure = new Error('the disk is gone');
  const unlessLost = <Value>(value: Value): Value => {
    if (isLost) throw failure;
    return value;
  };
  const followers = new PollingFollowers({
    everyMs: 1,
    read: () => unlessLost({ page: undefined, session: undefined }),
    version: () => unlessLost(1),
  });
  const next = followers.follow('s', { afterSeq: 0 }).next();
  isLost = true;
  await expect(next).rejects.toBe(failure);
  followers.close();
});

it('leaves nothing behind when the log cannot be read at first', async () => {
  const failure = new Error('the disk is gone');
  const fail = () => {
    throw failure;
  };
  const followers = new PollingFollowers({ everyMs: 1, read: fail, version: fail });
  const { signal } = new AbortController();
  await expect(followers.follow('s', { afterSeq: 0, signal }).next()).rejects.toBe(failure);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  followers.close();
});

it.each([
  ['continues when its writer is no longer among those listed', { epoch: 'z', fromSeq: 2 }, 2, [2]],
  ['ends when another writer wrote the entries it has read', { epoch: 'z', fromSeq: 1 }, 2, []],
  ['ends when the entries it has read no longer exist', { epoch: 'a', fromSeq: 1 }, 0, []],
])('a follower %s', async (_, start, headSeq, rest) => {
  const page = (seq: number) => createLogPage([{ seq, kind: 'event', frames: `data: ${seq}\n\n` }]);
  let session = { epochs: [{ epoch: 'a', fromSeq: 1 }], headSeq: 1 };
  const followers = new PollingFollowers({
    everyMs: 1000,
    read: (_session, after) => ({ page: after < session.headSeq ? page(after + 1) : undefined, session }),
    version: () => 1,
  });
  const pages = followers.follow('s', { afterSeq: 0 });
  expect((await pages.next()).value?.firstSeq).toBe(1);
  session = { epochs: [start], headSeq };
  const found: number[] = [];
  for await (const { firstSeq } of pages) {
    found.push(firstSeq);
    followers.close();
  }
  expect(found).toEqual(rest);
});

describe('the poll for entries of other processes', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());
  const page = createLogPage([{ seq: 1, kind: 'event', frames: 'data: 1\n\n' }]);
  const session = { epochs: [{ epoch: 'a', fromSeq: 1 }], headSeq: 1 };

  it('uses one timer for all followers, and stops with the last of them', async () => {
    const followers = new PollingFollowers({
      everyMs: 10,
      read: () => ({ page, session }),
      version: () => 1,
    });
    const [first, second] = [followers.follow('a', { afterSeq: 0 }), followers.follow('b', { afterSeq: 0 })];
    await first.next();
    await second.next();
    expect(vi.getTimerCount()).toBe(1);
    await first.return();
    expect(vi.getTimerCount()).toBe(1);
    await second.return();
    expect(vi.getTimerCount()).toBe(0);
    await followers.follow('a', { afterSeq: 0 }).next();
    expect(vi.getTimerCount()).toBe(1);
    // That follower is still processing its page and notices the close only when it asks for the next one.
    followers.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reads the log only when its version has changed', async () => {
    let version = 1;
    let reads = 0;
    const read = () => {
      reads += 1;
      return { page: undefined, session: undefined };
    };
    const followers = new PollingFollowers({ everyMs: 10, read, version: () => version });
    const next = followers.follow('s', { afterSeq: 0 }).next();
    await vi.advanceTimersByTimeAsync(50);
    expect(reads).toBe(1);
    version += 1;
    await vi.advanceTimersByTimeAsync(50);
    expect(reads).toBe(2);
    followers.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
