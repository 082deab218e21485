import { expect, it } from 'vitest';
import { Places } from '../../src/streams/places.js';

it('places are taken up to each limit, and become free when readers leave', () => {
  const places = new Places({ readersPerSession: 2, sessions: 2, waitingReaders: 1, waitingBytes: 1 });
  expect(places.take('a')).toBeUndefined();
  expect(places.take('a')).toBeUndefined();
  expect(places.take('a')).toBe('TOO_MANY_READERS');
  expect(places.take('b')).toBeUndefined();
  expect(places.take('c')).toBe('TOO_MANY_SESSIONS');
  places.leave('a');
  expect(places.take('a')).toBeUndefined();
  expect(places.take('a')).toBe('TOO_MANY_READERS');
  places.leave('b');
  expect(places.take('c')).toBeUndefined();
});
