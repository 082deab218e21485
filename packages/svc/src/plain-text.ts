// eslint-disable-next-line no-control-regex -- control characters are what it is for
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that a terminal shows and does not obey: control characters but for tabs and line breaks, the ones above ASCII
 * included, and those that turn the direction of writing are escaped as in JSON. JSON stays the same JSON.
 */
export function plainText(text: string): string {
  return text.replaceAll(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
