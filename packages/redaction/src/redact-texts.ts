import { detectPersonalData } from './detect-personal-data.js';
import type { Span } from './detectors/detector.js';
import { type Cut, mergeCuts } from './merge-cuts.js';
import { PlaceholderNames } from './placeholder-names.js';
import { findPlaceholders, placeholder } from './placeholders.js';
import { SHORTEST_FOUND_VALUE } from './matching/compile-patterns.js';
import { createValueMatcher, type ValueMatcher } from './value-matcher.js';
import type { PIIWhitelist, PIIWhitelistEntry } from './whitelist.js';

/** A value that is known to be personal or secret. */
export interface KnownValue {
  value: string;
  /** The name it gets; without one it is numbered by its kind. */
  name?: string | null;
  /** Its kind, such as `person`; without one it is detected, or else `value`. */
  piiType?: string | null;
}

export interface RedactTextsOptions {
  /** Values to be replaced wherever they stand. Blank ones and repetitions are passed over. */
  knownValues?: Iterable<string | KnownValue>;
  /** Private values that have their names already: they are replaced too, and their names are not given again. */
  privateData?: Readonly<Record<string, unknown>>;
  /** Exceptions for what is detected. Known and private values are replaced in any case. */
  whitelist?: PIIWhitelist;
}

/** What stayed in clear because of a whitelist entry. */
export interface WhitelistUse {
  readonly type: string;
  readonly entry: PIIWhitelistEntry;
}

/** What came of a redaction. */
export interface TextRedaction {
  /** The texts, in their order, with placeholders in place of values. */
  readonly texts: readonly string[];
  /** The names of all placeholders that were put in, in the order they first stand in the texts. */
  readonly insertedKeys: readonly string[];
  /** The values of the names that are new. They are private: they stay in this process. */
  readonly addedPrivateData: Readonly<Record<string, string>>;
  /** How many texts were changed. */
  readonly redactedTextCount: number;
  /** How many different values were replaced. */
  readonly redactedValueCount: number;
  /** The known values that stood in the texts. */
  readonly matchedKnownValues: readonly string[];
  /** The known values that did not. */
  readonly unmatchedKnownValues: readonly string[];
  /** What was detected and stayed in clear, in the order it stands in the texts. */
  readonly whitelisted: readonly WhitelistUse[];
}

/**
 * Replaces known values and detected personal data by placeholders. Nothing leaves the process; the same value gets the
 * same name in all texts. Placeholders that stand in the texts already stay, and nothing new is numbered as they are.
 *
 * @throws TypeError for an option that does not exist, and for a known value that is no text.
 * @example
 * redactTexts(['Mail john@example.com']).texts; // ['Mail {_{pii_email_1}_}']
 */
export function redactTexts(texts: readonly string[], options: RedactTextsOptions = {}): TextRedaction {
  const redactor = new Redactor(options, texts);
  const redacted = texts.map((text) => redactor.redact(text));
  return redactor.report(texts, redacted);
}

/** Where a value to be replaced comes from, and so what it is called. */
type Source =
  | { from: 'private data'; name: string }
  | { from: 'known values'; text: string; name: string; piiType: string }
  | { from: 'detection'; type: string };

/** A replaced value can uncover another that it touched, and that one the next; a hostile text gets no more passes. */
const MAX_PASSES = 4;

class Redactor {
  readonly #sources: readonly Exclude<Source, { from: 'detection' }>[];
  readonly #matcher: ValueMatcher;
  /** Values too short to be found inside a text count as a whole one. */
  readonly #wholeTexts: ReadonlyMap<string, Source>;
  readonly #whitelist: PIIWhitelist | undefined;
  readonly #names = new PlaceholderNames();
  readonly #isTaken: (name: string) => boolean;
  readonly #inserted = new Map<string, string>();
  readonly #matched = new Set<Source>();
  readonly #whitelisted: WhitelistUse[] = [];

