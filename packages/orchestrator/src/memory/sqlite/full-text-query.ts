import { createHash } from 'node:crypto';
import { stopWords } from '../../planning/offline/stop-words.js';

const maxTerms = 32;

/** The words of a text: letters and digits alone, so nothing of FTS5's own language gets through. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)];
}

/** An FTS5 query for passages that share words with a text, or nothing when there is no word to look for. */
export function anyWordQuery(text: string): string | undefined {
  const words = wordsOf(text.slice(0, 8_000)).filter((word) => !stopWords.has(word));
  if (words.length === 0) return undefined;
  return words
    .slice(0, maxTerms)
    .map((word) => `"${word}"`)
    .join(' OR ');
}

/** An FTS5 query for passages that have words beginning with each of a search's words. */
export function everyWordQuery(search: string): string | undefined {
  const words = wordsOf(search.slice(0, 1_000)).slice(0, maxTerms);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"*`).join(' AND ');
}

/** The word under which the passages of a project or an organization stand in the index. */
export function tenantTerm(kind: 'project' | 'organization', id: string): string {
  return `${kind}${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
