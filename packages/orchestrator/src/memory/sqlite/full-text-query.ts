import { createHash } from 'node:crypto';
import { stopWords } from '../../planning/offline/language/stop-words.js';

const maxTerms = 32;

/** The words of a text, letters and digits only, so that FTS5's query syntax cannot get through. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)];
}

/** An FTS5 query for passages that share words with a text; undefined when it has none. */
export function anyWordQuery(text: string): string | undefined {
  const words = wordsOf(text.slice(0, 8_000)).filter((word) => !stopWords.has(word));
  if (words.length === 0) return undefined;
  return words
    .slice(0, maxTerms)
    .map((word) => `"${word}"`)
    .join(' OR ');
}

/** An FTS5 query for passages with words that begin with each of a search's words. */
export function everyWordQuery(search: string): string | undefined {
  const words = wordsOf(search.slice(0, 1_000)).slice(0, maxTerms);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"*`).join(' AND ');
}

/** The word that marks the passages of a project or an organization in the index. */
export function tenantTerm(kind: 'project' | 'organization', id: string): string {
  return `${kind}${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
