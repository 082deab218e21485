import type { JsonObject, JsonValue } from '@svc/contracts';
import { cutText } from '../../cut-text.js';
import { fieldOf, isJsonArray, isJsonObject } from '../../json-object.js';
import {
  bullets,
  cellText,
  codeBlock,
  escapeText,
  inlineCode,
  labelOf,
  scalarText,
  table,
} from './markdown.js';

const maxRows = 25;
const maxColumns = 7;
const maxFields = 100;
const maxDepth = 4;
const maxTextLength = 8000;
/** Characters of JSON that are indented; the indentation of deep data grows with the square of its depth. */
const maxIndented = 32_000;

const subjectKeys = ['path', 'file', 'name', 'title', 'folder', 'url', 'id', 'city', 'key', 'query'];
const textKeys = ['text', 'content', 'body'];

/** How much of a value is shown. */
export interface RenderOptions {
  /** The maximum number of rows and items shown. */
  readonly limit?: number;
  /** How deeply the value is nested. */
  readonly depth?: number;
  /** Whether an object's plain fields are listed besides its nested values. */
  readonly withFacts?: boolean;
}

const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null;
/** Whether a value fits into a cell: a scalar, or a few of them. */
const isCell = (value: JsonValue): boolean =>
  isScalar(value) || (isJsonArray(value) && value.every(isScalar) && value.length <= 5);
const isLong = (value: JsonValue): value is string =>
  typeof value === 'string' && (value.includes('\n') || value.length > 300);

/** Whether a value is an empty result, with nothing found. */
export function isEmptyResult(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (isJsonArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  let hasList = false;
  for (const key of keys) {
    const each = value[key];
    if (typeof each === 'number' && each !== 0) return false;
    if (!isJsonArray(each)) continue;
    if (each.length > 0) return false;
    hasList = true;
  }
  return hasList || keys.length === 0;
}

/** The beginning of a list or a thematic break, but not of a negative number. */
const listMark = /^(\d{1,9}(?=[.)])|(?=[-+]))([-+.)])(?=[\s-]|$)/;

/** A scalar at the beginning of a line. */
const lineText = (value: JsonValue): string => escapeText(scalarText(value)).replace(listMark, '$1\\$2');

const more = (shown: number, all: number) => (all > shown ? `\n\n… and ${all - shown} more.` : '');

/** Objects as a table with the columns of all rows; long texts and lists are shortened. */
function renderRows(rows: readonly JsonObject[], limit: number): string {
  const shown = rows.slice(0, limit);
  const keys = [...new Set(shown.flatMap((row) => Object.keys(row)))].filter((key) =>
    shown.map((row) => fieldOf(row, key)).some((value) => value !== undefined && isCell(value)),
  );
  const columns = keys.slice(0, maxColumns);
  if (columns.length === 0) return jsonBlock(shown);
  const cells = shown.map((row) => columns.map((key) => cellText(listText(fieldOf(row, key) ?? null))));
  return (
    table(
      columns.map((key) => escapeText(labelOf(key))),
      cells,
    ) + more(shown.length, rows.length)
  );
}

const listText = (value: JsonValue): JsonValue =>
  isJsonArray(value) ? value.map((each) => scalarText(each)).join(', ') : value;

function renderList(items: readonly JsonValue[], limit: number, depth: number): string {
  if (items.every(isJsonObject)) return renderRows(items, limit);
  const shown = items.slice(0, limit);
  const texts = shown.map((item) =>
    isScalar(item) ? lineText(item) : renderValue(item, { depth: depth + 1 }),
  );
  return bullets(texts) + more(shown.length, items.length);
}

const languageOf = (value: JsonObject): string => {
  const path = value['path'] ?? value['file'];
  return typeof path === 'string' ? (/\.(\w+)$/.exec(path)?.[1] ?? '') : '';
};

/** "`src/a.ts`: 120 lines, 4 files" for an object with numbers about one thing. */
function subjectLine(value: JsonObject, all: readonly [string, JsonValue][]): string | undefined {
  const entries = all.filter(([, each]) => isScalar(each));
  const key = subjectKeys.find((each) => typeof value[each] === 'string' && !isLong(value[each]));
  const numbers = entries.filter(([, each]) => typeof each === 'number');
  if (key === undefined || numbers.length === 0 || numbers.length !== entries.length - 1) return undefined;
  const said = numbers.map(([name, each]) => `${scalarText(each)} ${labelOf(name)}`).join(', ');
  if (value[key] === '.') return said;
  const subject =
    key === 'query'
      ? `“${escapeText(scalarText(value[key] ?? ''))}”`
      : inlineCode(scalarText(value[key] ?? ''));
  return `${subject}: ${said}`;
}

/** "**title**: x" line by line. A path of `.` is left out. */
function factLines(entries: readonly [string, JsonValue][]): string {
  const telling = entries.filter(([, value]) => value !== '.');
  return bullets(
    telling.map(([key, value]) => `**${escapeText(labelOf(key))}**: ${escapeText(scalarText(value))}`),
  );
}

function renderObject(value: JsonObject, { limit, depth, withFacts }: Required<RenderOptions>): string {
  const keys = Object.keys(value);
  const entries = keys.slice(0, maxFields).map((key): [string, JsonValue] => [key, value[key] ?? null]);
  const long = entries.filter(([, each]) => isLong(each));
  const plain = entries.filter(([, each]) => isScalar(each) && !isLong(each));
  const nested = entries.filter(([, each]) => !isScalar(each));
  const inner = nested.map(([key, each]) => {
    const body = isEmptyResult(each) ? 'none' : renderValue(each, { limit, depth: depth + 1 });
    const isOnly = nested.length === 1 && long.length === 0;
    return isOnly && body !== 'none' ? body : `**${escapeText(labelOf(key))}**\n\n${body}`;
  });
  const texts = long.map(([key, each]) => {
    const block = codeBlock(boundedText(String(each)), languageOf(value));
    return textKeys.includes(key) ? block : `**${escapeText(labelOf(key))}**\n\n${block}`;
  });
  const facts = withFacts && plain.length > 0 ? [subjectLine(value, entries) ?? factLines(plain)] : [];
  const parts = [...facts, ...inner, ...texts].filter((part) => part !== '');
  return parts.join('\n\n') + more(entries.length, keys.length);
}

function jsonBlock(value: JsonValue): string {
  const text = JSON.stringify(value);
  return codeBlock(
    boundedText(text.length > maxIndented ? text : JSON.stringify(value, undefined, 2)),
    'json',
  );
}

function boundedText(text: string): string {
  const shown = cutText(text, maxTextLength);
  return shown === text ? text : `${shown}\n… (${text.length - shown.length} more characters)`;
}

/**
 * Renders a JSON value as readable Markdown: tables for lists of objects, lists, facts line by line. The value is data:
 * none of its text becomes Markdown.
 */
export function renderValue(value: JsonValue, options: RenderOptions = {}): string {
  const { limit = maxRows, depth = 0, withFacts = true } = options;
  if (isScalar(value)) return isLong(value) ? codeBlock(boundedText(value)) : lineText(value);
  if (isEmptyResult(value)) return 'Nothing.';
  if (depth >= maxDepth) return jsonBlock(value);
  if (isJsonArray(value)) return renderList(value, limit, depth);
  return isJsonObject(value) ? renderObject(value, { limit, depth, withFacts }) : '';
}
