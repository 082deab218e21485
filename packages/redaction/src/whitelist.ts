import { RedactionError } from './errors.js';
import { compilePattern, PatternEffort, type WhitelistPattern } from './whitelist-pattern.js';

/** One justified exception from redaction. Exactly one of `entityType`, `pattern` and `value` is given. */
export interface PIIWhitelistEntry {
  /** A kind of personal data, such as `email`; letter case does not matter. */
  entityType?: string | null | undefined;
  /** A regular expression that the whole of a find has to match; letter case does not matter. */
  pattern?: string | null | undefined;
  /** A text of at least 3 characters that the whole of a find has to be; letter case does not matter. */
  value?: string | null | undefined;
  /** Why this may be shown: 8 to 512 characters. It is kept for audits. */
  justification: string;
  /** A short name of up to 128 characters. */
  label?: string | null | undefined;
}

/** What a whitelist is made of. */
export interface PIIWhitelistOptions {
  entries?: Iterable<PIIWhitelistEntry> | undefined;
  /**
   * Refuses exceptions for whole kinds of data that US health privacy rules (HIPAA Safe Harbor) name.
   * @default false
   */
  phiMode?: boolean | undefined;
}

/** A whitelist as it crosses a process. */
export interface PIIWhitelistData {
  entries: {
    entity_type?: string;
    pattern?: string;
    value?: string;
    justification: string;
    label?: string;
  }[];
  phi_mode: boolean;
}

const SHORTEST_JUSTIFICATION = 8;
const LONGEST_JUSTIFICATION = 512;
const LONGEST_LABEL = 128;
const SHORTEST_VALUE = 3;

const phiTypes = new Set(
  (
    'person ssn phone fax email credit_card iban swift account_id medical_record_number health_plan_id certificate_id ' +
    'license_id vehicle_id device_id biometric_id ip_address url date datetime'
  ).split(' '),
);

/** What an entry allows. */
type Selector =
  | { readonly by: 'type' | 'value'; readonly text: string }
  | { readonly by: 'pattern'; readonly pattern: WhitelistPattern };

/**
 * Justified exceptions from redaction. A find that an entry allows stays in clear; every use is reported.
 *
 * Throws a {@link RedactionError} for an option that does not exist or does not fit, and for an entry without a
 * justification of 8 to 512 characters, with none or several of its three selectors, with a value under 3 characters, a
 * label over 128, or a pattern that is invalid, that allows anything, or that could take very long; and with `phiMode`
 * for an entity type that Safe Harbor names.
 */
export class PIIWhitelist {
  /** The entries as they were given. */
  readonly entries: readonly PIIWhitelistEntry[];
  /** Whether whole kinds of health data may not be excepted. */
  readonly phiMode: boolean;
  /** The first entry for each type and value, and all patterns, by their place among the entries. */
  readonly #types = new Map<string, number>();
  readonly #values = new Map<string, number>();
  readonly #patterns: (readonly [place: number, pattern: WhitelistPattern])[] = [];

  constructor(options: PIIWhitelistOptions = {}) {
    refuseUnknown(options, ['entries', 'phiMode'], 'A PIIWhitelist');
    const entries = options.entries ?? [];
    const phiMode = options.phiMode ?? false;
    if (typeof entries === 'string' || typeof Object(entries)[Symbol.iterator] !== 'function') {
      throw invalidOption('A PIIWhitelist takes a list as entries.');
    }
    if (typeof phiMode !== 'boolean') throw invalidOption('A PIIWhitelist takes true or false as phiMode.');
    this.entries = Object.freeze(Array.from(entries, copyEntry));
    this.phiMode = phiMode;
    for (const [place, entry] of this.entries.entries())
      this.#add(compileEntry(entry, place, phiMode), place);
  }

  /** Reads a whitelist that came from another process. Throws as the constructor does. */
  static fromData({ entries, phi_mode: phiMode }: LooseWhitelistData): PIIWhitelist {
    return new PIIWhitelist({
      entries: (entries ?? []).map(({ entity_type: entityType, pattern, value, justification, label }) => ({
        entityType,
        pattern,
        value,
        justification,
        label,
      })),
      phiMode: phiMode ?? false,
    });
  }

  /**
   * The entry that allows a find of this type and text to stay in clear.
   *
   * @throws RedactionError `WHITELIST_TOO_COSTLY` when very many costly patterns would have to be tried.
   */
  find(type: string, text: string): PIIWhitelistEntry | undefined {
    return this.findWithin(new PatternEffort(), type, text);
  }

