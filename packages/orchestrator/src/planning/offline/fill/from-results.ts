import type { JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject } from '../../../json-object.js';
import { fitting } from './fill-scope.js';
import type { ArgumentRole } from '../tools/argument-role.js';
import type { Argument } from '../tools/tool-profile.js';
import { isSameIdea, nameWords, splitWords } from '../language/words.js';

/** The maximum number of values visited in one result. */
const maxVisited = 2000;

const pathKeys = ['path', 'file', 'file_path', 'filepath', 'filename', 'file_name', 'folder', 'directory'];
const keysOfRole: Readonly<Partial<Record<ArgumentRole, readonly string[]>>> = {
  file: pathKeys,
  path: pathKeys,
  folder: ['folder', 'directory', 'path'],
  url: ['url', 'link', 'href'],
  email: ['email', 'mail'],
};

const snakeCase = (name: string) => splitWords(name).join('_');

/** How closely a key has to match: by name and role, or also by a part of the name (`lines` for `total_lines`). */
export type KeyFit = 'close' | 'loose';

/** Whether a key of a result fits an argument: the same name, the same role, or an `id` for `order_id`. */
function fitsKey(key: string, parent: string, argument: Argument, fit: KeyFit): boolean {
  const [name, wanted] = [snakeCase(key), snakeCase(argument.name)];
  if (name === wanted) return true;
  if (
    fit === 'loose' &&
    nameWords(key).every((word) => argument.words.some((each) => isSameIdea(each, word)))
  )
    return true;
  if (keysOfRole[argument.role]?.includes(name)) return true;
  const noun = wanted.replace(/_(?:id|name|number|code)$/, '');
  if (noun !== wanted && name === wanted.slice(noun.length + 1)) {
    const around = snakeCase(parent).replace(/s$/, '');
    return around === '' || around.includes(noun) || noun.includes(around);
  }
  return noun === name;
}

/** Yields fitting values of a result breadth first, so that a list of findings keeps its order. */
function* findValues(result: JsonValue, argument: Argument, fit: KeyFit): Generator<JsonValue> {
  const queue: { value: JsonValue; key: string; parent: string }[] = [{ value: result, key: '', parent: '' }];
  for (let visited = 0; visited < queue.length; visited += 1) {
    const item = queue[visited];
    if (!item) return;
    const { value, key, parent } = item;
    if (key !== '' && fitsKey(key, parent, argument, fit) && fitting(value, argument.schema) !== undefined)
      yield value;
    const most = Math.max(0, maxVisited - queue.length);
    if (isJsonArray(value))
      for (const each of value.slice(0, most))
        queue.push({ value: each, key: isJsonObject(each) ? '' : key, parent: key });
    else if (isJsonObject(value) && most > 0)
      for (const name of Object.keys(value).slice(0, most))
        queue.push({ value: value[name] ?? null, key: name, parent: key || parent });
  }
}

const isScalar = (value: JsonValue) => typeof value !== 'object' || value === null;

/** Distinct values for an argument in an earlier result. A result that is itself a value counts too. */
export function valuesFromResult(result: JsonValue, argument: Argument, fit: KeyFit = 'close'): JsonValue[] {
  const plain = isJsonArray(result) ? result.filter(isScalar) : isScalar(result) ? [result] : [];
  const direct = plain.filter((value) => value !== null && fitting(value, argument.schema) !== undefined);
  const found = distinct([...findValues(result, argument, fit)]);
  return found.length > 0 || fit === 'loose' ? found : [...new Set(direct)];
}

const distinct = (values: readonly JsonValue[]) => {
  const seen = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...seen.values()];
};
