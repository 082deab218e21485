/**
 * Returns a generator of numbers from 0 up to 1 that are the same for the same seed. Good enough for jitter, not for
 * secrets.
 */
export function createSeededRandom(seed: string): () => number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
  let state = mix(hash);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 4_294_967_296;
  };
}

/** Spreads every bit of a number over all 32 (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
