const SUFFIX_RANGE = 36 ** 5;

/**
 * Makes the token of a new writer: unlike every token before it, also those of logs that were lost. It need not be
 * secret. Event ids begin with it, so it holds digits and lower-case letters only.
 */
export function createEpoch(): string {
  const suffix = Math.floor(Math.random() * SUFFIX_RANGE);
  return Date.now().toString(36) + suffix.toString(36).padStart(5, '0');
}
