import { expect, it } from 'vitest';
import { sessionKeys } from '../src/keys.js';

it.each([
  ['s1', 's1'],
  ['a}b {c', 'a%7Db%20%7Bc'],
  ['\ud800', '%EF%BF%BD'],
])('the keys of the session %j share a hash tag, and its channel has the prefix of the client', (id, tag) => {
  expect(sessionKeys('svc:', { keyPrefix: 'app:', db: 0 })(id)).toEqual({
    state: `svc:{${tag}}:state`,
    stream: `svc:{${tag}}:events`,
    channel: `app:svc:{${tag}}:news`,
  });
});

it('a channel is told from that of another database, which channels know nothing of', () => {
  const channels = [{}, { db: 0 }, { db: 3 }].map((client) => sessionKeys('svc:', client)('s1').channel);
  expect(channels).toEqual(['svc:{s1}:news', 'svc:{s1}:news', 'svc:{s1}:news:3']);
});
