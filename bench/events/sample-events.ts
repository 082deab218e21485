const words =
  'the agent reads a file then calls a search tool and waits for the result before it writes'.split(' ');

/** Returns text of a given length, always the same. */
export function sampleText(length: number, from = 0): string {
  let text = '';
  for (let at = from; text.length < length; at += 1) text += `${words[at % words.length]} `;
  return text.slice(0, length);
}

/** A structured result of about 1.5 KB. */
export function sampleResult(at: number) {
  const rows = Array.from({ length: 9 }, (_, row) => ({
    id: at * 100 + row,
    name: sampleText(18, row),
    score: row / 8,
    tags: [`a${row}`, 'b'],
    ok: row % 2 === 0,
    note: sampleText(44, row + 3),
  }));
  return { total: 8, took_ms: 12.5, rows };
}

/** Arguments of about 200 bytes. */
export const sampleArgs = {
  query: sampleText(80),
  limit: 8,
  filters: { lang: 'en', from: 2020, to: 2025, exact: false },
};
