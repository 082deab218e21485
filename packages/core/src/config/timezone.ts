import { ConfigurationError } from './errors.js';

/** Returns the IANA time zone unchanged; an unknown one is a configuration error that names its origin. */
export function parseTimezone(value: string, origin: string): string {
  if (isTimezone(value)) return value;
  throw new ConfigurationError(
    `${origin} must be an IANA time zone such as 'Europe/Berlin', got '${value}'.`,
    {
      code: 'CONFIG_INVALID_TIMEZONE',
      details: { origin, value },
    },
  );
}

/** Whether this Node.js knows a time zone with that name. */
export function isTimezone(value: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    // Intl throws for a time zone that it does not know.
    return false;
  }
}

/** Returns the time zone of this process, or UTC if Node.js cannot tell it, as with an empty or invalid `TZ`. */
export function detectTimezone(): string {
  // For an empty `TZ`, Node.js names a time zone that it does not accept itself.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isTimezone(timeZone) ? timeZone : 'UTC';
}
