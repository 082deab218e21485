/** Ranges that match `text/event-stream`, the most specific first. */
const ranges = ['text/event-stream', 'text/*', '*/*'];

/** Whether an Accept header allows an event stream. A missing header accepts everything (RFC 9110, 12.5.1). */
export function acceptsEventStream(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  const weights = new Map(
    header.split(',').map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
      return [range, weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1))];
    }),
  );
  const match = ranges.find((range) => weights.has(range));
  return match !== undefined && weights.get(match) !== 0;
}