  /** @internal The same, with an effort that many finds share. */
  findWithin(effort: PatternEffort, type: string, text: string): PIIWhitelistEntry | undefined {
    const byType = this.#types.get(type.toLowerCase()) ?? Number.POSITIVE_INFINITY;
    const byValue = this.#values.get(text.trim().toLowerCase()) ?? Number.POSITIVE_INFINITY;
    const first = Math.min(byType, byValue);
    const byPattern = this.#patterns.find(
      ([place, pattern]) => place < first && pattern.allows(text, effort),
    );
    return this.entries[byPattern?.[0] ?? first];
  }

  #add(selector: Selector, place: number): void {
    if (selector.by === 'pattern') {
      this.#patterns.push([place, selector.pattern]);
      return;
    }
    const places = selector.by === 'type' ? this.#types : this.#values;
    if (!places.has(selector.text)) places.set(selector.text, place);
  }

  /** The whitelist as it crosses a process. */
  toJSON(): PIIWhitelistData {
    return {
      entries: this.entries.map(({ entityType, pattern, value, justification, label }) => ({
        ...(entityType == null ? {} : { entity_type: entityType.trim().toLowerCase() }),
        ...(pattern == null ? {} : { pattern }),
        ...(value == null ? {} : { value }),
        justification,
        ...(label == null ? {} : { label }),
      })),
      phi_mode: this.phiMode,
    };
  }
}

interface LooseWhitelistData {
  entries?:
    | readonly {
        entity_type?: string | null | undefined;
        pattern?: string | null | undefined;
        value?: string | null | undefined;
        justification: string;
        label?: string | null | undefined;
      }[]
    | null;
  phi_mode?: boolean | null;
}

const ENTRY_FIELDS = [
  'entityType',
  'pattern',
  'value',
  'justification',
  'label',
] satisfies (keyof PIIWhitelistEntry)[];

function copyEntry(entry: PIIWhitelistEntry, index: number): PIIWhitelistEntry {
  const at = `Whitelist entry ${index + 1}`;
  refuseUnknown(entry, ENTRY_FIELDS, at);
  for (const field of ENTRY_FIELDS) {
    const value: unknown = entry[field] ?? '';
    if (typeof value !== 'string')
      throw invalidOption(`${at} takes a text as ${field}, not ${typeof value}.`);
  }
  return Object.freeze({ ...entry });
}

/** A typo would leave out what the caller wanted to have. */
function refuseUnknown(given: object, known: readonly string[], owner: string): void {
  if (typeof given !== 'object' || given === null) throw invalidOption(`${owner} is made of an object.`);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw invalidOption(`${owner} does not know ${unknown.join(', ')}. Known are ${known.join(', ')}.`);
}

function invalidOption(message: string): RedactionError {
  return new RedactionError(message, { code: 'WHITELIST_OPTION_INVALID' });
}

function compileEntry(entry: PIIWhitelistEntry, index: number, phiMode: boolean): Selector {
  const at = `Whitelist entry ${index + 1}`;
  const { length } = (entry.justification ?? '').trim();
  if (length < SHORTEST_JUSTIFICATION || length > LONGEST_JUSTIFICATION) {
    const message = `${at} has a justification of ${length} characters. Say why in ${SHORTEST_JUSTIFICATION} to ${LONGEST_JUSTIFICATION}.`;
    throw new RedactionError(message, { code: 'WHITELIST_JUSTIFICATION_INVALID' });
  }
  if ((entry.label?.length ?? 0) > LONGEST_LABEL) {
    const message = `${at} has a label of ${entry.label?.length} characters. Use at most ${LONGEST_LABEL}.`;
    throw new RedactionError(message, { code: 'WHITELIST_LABEL_TOO_LONG' });
  }
  return compileSelector(entry, at, phiMode);
}

function compileSelector(entry: PIIWhitelistEntry, at: string, phiMode: boolean): Selector {
  const type = entry.entityType?.trim().toLowerCase() ?? '';
  const value = entry.value?.trim() ?? '';
  const pattern = entry.pattern ?? '';
  const given = [type, value, pattern].filter((selector) => selector !== '').length;
  if (given !== 1) {
    const message = `${at} has ${given} selectors. Give exactly one of entityType, pattern and value.`;
    throw new RedactionError(message, { code: 'WHITELIST_SELECTOR_INVALID' });
  }
  if (type !== '') return compileType(type, at, phiMode);
  if (pattern !== '') return { by: 'pattern', pattern: compilePattern(pattern, at) };
  if (value.length < SHORTEST_VALUE) {
    const message = `${at} has a value of ${value.length} characters. Give at least ${SHORTEST_VALUE}.`;
    throw new RedactionError(message, { code: 'WHITELIST_VALUE_TOO_SHORT' });
  }
  return { by: 'value', text: value.toLowerCase() };
}

function compileType(type: string, at: string, phiMode: boolean): Selector {
  if (phiMode && phiTypes.has(type)) {
    const message = `${at} excepts every find of type ${type}, which phiMode does not allow. Except values or patterns.`;
    throw new RedactionError(message, { code: 'WHITELIST_PHI_TYPE_FORBIDDEN' });
  }
  return { by: 'type', text: type };
}
