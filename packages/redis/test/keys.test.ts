import { expect, it } from 'vitest';
import { sessionKeys } from '../src/keys.js';

it.each([
  ['s1', 's1'],
  ['a}b {c', 'a%7Db%20%7Bc'],
  ['\ud800', '%EF%BF%BD'],
])('gives the keys of session %j one hash tag, and its channel the key prefix of the client', (id, tag) => {
  expect(sessionKeys('svc:', { keyPrefix: 'app:', db: 0 })(id)).toEqual({
    state: `svc:{${tag}}:state`,
    stream: `svc:{${tag}}:events`,
    channel: `app:svc:{${tag}}:news`,
  });
});

it('adds the number of a database other than 0 to channel names, because databases share channels', () => {
  const channels = [{}, { db: 0 }, { db: 3 }].map((client) => sessionKeys('svc:', client)('s1').channel);
  expect(channels).toEqual(['svc:{s1}:news', 'svc:{s1}:news', 'svc:{s1}:news:3']);
});
