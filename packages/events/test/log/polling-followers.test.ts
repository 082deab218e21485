import { expect, it } from 'vitest';
import { PollingFollowers } from '../../src/log/polling-followers.js';

it('a look that fails is told to who follows, and ends nothing else', async () => {
  let isLost = false;
  const failure = new Error('the disk is gone');
  const unlessLost = <Value>(value: Value): Value => {
    if (isLost) throw failure;
    return value;
  };
  const followers = new PollingFollowers({
    everyMs: 1,
    read: () => unlessLost(undefined),
    version: () => unlessLost(1),
  });
  const next = followers.follow('s', { afterSeq: 0 }).next();
  isLost = true;
  await expect(next).rejects.toBe(failure);
  followers.close();
});
