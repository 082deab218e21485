const base64Alphabet = Uint8Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  (letter) => letter.charCodeAt(0),
);
/** Every runtime has it, but the build includes no platform's types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const utf8 = new TextEncoder();

/** A text in base64. */
export interface Base64Core {
  /** The letters that depend on this text alone. */
  letters: Uint8Array;
  /** The letters that may follow, of which only the first bits are the text's; empty if no bits are left over. */
  endings: number[];
}

/** Returns a text in base64, at each of the three byte offsets it can have in a longer encoded text. */
export function base64Cores(text: string): Base64Core[] {
  const bytes = utf8.encode(text);
  return [0, 1, 2].map((offset) => base64Core(bytes, offset));
}

/** Returns bytes in base64, without padding. */
export function base64Letters(bytes: Uint8Array): string {
  const { letters, endings } = base64Core(bytes, 0);
  return Array.from([...letters, ...endings.slice(0, 1)], (letter) => String.fromCharCode(letter)).join('');
}

/** `offset` bytes of another text come before; the letters that contain bits of them are left out. */
function base64Core(bytes: Uint8Array, offset: number): Base64Core {
  const letters = new Uint8Array(Math.ceil((bytes.length * 8) / 6));
  let count = 0;
  let bits = 0;
  let bitCount = 0;
  let skipped = offset === 0 ? 0 : 6 - ((offset * 8) % 6);
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3f_ff;
    bitCount += 8 - skipped;
    skipped = 0;
    for (; bitCount >= 6; bitCount -= 6) {
      letters[count] = base64Alphabet[(bits >> (bitCount - 6)) & 0x3f] ?? 0;
      count += 1;
    }
  }
  const unknownBits = bitCount === 0 ? 0 : 6 - bitCount;
  const first = (bits << unknownBits) & 0x3f;
  const endings =
    unknownBits === 0 ? [] : Array.from(base64Alphabet.subarray(first, first + (1 << unknownBits)));
  return { letters: letters.subarray(0, count), endings };
}
