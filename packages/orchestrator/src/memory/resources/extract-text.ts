import type { JsonObject } from '@svc/contracts';
import { isTextType, utf8Text } from '../../file-text.js';

/** The version of the extractor that made a resource's passages. */
export const EXTRACTOR_VERSION = 'text-1';

const passageLength = 1_000;
const maxPassages = 5_000;

/** The text read from a resource. */
export interface ExtractedText {
  readonly passages: readonly string[];
  readonly stats: JsonObject;
}

/** Extracts the text of a resource in passages. Other content is kept unread, and the stats say so. */
export function extractText(bytes: Uint8Array, mimeType: string): ExtractedText {
  if (!isTextType(mimeType)) return { passages: [], stats: { status: 'unsupported_format' } };
  const text = utf8Text(bytes);
  if (text === undefined) return { passages: [], stats: { status: 'not_utf8' } };
  const passages = splitPassages(text);
  const kept = passages.slice(0, maxPassages);
  const isWhole = kept.length === passages.length;
  return {
    passages: kept,
    stats: { status: isWhole ? 'extracted' : 'truncated', characters: text.length, passages: kept.length },
  };
}

/** Splits a text into pieces of about a thousand characters: at paragraphs, otherwise at lines, sentences or words. */
export function splitPassages(text: string): string[] {
  const passages: string[] = [];
  let rest = text.trim();
  while (rest.length > passageLength && passages.length <= maxPassages) {
    const window = rest.slice(0, passageLength);
    const cut = Math.max(cutAt(window), 1);
    passages.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trimStart();
  }
  return [...passages, rest].filter((passage) => passage !== '');
}

function cutAt(window: string): number {
  for (const end of ['\n\n', '\n', '. ', ' ']) {
    const at = window.lastIndexOf(end);
    if (at > window.length / 3) return at + end.length;
  }
  // There is no good place, so only avoid splitting a surrogate pair.
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}
