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

/** What joins the items of a list. */
const joint = /^\s*(?:,\s*(?:and\s+|or\s+)?|\s(?:and|or|nor)\s+)$/i;

/** The end of a list whose first items end at `end`: "not A-1 and A-2" denies both. */
function endOfList(end: number, text: string, { all }: Mentions): number {
  if (!all.some((each) => each.end === end)) return end;
  let last = end;
  for (const each of all.filter(({ start }) => start > end)) {
    if (!joint.test(text.slice(last, each.start))) break;
    last = each.end;
  }
  return last;
}

/** The parts of a text that a negation denies. One inside a quotation is material. */
export function deniedSpans(text: string, mentions: Mentions): Span[] {
  const isQuoted = (at: number) =>
    mentions.all.some((each) => each.kind === 'quoted' && each.start <= at && at < each.end);
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: index,
    end: endOfList(index + found.trimEnd().length, text, mentions),
  })).filter(({ start }) => !isQuoted(start));
}
