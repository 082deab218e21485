import { setBounded } from '../bounded-map.js';

/** The most ids of a kind that a turn remembers. */
export const MOST_REMEMBERED = 10_000;

/** Remembers a key; the ones that were remembered first are forgotten once there are too many. */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  setBounded(map, [key, value], MOST_REMEMBERED);
}
