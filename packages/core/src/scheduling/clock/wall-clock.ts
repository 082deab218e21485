import { putLatest } from '../../put-latest.js';

/** How many formats are cached, of 36 KB each: a time zone may be spelt in any case, and come from a user. */
const MAX_CACHED_FORMATS = 256;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far the wall clock of a time zone is ahead of UTC at a moment, in milliseconds. */
export function utcOffsetMs(timezone: string, momentMs: number): number {
  if (timezone === 'UTC') return 0;
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
    putLatest(formats, [timezone, format], MAX_CACHED_FORMATS);
  }
  const name = format.formatToParts(momentMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match ?? [];
  const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offsetMs : offsetMs;
}

/** Returns the nearest moment on a grid of the wall clock, within bounds; undefined if there is none. */
export function alignToWallClock(
  momentMs: number,
  grid: { alignMs: number; timezone: string; minMs: number; maxMs: number },
): number | undefined {
  const offsetMs = utcOffsetMs(grid.timezone, momentMs);
  const { alignMs } = grid;
  const first = Math.ceil((grid.minMs + offsetMs) / alignMs) * alignMs - offsetMs;
  const last = Math.floor((grid.maxMs + offsetMs) / alignMs) * alignMs - offsetMs;
  if (first > last) return undefined;
  const nearest = Math.round((momentMs + offsetMs) / alignMs) * alignMs - offsetMs;
  return Math.min(last, Math.max(first, nearest));
}
