/** Cuts a text to a maximum number of characters, without splitting a surrogate pair, such as an emoji. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.length < text.length ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}
