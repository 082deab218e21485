import { randomFillSync } from 'node:crypto';

/** Makes an unguessable text of letters and digits. */
export type RandomText = (length: number) => string;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make the first letters likelier than the others. */
const usable = 256 - (256 % alphabet.length);
/** The system's source is asked for many bytes at once; each is used once. */
const pool = new Uint8Array(4096);
let used = pool.length;

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // What became part of a secret is not left lying about.
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
