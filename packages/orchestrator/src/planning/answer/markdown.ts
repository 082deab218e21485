import type { JsonValue } from '@svc/contracts';
import { cutText } from '../../cut-text.js';

const maxCell = 160;

/** A key as words: `by_extension` is "by extension". */
export const labelOf = (key: string): string =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim();

const special = /(\{_\{[\w.-]{1,128}\}_\}|\{_[\w-]{1,128}_\})|[\\`*_[\]<>#|~]/g;

/**
 * Escapes a tool's text so that nothing in it becomes a heading, a link, an image or HTML. Placeholders of private
 * values stay as they are, so that they can still be resolved.
 */
export const escapeText = (text: string): string =>
  text.replaceAll(special, (match, placeholder?: string) => placeholder ?? `\\${match}`);

/** A short text in code marks, whatever it contains. */
export function inlineCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const mark = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${text.replaceAll(/\s+/g, ' ')}${pad}${mark}`;
}

/** A block of text shown verbatim; the fence is longer than any inside it. */
export function codeBlock(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language.replaceAll(/[^\w+-]/g, '')}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A scalar on one line. Booleans become yes or no, null and an empty string a dash. */
export function scalarText(value: JsonValue): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : JSON.stringify(value);
}

/** A value in a table cell: one line, bounded, without a bar. */
export function cellText(value: JsonValue): string {
  const text = scalarText(value);
  return escapeText(text.length > maxCell ? `${cutText(text, maxCell - 1)}…` : text);
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
