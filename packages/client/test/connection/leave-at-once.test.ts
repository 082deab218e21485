import { expect, it } from 'vitest';
import { leaveAtOnce } from '../../src/connection/leave-at-once.js';

it('closes before it ends the pull under way, and the generator ends as by itself', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  async function* run() {
    try {
      yield 1;
      await promise;
    } finally {
      seen.push('ended');
    }
  }
  const events = leaveAtOnce(run(), () => {
    seen.push('closed');
    resolve();
  });
  await events.next();
  const pulls = [events.next(), events.return(undefined), events.next()];
  expect(await Promise.all(pulls)).toEqual(pulls.map(() => ({ done: true, value: undefined })));
  expect(seen).toEqual(['closed', 'ended']);
});
