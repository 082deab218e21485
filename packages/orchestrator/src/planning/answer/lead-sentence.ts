import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject } from '../../json-object.js';
import { cellText, escapeText, inlineCode, labelOf, scalarText } from './markdown.js';

/** A question to answer from a result. */
export interface Question {
  readonly text: string;
  /** Arguments of the call that answers the question. */
  readonly args: JsonObject;
  /** The maximum number of entries the call may return, if it has one. */
  readonly limit?: number;
}

const personKeys = [
  'author',
  'user',
  'username',
  'user_name',
  'owner',
  'assignee',
  'person',
  'contributor',
  'customer',
  'name',
  'email',
  'by',
];
const timeKeys = [
  'date',
  'time',
  'datetime',
  'timestamp',
  'created_at',
  'updated_at',
  'day',
  'when',
  'start',
  'due',
];
const subjectKeys = ['path', 'file', 'name', 'title', 'folder', 'url', 'id', 'city'];

type Row = JsonObject;

/** The rows of a result: itself, or its first list of objects. */
export function rowsOf(value: JsonValue): readonly Row[] {
  if (isJsonArray(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  // Much faster than listing the values of a large object.
  for (const key of Object.keys(value)) {
    const each = value[key];
    if (isJsonArray(each) && each.length > 0 && each.every(isJsonObject)) return each;
  }
  return [value];
}

const keyOf = (row: Row | undefined, keys: readonly string[]) =>
  row && keys.find((key) => row[key] !== undefined && row[key] !== null && typeof row[key] !== 'object');

function factText(key: string, value: JsonValue): string {
  const [label, text] = [escapeText(labelOf(key)), escapeText(scalarText(value))];
  if (typeof value === 'number') return `${text} ${label}`;
  return `${label} ${/\s/.test(text) ? `“${text}”` : text}`;
}

const others = (row: Row, shown: string) =>
  Object.entries(row)
    .filter(
      ([key, value]) =>
        key !== shown && (typeof value !== 'object' || value === null) && String(value).length <= 100,
    )
    .slice(0, 4)
    .map(([key, value]) => factText(key, value))
    .join(', ');

/** The first row's value of one of the keys, with the row's other facts. */
function firstRowSentence(rows: readonly Row[], keys: readonly string[]): string | undefined {
  const [row] = rows;
  const key = keyOf(row, keys);
  if (!row || key === undefined) return undefined;
  const rest = others(row, key);
  return `**${cellText(row[key] ?? null)}**${rest === '' ? '' : ` (${rest})`}.`;
}

/** Lists every person once, those with the most rows first. */
function listPeople(rows: readonly Row[]): string | undefined {
  const key = keyOf(rows[0], personKeys);
  if (key === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const row of rows)
    counts.set(scalarText(row[key] ?? null), (counts.get(scalarText(row[key] ?? null)) ?? 0) + 1);
  const names = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => `**${cellText(name)}** (${count})`);
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}.`;
}

const singular = (word: string) => word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');

const determiners = String.raw`(?:(?:the|their|its|his|her|all|these|those|of|many|different)\s+)*`;
const manyPattern = new RegExp(
  String.raw`\b(?:how many|how much|number of)\s+${determiners}([a-z]+(?:\s+[a-z]+)?)\b`,
  'i',
);
const countPattern = new RegExp(String.raw`\bcount(?:ing)?\s+${determiners}([a-z]+(?:\s+[a-z]+)?)\b`, 'i');

/** "How much is it?" has no word for what is counted. */
const verb = /^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should)$/i;

/** The number a question asks for: a field of that name, a total, or how many entries there are. */
function countSentence(value: JsonValue, { text, args, limit }: Question): string | undefined {
  const nouns = (manyPattern.exec(text)?.[1] ?? countPattern.exec(text)?.[1] ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const [noun] = nouns;
  if (noun === undefined) return undefined;
  const counted = verb.test(noun) ? '' : ` ${noun}`;
  if (isJsonObject(value)) {
    const numbers = Object.keys(value).filter((key) => typeof value[key] === 'number');
    const key = numbers.find((each) => nouns.map(singular).includes(singular(each)));
    const total = numbers.find((each) => ['total', 'count', 'total_count'].includes(each));
    if (key !== undefined) return `${subjectOf(value)}**${scalarText(value[key] ?? 0)}** ${labelOf(key)}.`;
    if (total !== undefined) return `${subjectOf(value)}**${scalarText(value[total] ?? 0)}**${counted}.`;
    if (numbers.length > 0) return undefined;
  }
  const entries = isJsonArray(value) ? value : rowsOf(value);
  // "How much" asks for a cost, not for the number of entries.
  if (entries[0] === value || (counted === '' && /\bhow much\b/i.test(text))) return undefined;
  const bound = typeof args['limit'] === 'number' ? args['limit'] : limit;
  return `${bound !== undefined && entries.length >= bound ? 'At least ' : ''}**${entries.length}**${counted}.`;
}

function subjectOf(value: JsonObject): string {
  const key = subjectKeys.find((each) => typeof value[each] === 'string');
  return key === undefined || value[key] === '.' ? '' : `${inlineCode(scalarText(value[key] ?? ''))}: `;
}

const superlative =
  /\b(largest|biggest|smallest|longest|shortest|newest|latest|oldest|highest|lowest|cheapest|best)\b/i;

/** "The largest is `a.ts` (bytes 120)" when one thing is asked for. */
function superlativeSentence(value: JsonValue, text: string): string | undefined {
  const word = superlative.exec(text)?.[1];
  if (word === undefined) return undefined;
  const [row] = rowsOf(value);
  const key = keyOf(row, subjectKeys);
  if (!row || row === value || key === undefined) return undefined;
  if (
    !/\b(?:file|document|folder|commit|one|item|entry|which|what(?:'s| is))\b/i.test(text) ||
    /\b(?:files|documents|folders|commits|items)\b/i.test(text)
  )
    return undefined;
  const rest = others(row, key);
  return `The ${word.toLowerCase()} is ${inlineCode(scalarText(row[key] ?? ''))}${rest === '' ? '' : ` (${rest})`}.`;
}

/**
 * The sentence that answers a question from a result, placed before the details; undefined when the result speaks for
 * itself.
 */
export function leadSentence(value: JsonValue, question: Question): string | undefined {
  const { text } = question;
  if (/\b(?:authors|people|contributors|everyone|who all|who are)\b/i.test(text))
    return listPeople(rowsOf(value));
  if (/\bwho(?:se|m)?\b|\bwhich (?:author|user|person|contributor)\b/i.test(text))
    return firstRowSentence(rowsOf(value), personKeys);
  if (/^\s*(?:and\s+)?when\b|\bwhat (?:date|day|time)\b/i.test(text))
    return firstRowSentence(rowsOf(value), timeKeys);
  if (/\bhow (?:many|much)\b|\bnumber of\b|\bcount\b/i.test(text)) return countSentence(value, question);
  return superlativeSentence(value, text);
}
