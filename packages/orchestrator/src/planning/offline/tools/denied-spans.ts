import type { Mentions, Span } from '../mentions/mentions.js';

const negation = String.raw`(?:without|cannot|dont|no(?!\.?\s*#?\d)|not|never|nobody|except|excluding|avoid|skip|instead of|rather than|\p{L}+n['’]t)`;
/** "No more than 5" and "not before Friday" limit what is wanted, "do not forget" asks for it. */
const affirmed = String.raw`\s+(?:more|less|fewer|later|earlier|older|newer|longer|before|after|forget)\b`;
/** A stop inside a number, a file name or an address does not end what is denied. */
const denied = String.raw`(?:[^,.;:!?\n]|[,.:;!?](?=\S))*?`;

const pattern = new RegExp(
  String.raw`(?<![\p{L}\d])${negation}(?![\p{L}\d])(?!${affirmed})${denied}(?=[,.;:!?](?:\s|$)|\n|\bbut\b|\band\b|$)`,
  'giu',
);

/** The parts of a text that a negation denies. One inside a quotation is material. */
export function deniedSpans(text: string, { all }: Mentions): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  })).filter(
    ({ start }) => !all.some((each) => each.kind === 'quoted' && each.start <= start && start < each.end),
  );
}
