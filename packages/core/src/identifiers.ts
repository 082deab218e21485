import { createHash } from 'node:crypto';

/** The DNS namespace of RFC 9562. */
const DNS_NAMESPACE = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');

/**
 * Creates a stable id from a text: UUID version 5 of its quoted form, the same as the original's ids of agents and
 * swarms.
 */
export function createStableId(text: string): string {
  return uuidVersion5(`str:${quote(text)}`);
}

/** UUID version 5 in the DNS namespace. */
function uuidVersion5(name: string): string {
  const hash = createHash('sha1').update(DNS_NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Quotes a text as Python does, because the original derives its ids from that form. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let quoted = mark;
  for (const character of text) {
    if (character === mark) quoted += `\\${character}`;
    else
      quoted +=
        SHORT_ESCAPES[character] ?? (PRINTABLE.test(character) ? character : escapeCodePoint(character));
  }
  return quoted + mark;
}

function escapeCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
