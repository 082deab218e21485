const textTypes =
  /^(?:text\/[^;]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-ndjson|csv|x-sh))(?:;.*)?$/i;

/** Whether files of a MIME type contain text. */
export const isTextType = (mimeType: string): boolean => textTypes.test(mimeType);

/** The text of a file, or of its beginning; undefined if it is not UTF-8. */
export function utf8Text(bytes: Uint8Array, { isWhole = true } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    // Text in another encoding is not an error; callers say that they cannot read it.
    return undefined;
  }
}
