import type { JsonObject } from '@svc/contracts';
import { textOf } from '../../../json-object.js';
import { splitWords } from '../language/words.js';

/** What an argument is for, read from its name, format and description. */
export type ArgumentRole =
  | 'limit'
  | 'date_from'
  | 'date_to'
  | 'date'
  | 'file'
  | 'folder'
  | 'path'
  | 'extension'
  | 'glob'
  | 'url'
  | 'email'
  | 'uuid'
  | 'query'
  | 'instruction'
  | 'title'
  | 'content'
  | 'id'
  | 'name'
  | 'other';

/** Roles of arguments that another tool's result can fill. */
export const chainableRoles: ReadonlySet<string> = new Set('file path id url uuid email name'.split(' '));

const nameRoles: readonly (readonly [ArgumentRole, ReadonlySet<string>])[] = (
  [
    ['url', 'url uri link href website'],
    ['email', 'email mail recipient'],
    ['extension', 'extension extensions ext suffix filetype'],
    ['glob', 'glob globs'],
    ['date_from', 'since after start begin begins'],
    ['date_to', 'until before end ends till'],
    ['date', 'date day when datetime timestamp deadline due'],
    ['folder', 'folder folders directory directories dir dirs root cwd'],
    ['file', 'file files filename filenames filepath document'],
    ['path', 'path paths'],
    ['limit', 'limit top max maximum count n take first size'],
    ['query', 'query q search keyword keywords term terms needle phrase pattern regex expression topic text'],
    ['instruction', 'prompt question instruction instructions task request input goal objective message'],
    ['title', 'title subject heading headline label caption'],
    ['content', 'content contents body markdown note notes comment description summary'],
    ['id', 'id ids key code sku ref reference uuid identifier'],
    [
      'name',
      'name names person author customer user username assignee owner city country location place region',
    ],
  ] as const
).map(([role, words]) => [role, new Set(words.split(' '))]);

const formatRoles: ReadonlyMap<string, ArgumentRole> = new Map([
  ['date', 'date'],
  ['date-time', 'date'],
  ['uri', 'url'],
  ['url', 'url'],
  ['email', 'email'],
  ['uuid', 'uuid'],
]);

/** The types a schema allows, `null` left out. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type, anyOf, oneOf } = schema;
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inner = alternatives.flatMap((each) =>
    typeof each === 'object' && each !== null ? typesOf(each) : [],
  );
  const own =
    typeof type === 'string'
      ? [type]
      : Array.isArray(type)
        ? type.filter((each) => typeof each === 'string')
        : [];
  const implied = own.length === 0 && inner.length === 0 && schema['enum'] ? ['string'] : [];
  return [...new Set([...own, ...inner, ...implied])].filter((each) => each !== 'null');
}

/** The one schema behind `X | null`. */
export function plainSchema(schema: JsonObject): JsonObject {
  const alternatives = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const nonNull = alternatives.filter(
    (each) => typeof each === 'object' && each !== null && each.type !== 'null',
  );
  if (nonNull.length !== 1) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  return { ...rest, ...nonNull[0] };
}

const isNumeric = (schema: JsonObject) =>
  typesOf(schema).some((type) => type === 'number' || type === 'integer');

/** What an argument is for. The last meaningful word of its name counts most: `order_date` is a date. */
export function roleOf(name: string, schema: JsonObject): ArgumentRole {
  const format = textOf(schema['format']);
  const words = splitWords(name);
  const named = words.toReversed().flatMap((word) => nameRoles.filter(([, members]) => members.has(word)));
  const role = named[0]?.[0];
  const byFormat = format === undefined ? undefined : formatRoles.get(format);
  const isDate = byFormat === 'date' || /\bdate\b/i.test(textOf(schema['description']) ?? '');
  if (isDate && (role === 'date_from' || role === 'date_to')) return role;
  const bounds = words.map(
    (word) => nameRoles.find(([each, members]) => each.startsWith('date_') && members.has(word))?.[0],
  );
  if (byFormat === 'date') return bounds.find((each) => each !== undefined) ?? 'date';
  if (byFormat) return byFormat;
  if (isNumeric(schema))
    return role === 'limit' && words.length <= 2 ? 'limit' : role === 'id' ? 'id' : 'other';
  if (role === 'limit') return 'other';
  if (role === 'path') return pathRole(schema);
  return role ?? (words.at(-1)?.endsWith('path') ? pathRole(schema) : 'other');
}

/** A path may lead to a file, a folder or either; its description says which. */
function pathRole(schema: JsonObject): ArgumentRole {
  const description = (textOf(schema['description']) ?? '').toLowerCase();
  const [file, folder] = [/\bfiles?\b/.test(description), /\bfolder|director/.test(description)];
  if (file === folder) return 'path';
  return file ? 'file' : 'folder';
}
