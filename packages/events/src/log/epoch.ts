const SUFFIX_RANGE = 36 ** 5;

/**
 * Creates the token of a new writer, different from every earlier one, even those of lost logs. It need not be secret.
 * Event ids begin with it, so it only contains digits and lower-case letters.
 */
export function createEpoch(): string {
  const suffix = Math.floor(Math.random() * SUFFIX_RANGE);
  return Date.now().toString(36) + suffix.toString(36).padStart(5, '0');
}
