import { randomFillSync } from 'node:crypto';

/** Returns an unguessable string of letters and digits. */
export type RandomText = (length: number) => string;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on are skipped, because they would make the first letters more likely. */
const usable = 256 - (256 % alphabet.length);
/** Random bytes are fetched in bulk; each is used once. */
const pool = new Uint8Array(4096);
let used = pool.length;

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // Used bytes may be part of a secret, so they are cleared.
  pool[used] = 0;
  used += 1;
  return byte;
}

/** From the system's random source; about 6 bits per character. */
export const randomText: RandomText = (length) => {
  let text = '';
  while (text.length < length) {
    const byte = nextByte();
    if (byte < usable) text += alphabet[byte % alphabet.length];
  }
  return text;
};
