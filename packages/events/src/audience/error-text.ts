const PRIVATE_DATA_REPORT = 'llm payload contains private data values';
const WRAPPER = 'agent execution failed';
const GENERIC_ERROR = 'An internal error occurred. Please try again.';

/** Paths, and names of modules: ours, the original's and Python's. */
const internalTraces = [
  '/',
  '\\\\',
  '.md',
  'svc_',
  'maivn_',
  'importlib',
  'langgraph',
  'traceback',
  'file "',
] as const;
const drivePath = /[a-z]:\\/;

/** Returns what a user may see of an error's text: a text with internal details becomes a general sentence. */
export function safeErrorText(errorText: string): string {
  let text = errorText.trim();
  if (text === '') return errorText;
  let lower = text.toLowerCase();
  while (lower.startsWith(WRAPPER) && !lower.includes(PRIVATE_DATA_REPORT)) {
    const colon = text.indexOf(':');
    const reason = colon < 0 ? '' : text.slice(colon + 1).trim();
    if (reason === '') break;
    text = reason;
    lower = text.toLowerCase();
  }
  if (lower.includes(PRIVATE_DATA_REPORT)) return text;
  const isInternal = internalTraces.some((trace) => lower.includes(trace)) || drivePath.test(lower);
  return isInternal ? GENERIC_ERROR : text;
}

/** Does the same for a field of any type: an object, such as a thrown error, counts as internal. */
export function safeErrorValue(value: unknown): unknown {
  if (typeof value === 'string') return safeErrorText(value);
  return typeof value === 'object' && value !== null ? GENERIC_ERROR : value;
}
