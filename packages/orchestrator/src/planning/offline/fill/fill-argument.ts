import type { JsonObject, JsonValue } from '@svc/contracts';
import { textOf } from '../../../json-object.js';
import { typesOf, type ArgumentRole } from '../tools/argument-role.js';
import type { CalendarTime, DateMention } from '../mentions/date-mentions.js';
import { mentionedValues } from '../mentions/enum-values.js';
import { isLanguage, languageFor } from './fill-language.js';
import { isIdNumber, limitFor, numberFor, rangeEnd } from './fill-numbers.js';
import { coerce, fitting, type FillScope } from './fill-scope.js';
import { properNames, queryPhrase, remainingPhrase, titlePhrase, valueAfterName } from './fill-text.js';
import type { Mention } from '../mentions/mentions.js';
import type { MentionKind } from '../mentions/mention-patterns.js';
import type { Argument, ToolProfile } from '../tools/tool-profile.js';
import { canBeMentioned } from '../mentions/request.js';
import { splitWords } from '../language/words.js';

/** One value for an argument, or several; a scalar argument then gets one call per value. */
export type Found = readonly JsonValue[];

type Filler = (argument: Argument, scope: FillScope, profile: ToolProfile) => Found;

const one = (value: JsonValue | undefined): Found => (value === undefined ? [] : [value]);

function takeAll(mentions: readonly Mention[], scope: FillScope): Found {
  for (const mention of mentions) scope.take(mention);
  return mentions.map((mention) => mention.value);
}

/** The first kind of mention that the text has, its own before inherited ones. */
const ofKind =
  (...kinds: MentionKind[]): Filler =>
  (argument, scope) => {
    for (const kind of kinds) {
      const own = scope.own(kind);
      if (own.length > 0) return takeAll(argument.isOnlyOfRole ? own : own.slice(0, 1), scope);
    }
    for (const kind of kinds) {
      const [inherited] = scope.inherited(argument.required, kind);
      if (inherited) return [inherited.value];
    }
    return [];
  };

/** A quotation can also be a path. */
const quotedPath: Filler = (_argument, scope) =>
  takeAll(
    scope.own('quoted').filter(({ value }) => /^[\w@./-]*[./][\w@./-]*$/.test(value)),
    scope,
  );

const either =
  (...fillers: Filler[]): Filler =>
  (argument, scope, profile) => {
    for (const filler of fillers) {
      const found = filler(argument, scope, profile);
      if (found.length > 0) return found;
    }
    return [];
  };

