/** A JSON object or list in a text. */
export interface JsonMention {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const maxJsonLength = 4000;
/** The maximum number of opening brackets tried. A text with more of them is not a request. */
const maxStarts = 40;

/** The end of the bracketed piece that starts at `start`, or -1. Brackets in strings do not count. */
function closingBracket(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < Math.min(text.length, start + maxJsonLength); index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Brackets in prose are not JSON.
    return false;
  }
}

/** Finds JSON objects and lists that a user pasted into a text. */
export function jsonMentions(text: string): JsonMention[] {
  const found: JsonMention[] = [];
  let starts = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] !== '{' && text[index] !== '[') continue;
    starts += 1;
    if (starts > maxStarts) break;
    const end = closingBracket(text, index);
    const value = end < 0 ? '' : text.slice(index, end);
    if (value.length < 3 || !isJson(value)) continue;
    found.push({ start: index, end, value });
    index = end - 1;
  }
  return found;
}
