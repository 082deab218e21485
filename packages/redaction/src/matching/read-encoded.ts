/** The characters that start an encoded one: `\` in JSON and `%` in URLs. */
export const BACKSLASH = 0x5c;
export const PERCENT = 0x25;

/** The longest run of (escaped) backslashes that is read as one escape, in characters: three levels of JSON and more. */
export const LONGEST_ESCAPE_RUN = 32;
/** The most characters that one encoded UTF-16 unit takes. */
export const LONGEST_ENCODED_UNIT = LONGEST_ESCAPE_RUN + 5;
/** How often a `%` may itself have been encoded: `%41`, `%2541`, `%252541`. */
const PERCENT_LEVELS = 3;

/** What a letter means after a backslash. */
export const escapeLetters: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', "'": "'", '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
);

/** Receives one reading of the text: the code point meant, and the position after it. */
export type ReadingSink = (codePoint: number, next: number) => void;

/**
 * Reads the character at a `\` or `%` in every way it can be meant: as itself, JSON-escaped (also repeatedly) or
 * percent-encoded (also repeatedly). Returns whether the text ends before one of the readings does.
 */
export function readEncoded(text: string, at: number, sink: ReadingSink): boolean {
  if (text.charCodeAt(at) === BACKSLASH) return readEscape(text, at, sink);
  sink(PERCENT, at + 1);
  let isCut = false;
  for (let level = 0; level < PERCENT_LEVELS; level += 1) {
    const decoded = decodePercent(text, at, level);
    if (decoded === 'cut') isCut = true;
    else if (decoded?.codePoint === BACKSLASH) isCut = readEscape(text, at, sink) || isCut;
    else if (decoded) sink(decoded.codePoint, decoded.next);
  }
  return isCut;
}

/** Reads a run of backslashes, raw or percent-encoded, and the letter it escapes. A run counts as one backslash. */
function readEscape(text: string, start: number, sink: ReadingSink): boolean {
  let at = start;
  let last = start;
  let isCut = false;
  while (at < text.length && at - start <= LONGEST_ESCAPE_RUN) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      last = at;
      at += 1;
      continue;
    }
    if (code !== PERCENT) break;
    if (at > start) sink(BACKSLASH, at);
    const decoded = decodeAnyLevel(text, at, BACKSLASH);
    if (decoded === 'cut') isCut = true;
    if (decoded === 'cut' || decoded === undefined) break;
    last = at;
    at = decoded;
  }
  if (at - start > LONGEST_ESCAPE_RUN) return false;
  sink(BACKSLASH, at);
  // The run may be a backslash and, with its last one, the escape of the letter after it.
  if (last > start) sink(BACKSLASH, last);
  if (at >= text.length) return true;
  return readEscapedLetter(text, at, sink) || isCut;
}

function readEscapedLetter(text: string, at: number, sink: ReadingSink): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x75) return readHexEscape(text, at + 1, 4, sink);
  if (code === 0x78) return readHexEscape(text, at + 1, 2, sink);
  const meant = escapeLetters.get(code);
  if (meant !== undefined) {
    sink(meant, at + 1);
    return false;
  }
  if (code !== PERCENT) return false;
  let isCut = false;
  for (let level = 0; level < PERCENT_LEVELS; level += 1) {
    const decoded = decodePercent(text, at, level);
    if (decoded === 'cut') isCut = true;
    else if (decoded) {
      const letter = escapeLetters.get(decoded.codePoint);
      if (letter !== undefined) sink(letter, decoded.next);
    }
  }
  return isCut;
}

function readHexEscape(text: string, at: number, digits: number, sink: ReadingSink): boolean {
  let code = 0;
  for (let i = 0; i < digits; i += 1) {
    if (at + i >= text.length) return true;
    const digit = hexDigit(text.charCodeAt(at + i));
    if (digit < 0) return false;
    code = code * 16 + digit;
  }
  sink(code, at + digits);
  return false;
}

function decodeAnyLevel(text: string, at: number, wanted: number): number | 'cut' | undefined {
  let isCut = false;
  for (let level = 0; level < PERCENT_LEVELS; level += 1) {
    const decoded = decodePercent(text, at, level);
    if (decoded === 'cut') isCut = true;
    else if (decoded?.codePoint === wanted) return decoded.next;
  }
  return isCut ? 'cut' : undefined;
}

interface Decoded {
  codePoint: number;
  next: number;
}

/** Decodes one percent-encoded UTF-8 character whose every `%` was encoded `level` times more. */
function decodePercent(text: string, at: number, level: number): Decoded | 'cut' | undefined {
  const first = decodeByte(text, at, level);
  if (first === CUT) return 'cut';
  const following = first < 0 ? -1 : followingBytes(first);
  if (following < 0) return undefined;
  const width = 3 + 2 * level;
  let codePoint = following === 0 ? first : first & (0x3f >> following);
  for (let i = 1; i <= following; i += 1) {
    const byte = decodeByte(text, at + i * width, level);
    if (byte === CUT) return 'cut';
    if (byte < 0 || byte >> 6 !== 2) return undefined;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  return { codePoint, next: at + (following + 1) * width };
}

const CUT = -2;

/** The byte of `%XX` (level 0) or `%25XX` (level 1) and so on; -1 if there is none, `CUT` if the text ends in it. */
function decodeByte(text: string, at: number, level: number): number {
  let next = at;
  if (next >= text.length) return CUT;
  if (text.charCodeAt(next) !== PERCENT) return -1;
  next += 1;
  for (let i = 0; i < level * 2; i += 1) {
    if (next >= text.length) return CUT;
    if (text.charCodeAt(next) !== (i % 2 === 0 ? 0x32 : 0x35)) return -1;
    next += 1;
  }
  if (next >= text.length) return CUT;
  const high = hexDigit(text.charCodeAt(next));
  if (high < 0) return -1;
  if (next + 1 >= text.length) return CUT;
  const low = hexDigit(text.charCodeAt(next + 1));
  return low < 0 ? -1 : high * 16 + low;
}

/** How many bytes follow the first one of a UTF-8 character; -1 if it cannot be a first one. */
function followingBytes(first: number): number {
  if (first < 0x80) return 0;
  if (first < 0xc2 || first > 0xf4) return -1;
  if (first < 0xe0) return 1;
  return first < 0xf0 ? 2 : 3;
}

/** The value of a hexadecimal digit; -1 if it is not one. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