/** Whether a schema's description asks for a dot before the extension. */
const wantsDot = (schema: JsonObject) =>
  /(?:^|[\s"'`(])\.[a-z]{1,4}\b/.test(
    `${textOf(schema['description']) ?? ''} ${textOf(schema['default']) ?? ''}`,
  );

const extension: Filler = (argument, scope, profile) =>
  ofKind('extension')(argument, scope, profile).map((value) =>
    wantsDot(argument.schema) ? `.${String(value)}` : value,
  );

const glob: Filler = (argument, scope, profile) => {
  const found = ofKind('glob')(argument, scope, profile);
  return found.length > 0
    ? found
    : ofKind('extension')(argument, scope, profile).map((value) => `**/*.${String(value)}`);
};

const valueOfDay = (time: CalendarTime, schema: JsonObject): string =>
  schema['format'] === 'date-time' ? time.instant : time.date;

const fromCue =
  /\b(?:since|from|after|in|during|over|within|past|last|this|between|starting)\s*(?:the\s+)?$/i;
const toCue = /\b(?:until|till|before|to|up to|through|by|and)\s*(?:the\s+)?$/i;

/** The date an argument means: the start of a span, its end, or simply the date. */
function dateFor(argument: Argument, scope: FillScope): Found {
  const dates = scope.dates();
  const { text } = scope.clause;
  const before = (date: DateMention) => text.slice(0, date.start);
  const pick = (date: DateMention | undefined, time: CalendarTime | undefined) => {
    if (!date || !time) return [];
    scope.take(date);
    return one(fitting(valueOfDay(time, argument.schema), argument.schema));
  };
  if (argument.role === 'date') return pick(dates[0], dates[0]?.from);
  if (argument.role === 'date_from') {
    const date =
      dates.find((each) => fromCue.test(before(each))) ?? dates.find((each) => !toCue.test(before(each)));
    return pick(date, date?.from);
  }
  const date = dates.find((each) => each.to !== undefined) ?? dates.find((each) => toCue.test(before(each)));
  return pick(date, date?.to ?? date?.from);
}

const quotationRoles = new Set<ArgumentRole>(['file', 'path', 'query', 'title', 'content', 'name', 'other']);

/** Whether a quotation may be meant for another argument, which needs one as well. */
const hasRival = (argument: Argument, profile: ToolProfile) =>
  profile.arguments.some(
    (each) =>
      each !== argument &&
      each.required &&
      quotationRoles.has(each.role) &&
      !Array.isArray(each.schema['enum']) &&
      !isScalarNumber(each.schema),
  );

const nameValue: Filler = (argument, scope, profile) => {
  const after = valueAfterName(argument, scope);
  if (after) {
    scope.take(after);
    return one(coerce(after.text, argument.schema));
  }
  const names = properNames(argument, scope);
  if (names.length > 0 || !argument.required || hasRival(argument, profile)) return names;
  return quoted(argument, scope, profile);
};

const idValue: Filler = (argument, scope, profile) => {
  const after = valueAfterName(argument, scope);
  const isCode = (text: string) => /\d/.test(text) || /^[A-Z][A-Z0-9_-]+$/.test(text);
  if (after && isCode(after.text)) {
    scope.take(after);
    return one(coerce(after.text, argument.schema));
  }
  if (!argument.required) return [];
  const mentioned = ofKind('code', 'uuid')(argument, scope, profile);
  if (mentioned.length > 0) return mentioned.flatMap((value) => one(coerce(String(value), argument.schema)));
  const numbers = scope.own('number').filter((each) => isIdNumber(each, scope));
  const [number] = numbers;
  if (!number || numbers.length !== 1) return [];
  scope.take(number);
  return one(coerce(number.value, argument.schema));
};

const quoted: Filler = (_argument, scope) => {
  const [mention] = scope.own('quoted');
  return mention ? takeAll([mention], scope) : [];
};

const query: Filler = (argument, scope, profile) => {
  const [exact] = [
    ...quoted(argument, scope, profile),
    ...takeAll(scope.own('identifier').slice(0, 1), scope),
  ];
  if (exact !== undefined) return [exact];
  const phrase = queryPhrase(scope);
  if (phrase !== undefined && argument.required) return [phrase];
  return argument.required ? one(remainingPhrase(scope, profile)) : [];
};

const instruction: Filler = (argument, scope) =>
  argument.required ? one(scope.clause.text.trim() || undefined) : [];

const title: Filler = (argument, scope, profile) => {
  const [exact] = quoted(argument, scope, profile);
  return exact === undefined ? one(titlePhrase(scope, argument.required)) : [exact];
};

const content: Filler = (argument, scope, profile) => {
  const [exact] = quoted(argument, scope, profile);
  if (exact !== undefined) return [exact];
  const said = /\b(?:saying|that says|with (?:the )?(?:text|body|message|content)|that|:)\s+(.+)$/i.exec(
    scope.freeText(),
  )?.[1];
  return argument.required ? one(said?.trim()) : [];
};

const plainText: Filler = (argument, scope, profile) => {
  const after = valueAfterName(argument, scope);
  if (after) {
    scope.take(after);
    return one(coerce(after.text, argument.schema));
  }
  const language = isLanguage(argument) ? languageFor(argument, scope) : undefined;
  if (language !== undefined) return one(coerce(language, argument.schema));
  if (!argument.required) return [];
  const exact = quoted(argument, scope, profile);
  if (exact.length > 0) return exact;
  const phrase = remainingPhrase(scope, profile);
  const start = phrase === undefined ? -1 : scope.wantedText().indexOf(phrase);
  if (phrase !== undefined && start >= 0) scope.take({ start, end: start + phrase.length });
  return one(phrase);
};

const fillers: Readonly<Record<ArgumentRole, Filler>> = {
  limit: (argument, scope) => one(limitFor(argument, scope)),
  date_from: dateFor,
  date_to: dateFor,
  date: dateFor,
  file: either(ofKind('file'), quotedPath),
  folder: ofKind('folder'),
  path: either(ofKind('file', 'folder', 'glob'), quotedPath),
  extension,
  glob,
  url: ofKind('url'),
  email: ofKind('email'),
  uuid: ofKind('uuid'),
  query,
  instruction,
  title,
  content,
  id: idValue,
  name: nameValue,
  other: plainText,
};

const optionWords = /^(?:include|with|is|has|show|should|allow|use|enable|do|be)_?/i;

/** A flag is set by its name: "with history", "recursively", "without comments". */
function booleanFor(argument: Argument, scope: FillScope): Found {
  if (!canBeMentioned(argument.name)) return [];
  const words = splitWords(argument.name.replace(optionWords, ''));
  const label = words.map((word) => `${word.replace(/(?:e|y|ly)$/, '')}\\w*`).join(String.raw`[\s_-]+`);
  if (label === '') return [];
  const { text } = scope.clause;
  const denied = new RegExp(
    String.raw`\b(?:no|not|without|exclud\w+|don't|skip|omit)\s+(?:\w+\s+){0,2}?${label}\b`,
    'i',
  );
  if (denied.test(text)) return [false];
  return new RegExp(String.raw`\b${label}\b`, 'i').test(text) ? [true] : [];
}

/** The enum value that a text mentions. In a pair ("from EUR to USD") the preceding word tells which is which. */
function chosenValue(argument: Argument, scope: FillScope): Found {
  const { text } = scope.clause;
  const said = mentionedValues(argument.schema, text).filter((each) => scope.isFree(each));
  const end = rangeEnd(argument);
  const isTarget = (start: number) => /\b(?:to|into|in|as)\s+$/i.test(text.slice(0, start));
  const chosen =
    end === 'to'
      ? (said.find((each) => isTarget(each.start)) ?? said[1])
      : (said.find((each) => end === undefined || !isTarget(each.start)) ?? undefined);
  if (!chosen) return [];
  // A currency sign is left to the amount next to it.
  if (/\w/.test(text.slice(chosen.start, chosen.end))) scope.take(chosen);
  return [chosen.value];
}

/** A value introduced by the argument's own name: `limit=5`, `folder: src`. */
function namedFor(argument: Argument, scope: FillScope): Found {
  const key = splitWords(argument.name).join(' ');
  const mention = scope.own('named').find((each) => splitWords(each.name ?? '').join(' ') === key);
  const value = mention && coerce(mention.value, argument.schema);
  if (!mention || value === undefined) return [];
  scope.take(mention);
  return [value];
}

const isScalarNumber = (schema: JsonObject) => {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
};

/** What a text offers for a scalar argument; every value fits its schema, and none is made up. */
export function fillArgument(argument: Argument, scope: FillScope, profile: ToolProfile): Found {
  const { schema } = argument;
  const named = namedFor(argument, scope);
  if (named.length > 0) return named;
  if ('const' in schema) return argument.required ? one(schema['const']) : [];
  if (Array.isArray(schema['enum'])) return chosenValue(argument, scope);
  if (typesOf(schema).includes('boolean')) return booleanFor(argument, scope);
  const filler = isScalarNumber(schema) && argument.role === 'other' ? numeric : fillers[argument.role];
  const found = filler(argument, scope, profile);
  return found.filter((value) => fitting(value, schema) !== undefined);
}

const numeric: Filler = (argument, scope) => one(numberFor(argument, scope));
