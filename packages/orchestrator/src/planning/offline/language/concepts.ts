import { stemmer } from 'stemmer';

/**
 * Words that people use for the same thing, one group per line, the name of the concept first. A word may be in several
 * groups. Words are compared by their stems, so one form of each is enough.
 */
const groups = `
search: search find lookup locate grep seek query mention mentioned occurrence occurrences contain contains containing reference references defined definition usage
list: list ls enumerate catalog overview inventory
show: show display view print open
read: read contents content say says text show open view display print cat
count: count howmany number total amount tally quantity
large: largest biggest large big huge heaviest longest size bulky
small: smallest tiniest small shortest
most: most top frequently often frequent hottest hotspots
change: changed change modified modify edited edit touched updated altered churn hot hotspots
history: history log commit changed modified touched revision
commit: commit commits committed contributed
recent: latest recent recently newest last
person: who author user person people owner assignee contributor committer whom whose
time: when date time day
place: where location place address
write: write save store persist export output
create: create add new make generate produce build register open
report: report document writeup
summary: summary summarize summarise overview measure measurement outline digest statistics stats
draft: draft prepare compose
sign: sign signed signature
delete: delete remove erase drop purge destroy
update: update change set modify edit adjust
send: send mail email deliver notify message post
file: file document
folder: folder directory dir subfolder repository repo project package
line: line loc
code: code source
price: price cost fee charge
charge: charge bill debit pay payment invoice
order: order purchase
customer: customer client buyer shopper
fetch: fetch retrieve load obtain lookup read
weather: weather forecast temperature rain sunny
translate: translate translation
calculate: calculate compute work out sum add
compare: compare comparison difference versus diff
convert: convert conversion exchange
schedule: schedule book reserve plan appointment meeting
cancel: cancel abort revoke
check: check verify validate test inspect
approve: approve confirm accept
analyze: analyze analyse analysis examine investigate study
research: research investigate explore facts study
explain: explain describe clarify
review: review critique assess evaluate judge
web: web internet online
error: error bug failure exception problem
`;

/** Phrases of several words with one meaning. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bhow (?:many|much)\b/g, 'howmany'],
  [/\bhow (?:big|large|long(?= (?:is|are)\b))/g, 'howmany lines'],
  // Lines with numbers are read, not counted.
  [/\blines? \d+(?:\s*(?:-|–|to|until|through)\s*\d+)?\b/g, 'read'],
  [/\bnumber of\b/g, 'howmany'],
  [/\b(?:is|are) there (?:an?|any|some)\b/g, 'search'],
  [/\bwhat(?:'s|s| is) in(?:side)?\b/g, 'contents list'],
  [/\bmost recent(?:ly)?\b/g, 'recent'],
  [/\blook(?:ing|s)? up\b/g, 'lookup'],
  [/\blook(?:ing|s)? for\b/g, 'search'],
  [/\bwork(?:s|ed|ing)? out\b/g, 'calculate'],
  [/\bwrite[- ]?up\b/g, 'report'],
  [/\bhot ?spots?\b/g, 'hotspots'],
  [/\bwhere\b(?=.{0,200}\b(?:mention|use|defin|refer|occur|appear|call|import|find|found|stand))/g, 'search'],
];

const conceptsByStem = new Map<string, string[]>();
for (const line of groups.trim().split('\n')) {
  const [concept = '', members = ''] = line.split(':');
  for (const word of members.trim().split(/\s+/)) {
    const stem = stemmer(word);
    const known = conceptsByStem.get(stem) ?? [];
    if (!known.includes(concept)) conceptsByStem.set(stem, [...known, concept]);
  }
}

/** The ideas a word may stand for: its own stem and its concepts. */
export function ideasOf(word: string): readonly string[] {
  const stem = stemmer(word);
  return [stem, ...(conceptsByStem.get(stem) ?? []).map((concept) => `#${concept}`)];
}

const concepts = groups.match(/[a-z]+(?=[ \n])/g) ?? [];
const minTypoLength = 6;

/** Whether the words differ by one letter that is missing, extra, wrong or swapped with the next. */
function isOneTypoApart(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  return (
    (restA.length < 2 && restB.length < 2) ||
    (restA.length === 2 && restA === [...restB].toReversed().join(''))
  );
}

/** The ideas of a typed word. An unknown word that is one letter off a known one also gets the ideas of that word. */
export function ideasOfTyped(word: string): readonly string[] {
  const ideas = ideasOf(word);
  if (ideas.length > 1 || word.length < minTypoLength) return ideas;
  const meant = concepts.find((known) => known[0] === word[0] && isOneTypoApart(known, word));
  return meant === undefined ? ideas : [...ideas, ...ideasOf(meant)];
}

/** A text in which fixed phrases ("how many") are single words. The result is for matching only: positions shift. */
export function joinPhrases(text: string): string {
  return phrases.reduce((joined, [pattern, word]) => joined.replaceAll(pattern, word), text.toLowerCase());
}
