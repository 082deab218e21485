import { detectPersonalData, findPersonalData } from './detect-personal-data.js';
import { type Cut, mergeCuts } from './merge-cuts.js';
import { NamedValues } from './named-values.js';
import { findPlaceholders, placeholder } from './placeholders.js';
import { createValueMatcher, type ValueMatcher } from './value-matcher.js';
import type { PIIWhitelist, PIIWhitelistEntry } from './whitelist.js';
import { PatternBudget } from './whitelist-pattern.js';

/** A value that is known to be personal or secret. */
export interface KnownValue {
  value: string;
  /** The name of its placeholder. Without one it is numbered by its kind. */
  name?: string | null | undefined;
  /** Its kind, such as `person`. @default the detected kind, or `value` */
  piiType?: string | null | undefined;
}

/** What to replace in texts, and what to leave. */
export interface RedactionRules {
  /** Values to replace wherever they occur. Blank and repeated ones are ignored. */
  knownValues?: Iterable<string | KnownValue> | null | undefined;
  /** Exceptions for detected data. Known and private values are always replaced. */
  whitelist?: PIIWhitelist | null | undefined;
  /** New names are numbered after this number, up to 999 999 999; use it if lower ones are taken. @default 0 */
  countAfter?: number | null | undefined;
}

const RULES: Record<keyof RedactionRules, true> = { knownValues: true, whitelist: true, countAfter: true };

/** The options of {@link redactTexts}: the rules, and private data. */
export interface RedactTextsOptions extends RedactionRules {
  /** Private values by name. They are replaced too, and their names are not reused. */
  privateData?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A detection that stayed in clear because of a whitelist entry. */
export interface WhitelistUse {
  readonly type: string;
  readonly entry: PIIWhitelistEntry;
}

/** The result of a redaction. */
export interface TextRedaction {
  /** The texts, in their original order, with placeholders in place of values. */
  readonly texts: readonly string[];
  /** The names of all inserted placeholders, in order of first appearance. */
  readonly insertedKeys: readonly string[];
  /** The values of the new names. They are private: keep them in this process. */
  readonly addedPrivateData: Readonly<Record<string, string>>;
  /** The number of changed texts. */
  readonly redactedTextCount: number;
  /** The number of distinct values that were replaced. */
  readonly redactedValueCount: number;
  /** The known values that were found in the texts. */
  readonly matchedKnownValues: readonly string[];
  /** The known values that were not found. */
  readonly unmatchedKnownValues: readonly string[];
  /** The detections that stayed in clear, in order of appearance. */
  readonly whitelisted: readonly WhitelistUse[];
}

/**
 * Replaces known values and detected personal data with placeholders. Nothing leaves the process, and a value gets the
 * same name in all texts. Placeholders already in the texts stay, and their numbers are not reused.
 *
 * @throws TypeError for an unknown option, and for a known value that is not a string.
 * @throws RangeError for an invalid `countAfter`.
 * @throws RedactionError `WHITELIST_TOO_COSTLY` if the whitelist's patterns could take very long on the detected data.
 * @example
 * redactTexts(['Mail john@example.com']).texts; // ['Mail {_{pii_email_1}_}']
 */
export function redactTexts(texts: readonly string[], options?: RedactTextsOptions | null): TextRedaction {
  refuseUnknown('redactTexts', options ?? {}, { ...RULES, privateData: true });
  const { privateData, ...rules } = options ?? {};
  return createTextRedactor(privateData).redact(texts, rules);
}

/**
 * Redacts texts that arrive one after the other, each with its own rules, such as the messages of one request. Values
 * found in earlier texts count as private data in later ones.
 */
export interface TextRedactor {
  /**
   * Works like {@link redactTexts}. All calls share one limit for the time that whitelist patterns may take.
   *
   * @throws TypeError for an unknown option, and for a known value that is not a string.
   * @throws RangeError for an invalid `countAfter`.
   * @throws RedactionError `WHITELIST_TOO_COSTLY`
   */
  redact(texts: readonly string[], rules?: RedactionRules | null): TextRedaction;
}

/** Creates a redactor that starts with the given private data, by name. */
export function createTextRedactor(privateData?: Readonly<Record<string, unknown>> | null): TextRedactor {
  const named = new NamedValues(privateData ?? {});
  const budget = new PatternBudget();
  return {
    redact(texts, rules) {
      const { knownValues, whitelist, countAfter } = rules ?? {};
      refuseUnknown('redact', rules ?? {}, RULES);
      named.names.skipTo(readCount(countAfter ?? 0));
      for (const { name } of texts.flatMap(findPlaceholders)) named.names.reserve(name);
      const task = new RedactionTask(named, distinctValues(knownValues ?? []), (type, text) =>
        whitelist?.findWithin(budget, type, text),
      );
      const report = task.report(
        texts,
        texts.map((text) => task.redact(text)),
      );
      named.add(report.addedPrivateData);
      return report;
    },
  };
}

/** `known` names every option, or it does not compile. */
function refuseUnknown<Options extends object>(
  owner: string,
  options: Options,
  known: Record<keyof Options, true>,
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `${owner}: unknown option '${unknown}'. Known options: ${Object.keys(known).join(', ')}.`,
  );
}

/** Where a value to be replaced comes from, which decides its name. */
type Source = { from: 'private data'; name: string } | KnownSource | { from: 'detection'; type: string };

interface KnownSource {
  from: 'known values';
  text: string;
  name: string;
  piiType: string;
}

