const units = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const values = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
]);

const word = `(?:${[...values.keys()].join('|')})`;

/** Finds numbers written as words, such as "five", "twenty-five" or "two hundred". */
export const numberWordPattern = new RegExp(String.raw`\b${word}(?:[\s-]+(?:and\s+)?${word})*\b`, 'gi');

/** The value of a number written as words. */
export function readNumberWords(text: string): number {
  let total = 0;
  let current = 0;
  for (const part of text.toLowerCase().split(/[\s-]+/)) {
    const value = values.get(part);
    if (value === undefined) continue;
    if (value === 100 || value === 12) current = Math.max(1, current) * value;
    else if (value === 1000) {
      total += Math.max(1, current) * value;
      current = 0;
    } else current += value;
  }
  return total + current;
}
