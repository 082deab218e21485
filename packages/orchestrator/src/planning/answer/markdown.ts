import type { JsonValue } from '@svc/contracts';
import { cutText } from '../../cut-text.js';

const maxCell = 160;
const maxInline = 300;

/** A key as words: `by_extension` is "by extension". */
export const labelOf = (key: string): string =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim();

const special = /(\{_\{[\w.-]{1,128}\}_\}|\{_[\w-]{1,128}_\})|[\\`*_[\]<>#|~]/g;

/**
 * Escapes a tool's text so that nothing in it becomes a heading, a link, an image or HTML. Placeholders of private
 * values stay as they are, so that they can still be resolved.
 */
export const escapeText = (text: string): string =>
  text.replaceAll(special, (match, placeholder?: string) => placeholder ?? `\\${match}`);

const shorten = (text: string, maxLength: number) =>
  text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text;

/** A text in code marks, whatever it contains: one line, bounded. */
export function inlineCode(text: string): string {
  const line = shorten(text.replaceAll(/\s+/g, ' '), maxInline);
  const runs = line.match(/`+/g) ?? [];
  const mark = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${line}${pad}${mark}`;
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

/** A value in a table cell or a sentence: one line, bounded, without a bar. */
export const cellText = (value: JsonValue): string => escapeText(shorten(scalarText(value), maxCell));

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
