import { ConfigurationError } from './errors.js';

/** The IANA time zone as given, or a configuration error naming where it came from. */
export function parseTimezone(value: string, origin: string): string {
  if (isTimezone(value)) return value;
  throw new ConfigurationError(
    `${origin} is '${value}', which is no IANA time zone such as 'Europe/Berlin'.`,
    {
      code: 'CONFIG_INVALID_TIMEZONE',
      details: { origin, value },
    },
  );
}

/** Whether this computer knows a time zone of that name. */
export function isTimezone(value: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    // That it throws is how Intl says no.
    return false;
  }
}

/** The time zone this process runs in. */
export function detectTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
