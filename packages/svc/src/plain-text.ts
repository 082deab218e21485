// eslint-disable-next-line no-control-regex -- it looks for control characters
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes, as in JSON, what a terminal would act on: control characters other than tabs and line breaks, including those
 * above ASCII, and characters that change the writing direction. The value of JSON does not change.
 */
export function plainText(text: string): string {
  return text.replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