/** Replacing a value can uncover an adjacent one, and that the next; a hostile text gets no more passes than this. */
const MAX_PASSES = 4;

/** Numbers stay short, and exact however many follow. */
const LARGEST_COUNT = 999_999_999;

/** The redaction of texts by the same rules. */
class RedactionTask {
  readonly #named: NamedValues;
  readonly #known: readonly KnownSource[];
  readonly #matcher: ValueMatcher;
  readonly #allowedBy: (type: string, text: string) => PIIWhitelistEntry | undefined;
  readonly #inserted = new Map<string, string>();
  readonly #matched = new Set<KnownSource>();
  readonly #whitelisted: WhitelistUse[] = [];

  constructor(
    named: NamedValues,
    known: readonly KnownSource[],
    allowedBy: (type: string, text: string) => PIIWhitelistEntry | undefined,
  ) {
    this.#named = named;
    this.#known = known;
    this.#matcher = createValueMatcher(
      known.map(({ text }, index) => ({ name: String(index), value: text })),
    );
    this.#allowedBy = allowedBy;
  }

  redact(text: string): string {
    let before: string;
    let redacted = text;
    let whitelisted: WhitelistUse[] = [];
    let passes = 0;
    do {
      before = redacted;
      whitelisted = [];
      redacted = this.#replaced(before, whitelisted);
      passes++;
    } while (redacted !== before && passes < MAX_PASSES);
    for (const use of whitelisted) this.#whitelisted.push(use);
    return redacted;
  }

  #replaced(text: string, whitelisted: WhitelistUse[]): string {
    let redacted = '';
    let at = 0;
    const found = [
      ...this.#knownCuts(text),
      ...this.#namedCuts(text),
      ...this.#detectedCuts(text, whitelisted),
    ];
    for (const cut of mergeCuts(text, found, findPlaceholders(text))) {
      const name = this.#nameOf(cut);
      this.#inserted.set(name, cut.value);
      redacted += text.slice(at, cut.start) + placeholder(name);
      at = cut.end;
    }
    return at === 0 ? text : redacted + text.slice(at);
  }

  report(texts: readonly string[], redacted: readonly string[]): TextRedaction {
    const inserted = Array.from(this.#inserted.keys());
    return {
      texts: redacted,
      insertedKeys: inserted,
      addedPrivateData: Object.fromEntries([...this.#inserted].filter(([name]) => !this.#named.has(name))),
      redactedTextCount: redacted.filter((text, index) => text !== texts[index]).length,
      redactedValueCount: inserted.length,
      matchedKnownValues: this.#known.filter((source) => this.#matched.has(source)).map(({ text }) => text),
      unmatchedKnownValues: this.#known
        .filter((source) => !this.#matched.has(source))
        .map(({ text }) => text),
      whitelisted: this.#whitelisted,
    };
  }

  *#knownCuts(text: string): Generator<Cut<Source>> {
    for (const { name: index, start, end } of this.#matcher.findWithShort(text)) {
      const source = this.#known[Number(index)];
      if (!source) continue;
      this.#matched.add(source);
      yield { start, end, source, value: source.text };
    }
  }

  *#namedCuts(text: string): Generator<Cut<Source>> {
    for (const { name, start, end } of this.#named.find(text))
      yield { start, end, value: text.slice(start, end), source: { from: 'private data', name } };
  }

  *#detectedCuts(text: string, whitelisted: WhitelistUse[]): Generator<Cut<Source>> {
    for (const { start, end, type } of findPersonalData(text)) {
      const value = text.slice(start, end);
      const entry = this.#allowedBy(type, value);
      if (entry === undefined) yield { start, end, value, source: { from: 'detection', type } };
      else whitelisted.push({ type, entry });
    }
  }

  #nameOf({ value, source, isJoined }: Cut<Source>): string {
    // The name of private data stands for that alone, and must not stand for more.
    if (source.from === 'private data' && !isJoined) return source.name;
    const { names } = this.#named;
    const known = names.nameOf(value);
    if (known !== undefined) return known;
    if (source.from === 'detection') return names.assignNumbered(source.type, value);
    if (source.from === 'private data') return names.assignNumbered(detectedType(value), value);
    if (source.name !== '') return names.assign(source.name, value);
    return names.assignNumbered(source.piiType || detectedType(value), value);
  }
}

function readCount(countAfter: number): number {
  if (Number.isInteger(countAfter) && countAfter >= 0 && countAfter <= LARGEST_COUNT) return countAfter;
  throw new RangeError(`countAfter must be a whole number from 0 to ${LARGEST_COUNT}`);
}

function distinctValues(values: Iterable<string | KnownValue>): KnownSource[] {
  const distinct = new Map<string, KnownSource>();
  let count = 0;
  for (const each of values) {
    count += 1;
    const { value, name, piiType }: KnownValue = typeof each === 'string' ? { value: each } : each;
    if (typeof value !== 'string')
      throw new TypeError(
        `Known value ${count} must be a string or { value, name, piiType } with a string as its value`,
      );
    const text = value.trim();
    if (text === '' || distinct.has(text)) continue;
    distinct.set(text, {
      from: 'known values',
      text,
      name: name?.trim() ?? '',
      piiType: piiType?.trim() ?? '',
    });
  }
  return [...distinct.values()];
}

/** The detected kind of a known value, else `value`. */
function detectedType(value: string): string {
  const [found] = detectPersonalData(value);
  return found && found.end - found.start === value.length ? found.type : 'value';
}
