const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD, as encoders make it. */
export function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x8_00) bytes.push(0xc0 | (code >> 6), trailing(code));
    else if (code < 0x1_00_00) bytes.push(0xe0 | (code >> 12), trailing(code >> 6), trailing(code));
    else bytes.push(0xf0 | (code >> 18), trailing(code >> 12), trailing(code >> 6), trailing(code));
  }
  return bytes;
}

function trailing(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

/** A text as it stands in base64. */
export interface Base64Core {
  /** The letters that the text alone decides. */
  letters: string;
  /** The letters that may come next, because only their first bits are the text's; none if all bits are used up. */
  endings: string[];
}

/** How a text stands in base64, at each of the three places it can have in a longer encoded text. */
export function base64Cores(text: string): Base64Core[] {
  const bytes = utf8Bytes(text);
  return [0, 1, 2].map((place) => base64Core(bytes, place));
}

/** `place` bytes of another text stand before; the letters they have a part in are left out. */
function base64Core(bytes: number[], place: number): Base64Core {
  let letters = '';
  let bits = 0;
  let bitCount = 0;
  let skipped = place === 0 ? 0 : 6 - ((place * 8) % 6);
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3f_ff;
    bitCount += 8 - skipped;
    skipped = 0;
    for (; bitCount >= 6; bitCount -= 6) letters += base64Alphabet[(bits >> (bitCount - 6)) & 0x3f] ?? '';
  }
  if (bitCount === 0) return { letters, endings: [] };
  const unknownBits = 6 - bitCount;
  const first = (bits << unknownBits) & 0x3f;
  return {
    letters,
    endings: Array.from({ length: 1 << unknownBits }, (_, i) => base64Alphabet[first + i] ?? ''),
  };
}
