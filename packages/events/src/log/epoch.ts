/** Where an epoch's uniqueness comes from. */
export interface EpochSource {
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** A number from 0 to less than 1. @default Math.random */
  random?: () => number;
}

const SUFFIX_RANGE = 36 ** 5;

/**
 * Makes the token of a new writer: unlike every token before it, also those of logs that were lost. It need not be
 * secret. Event ids begin with it, so it holds digits and lower-case letters only.
 */
export function createEpoch({ now = Date.now, random = Math.random }: EpochSource = {}): string {
  const suffix = Math.floor(random() * SUFFIX_RANGE);
  return now().toString(36) + suffix.toString(36).padStart(5, '0');
}
