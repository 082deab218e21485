import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject, textOf } from '../../../json-object.js';
import { plainSchema, roleOf, typesOf, type ArgumentRole } from '../tools/argument-role.js';
import type { Clause } from '../tools/clauses.js';
import { fillArgument, type Found } from './fill-argument.js';
import { coerce, fitting, FillScope } from './fill-scope.js';
import type { Mention } from '../mentions/mentions.js';
import { canBeMentioned } from '../mentions/request.js';
import { argumentsOf, type Argument, type ToolProfile } from '../tools/tool-profile.js';

/** A required argument without a value. */
export interface MissingArgument {
  /** The argument's name, `outer.inner` when it lies inside an object. */
  readonly path: string;
  readonly argument: Argument;
}

/** Arguments for the calls of one tool. */
export interface Filling {
  /** One set of arguments per call; several when the text names several things for one argument. */
  readonly calls: readonly JsonObject[];
  readonly missing: readonly MissingArgument[];
  /** Values left out because the limit on calls is reached. */
  readonly dropped: readonly JsonValue[];
  /** Names and quotations of the text that no argument took. */
  readonly unused: readonly Mention[];
}

/** Sources of values other than the text. */
export interface OtherSources {
  /** Asked before the text is read: the user's answer, an earlier call's result. */
  readonly before?: (path: string, argument: Argument) => Found;
  /** Asked when the text gave nothing for a required argument. */
  readonly after?: (path: string, argument: Argument) => Found;
}

/** The maximum number of calls of one tool for one clause. */
const maxCalls = 10;

/** Arguments with a distinctive form are filled first, free text last. */
const order: readonly ArgumentRole[] = [
  'url',
  'email',
  'uuid',
  'extension',
  'glob',
  'file',
  'path',
  'folder',
  'date_from',
  'date_to',
  'date',
  'id',
  'other',
  'limit',
  'title',
  'name',
  'query',
  'content',
  'instruction',
];

const rank = (argument: Argument) => {
  if (Array.isArray(argument.schema['enum'])) return -1;
  const isFreeText = argument.role === 'other' && typesOf(argument.schema).includes('string');
  return (
    (isFreeText ? order.indexOf('query') - 0.5 : order.indexOf(argument.role)) - (argument.required ? 0.1 : 0)
  );
};

interface Filler {
  readonly profile: ToolProfile;
  readonly scope: FillScope;
  readonly sources: OtherSources;
  readonly missing: MissingArgument[];
  readonly dropped: JsonValue[];
}

