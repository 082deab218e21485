/** The beginning of a text, of at most so many characters. A sign of two halves, such as an emoji, is not cut in two: half of one is no valid text. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.length < text.length ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}
