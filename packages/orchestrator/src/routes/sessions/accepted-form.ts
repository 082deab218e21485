/** The forms of a session's events; the first is for clients that accept both. */
const forms = { sse: 'text/event-stream', json: 'application/json' } as const;

/**
 * The form that an Accept header prefers; undefined when it refuses both. No header accepts everything (RFC 9110,
 * 12.5.1).
 */
export function acceptedForm(header: string | undefined): keyof typeof forms | undefined {
  const weights = new Map((header?.trim() || '*/*').split(',').map(weightedRange));
  const [sse, json] = [weightOf(forms.sse, weights), weightOf(forms.json, weights)];
  if (Math.max(sse, json) <= 0) return undefined;
  return sse >= json ? 'sse' : 'json';
}

/** The weight of the most specific range that includes a type. */
function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const [group] = type.split('/');
  return weights.get(type) ?? weights.get(`${group}/*`) ?? weights.get('*/*') ?? 0;
}

function weightedRange(entry: string): [range: string, weight: number] {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [range, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