const splitList = (text: string) =>
  text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((item) => item.trim().replaceAll(/^["']|["'.]$/g, ''))
    .filter((item) => item !== '');

function listAfterName(name: string, scope: FillScope): string | undefined {
  if (!canBeMentioned(name)) return undefined;
  const words = name.split('_').map((word) => word.replaceAll(/[^\w-]/g, ''));
  const label = words.filter((word) => /\w/.test(word)).join(String.raw`[\s_-]+`);
  if (label === '') return undefined;
  const pattern = new RegExp(String.raw`\b${label}\s*(?::|=|are|is|of)?\s+(.+?)(?=[.;?!]\s|[.;?!]?$)`, 'i');
  return pattern.exec(scope.freeText())?.[1];
}

/** Every value of a list argument: pasted JSON, mentions of its kind, or the list after its name. */
function fillArray(argument: Argument, filler: Filler): Found {
  const { schema, name } = argument;
  for (const json of filler.scope.own('json')) {
    const value = coerce(json.value, schema);
    if (Array.isArray(value)) return [value];
  }
  const items = isJsonObject(schema['items']) ? plainSchema(schema['items']) : {};
  const listed = listAfterName(name, filler.scope);
  const quotedItems = filler.scope.own('quoted').map((mention) => mention.value);
  const single: Argument = { ...argument, schema: items, role: roleOf(name, items), isOnlyOfRole: true };
  const isQuoted = argument.required && quotedItems.length > 1;
  const found = listed === undefined && !isQuoted ? fillArgument(single, filler.scope, filler.profile) : [];
  const raw =
    listed === undefined
      ? found.length > 0
        ? found
        : argument.required
          ? quotedItems
          : []
      : splitList(listed);
  const values = raw.flatMap((each) => {
    const value = typeof each === 'string' ? coerce(each, items) : each;
    return value === undefined ? [] : [value];
  });
  const list = fitting(values, schema);
  return values.length > 0 && list !== undefined ? [list] : [];
}

/** An object: pasted JSON, or its own properties one by one. It is used only when it is complete. */
function fillObject(argument: Argument, path: string, filler: Filler): Found {
  for (const json of filler.scope.own('json')) {
    const value = coerce(json.value, argument.schema);
    if (isJsonObject(value)) return [value];
  }
  const inner: Filler = { ...filler, missing: [] };
  const [value = {}] = fillProperties(argumentsOf(argument.schema), `${path}.`, inner);
  const isEmpty = Object.keys(value).length === 0;
  if (argument.required) filler.missing.push(...inner.missing);
  else if (isEmpty || inner.missing.length > 0) return [];
  return isEmpty && !argument.required ? [] : [value];
}

function fromText(argument: Argument, path: string, filler: Filler): Found {
  const types = typesOf(argument.schema);
  if (types.includes('array') && !types.includes('string')) return fillArray(argument, filler);
  if (types.includes('object') && !types.includes('string')) return fillObject(argument, path, filler);
  return fillArgument(argument, filler.scope, filler.profile);
}

/** The only value that a schema allows. */
function fixedValue({ schema }: Argument): Found {
  if (schema['default'] !== undefined) return [schema['default']];
  const members = schema['enum'];
  return isJsonArray(members) && members.length === 1 && members[0] !== undefined ? [members[0]] : [];
}

function fillOne(argument: Argument, path: string, filler: Filler): Found {
  const { before, after } = filler.sources;
  const known = before?.(path, argument) ?? [];
  if (known.length > 0) return known;
  const stated = fromText(argument, path, filler);
  if (stated.length > 0 || !argument.required) return stated;
  const found = after?.(path, argument) ?? [];
  return found.length > 0 ? found : fixedValue(argument);
}

function fillProperties(args: readonly Argument[], prefix: string, filler: Filler): JsonObject[] {
  let calls: JsonObject[] = [{}];
  for (const argument of args.toSorted((a, b) => rank(a) - rank(b))) {
    const path = `${prefix}${argument.name}`;
    const found = fillOne(argument, path, filler);
    const isOpenObject = filler.missing.some((each) => each.path.startsWith(`${path}.`));
    if (found.length === 0 && argument.required && !isOpenObject) filler.missing.push({ path, argument });
    // Only one argument may multiply the calls, and never one inside an object.
    const isMany = calls.length === 1 && prefix === '';
    const values = found.slice(0, isMany ? maxCalls : 1);
    if (isMany) filler.dropped.push(...found.slice(maxCalls));
    if (values.length > 0)
      calls = calls.flatMap((call) => values.map((value) => ({ ...call, [argument.name]: value })));
  }
  return calls;
}

/**
 * Fills a tool's arguments from a clause and other sources. Arguments without a value are left out or reported missing.
 */
export function fillArguments(profile: ToolProfile, clause: Clause, sources: OtherSources = {}): Filling {
  const filler: Filler = { profile, scope: new FillScope(clause), sources, missing: [], dropped: [] };
  const calls = fillProperties(profile.arguments, '', filler);
  const names = profile.arguments.map(({ name }) => name);
  const position = ({ path }: MissingArgument) => names.indexOf(path.split('.')[0] ?? '');
  const { dropped } = filler;
  const filled = JSON.stringify([calls, dropped]).toLowerCase();
  const unused = filler.scope
    .own('proper', 'quoted', 'code', 'email')
    .filter(({ value }) => !filled.includes(JSON.stringify(value).slice(1, -1).toLowerCase()));
  const missing = filler.missing.toSorted((a, b) => position(a) - position(b));
  return { calls, missing, dropped, unused };
}

/** A short description of an argument, from its schema. */
export const describeArgument = ({ name, schema }: Argument): string =>
  textOf(schema['description']) || name.replaceAll('_', ' ');
