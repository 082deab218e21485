/**
 * The beginning of a text, at most `maxLength` characters, without splitting a surrogate pair such as an emoji: half of
 * one is not valid text.
 */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.length < text.length ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}