  constructor(options: RedactTextsOptions, texts: readonly string[]) {
    const { knownValues, privateData: named, whitelist, ...unknown } = options;
    const [misspelt] = Object.keys(unknown);
    if (misspelt !== undefined) throw new TypeError(`redactTexts does not know the option ${misspelt}`);
    const privateData = named ?? {};
    const taken = Object.keys(privateData);
    const known = distinctValues(knownValues ?? []);
    const values = [...known.map(({ text }) => text), ...Object.values(privateData)];
    this.#sources = [...known, ...taken.map((name) => ({ from: 'private data', name }) as const)];
    this.#matcher = createValueMatcher(values.map((value, index) => ({ name: String(index), value })));
    const whole = values.map((value) =>
      typeof value === 'string' || Number.isFinite(value) ? String(value).trim() : '',
    );
    this.#wholeTexts = firstByShortText(whole, this.#sources);
    this.#whitelist = whitelist ?? undefined;
    this.#isTaken = (name) => Object.hasOwn(privateData, name);
    for (const name of taken) this.#names.take(name, privateData[name]);
    for (const { name } of texts.flatMap(findPlaceholders)) this.#names.leave(name);
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
    this.#whitelisted.push(...whitelisted);
    return redacted;
  }

  #replaced(text: string, whitelisted: WhitelistUse[]): string {
    let redacted = '';
    let at = 0;
    const found = [...this.#knownCuts(text), ...this.#detectedCuts(text, whitelisted)];
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
    const known = this.#sources.filter((source) => source.from === 'known values');
    return {
      texts: redacted,
      insertedKeys: inserted,
      addedPrivateData: Object.fromEntries([...this.#inserted].filter(([name]) => !this.#isTaken(name))),
      redactedTextCount: redacted.filter((text, index) => text !== texts[index]).length,
      redactedValueCount: inserted.length,
      matchedKnownValues: known.filter((source) => this.#matched.has(source)).map(({ text }) => text),
      unmatchedKnownValues: known.filter((source) => !this.#matched.has(source)).map(({ text }) => text),
      whitelisted: this.#whitelisted,
    };
  }

  *#knownCuts(text: string): Generator<Cut<Source>> {
    const whole = this.#wholeTexts.get(text.trim());
    if (whole) yield this.#knownCut(whole, text, { start: 0, end: text.length });
    for (const found of this.#matcher.find(text)) {
      const source = this.#sources[Number(found.name)];
      if (source) yield this.#knownCut(source, text, found);
    }
  }

  #knownCut(source: Source, text: string, { start, end }: Span): Cut<Source> {
    this.#matched.add(source);
    const value = source.from === 'known values' ? source.text : text.slice(start, end);
    return { start, end, source, value };
  }

  *#detectedCuts(text: string, whitelisted: WhitelistUse[]): Generator<Cut<Source>> {
    for (const { start, end, type } of detectPersonalData(text)) {
      const value = text.slice(start, end);
      const entry = this.#whitelist?.find(type, value);
      if (entry === undefined) yield { start, end, value, source: { from: 'detection', type } };
      else whitelisted.push({ type, entry });
    }
  }

  #nameOf({ value, source }: Cut<Source>): string {
    if (source.from === 'private data') return source.name;
    if (source.from === 'detection') return this.#names.numbered(source.type, value);
    if (source.name !== '') return this.#names.named(source.name, value);
    return this.#names.numbered(source.piiType || detectedType(value), value);
  }
}

function firstByShortText(texts: string[], sources: readonly Source[]) {
  const first = new Map<string, Source>();
  for (const [index, source] of sources.entries()) {
    const text = texts[index] ?? '';
    if (text !== '' && text.length < SHORTEST_FOUND_VALUE && !first.has(text)) first.set(text, source);
  }
  return first;
}

function distinctValues(values: Iterable<string | KnownValue>): Extract<Source, { from: 'known values' }>[] {
  const distinct = new Map<string, Extract<Source, { from: 'known values' }>>();
  let count = 0;
  for (const given of values) {
    count += 1;
    const { value, name, piiType }: KnownValue = typeof given === 'string' ? { value: given } : given;
    if (typeof value !== 'string')
      throw new TypeError(
        `Known value ${count} is no text: give a text or { value, name, piiType } for each`,
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

/** The kind of a known value, if its form tells it. */
function detectedType(value: string): string {
  const [found] = detectPersonalData(value);
  return found && found.end - found.start === value.length ? found.type : 'value';
}
