import type { ContentWord } from '../language/words.js';
import type { Mentions, Span } from '../mentions/mentions.js';

/** A part of the request, as tools are scored for it. */
export interface ScoredText {
  readonly text: string;
  readonly words: readonly ContentWord[];
  /** Words that occur only after a negation. */
  readonly unwanted: readonly ContentWord[];
  /** The negations, each with what it denies. */
  readonly denied: readonly Span[];
  readonly mentions: Mentions;
}
