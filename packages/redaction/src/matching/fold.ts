const SPACE = 0x20;
const PLUS = 0x2b;
const ASCII_SIZE = 128;

const asciiFold = Uint16Array.from({ length: ASCII_SIZE }, (_, code) => {
  if (code === PLUS) return SPACE;
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
});

/**
 * Returns the letter that this one is compared as: lower case, and a space for a plus (which encodes it in HTML forms).
 * Folding never changes a text's length, so positions in a folded text are positions in the text.
 */
export function foldUnit(code: number): number {
  return code < ASCII_SIZE ? (asciiFold[code] ?? code) : foldWide(code);
}

/** Returns every letter that {@link foldUnit} folds to this one. */
export function unfoldUnit(folded: number): number[] {
  if (folded === SPACE) return [SPACE, PLUS];
  const upper = String.fromCharCode(folded).toUpperCase();
  if (upper.length !== 1) return [folded];
  const code = upper.charCodeAt(0);
  return code !== folded && foldUnit(code) === folded ? [folded, code] : [folded];
}

/** Only letters with one lower-case and one upper-case form are folded, so that {@link unfoldUnit} is the inverse. */
function foldWide(code: number): number {
  const letter = String.fromCharCode(code);
  const lower = letter.toLowerCase();
  if (lower === letter || lower.length !== 1 || lower.toUpperCase() !== letter) return code;
  return lower.charCodeAt(0);
}

/** Folds both base64 alphabets to one: `-` and `_` of the URL alphabet become `+` and `/`. */
export function foldBase64(code: number): number {
  if (code === 0x2d) return PLUS;
  return code === 0x5f ? 0x2f : code;
}

/** Returns every letter that {@link foldBase64} folds to this one. */
export function unfoldBase64(folded: number): number[] {
  if (folded === PLUS) return [PLUS, 0x2d];
  return folded === 0x2f ? [0x2f, 0x5f] : [folded];
}

/** Returns one of 128 classes, the same for letters that either folding makes equal. For tables that rule texts out. */
export function coarseClass(code: number): number {
  return coarseClasses[code < ASCII_SIZE ? code : 0] ?? 0;
}

const coarseClasses = Uint8Array.from({ length: ASCII_SIZE }, (_, code) => foldUnit(foldBase64(code)));
