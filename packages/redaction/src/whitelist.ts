import { RedactionError } from './errors.js';
import { compilePattern, PatternBudget, type WhitelistPattern } from './whitelist-pattern.js';

/** One justified exception from redaction. Set exactly one of `entityType`, `pattern` and `value`. */
export interface PIIWhitelistEntry {
  /** A kind of personal data, such as `email`. Case-insensitive. */
  entityType?: string | null | undefined;
  /** A regular expression that must match the whole detected text. Case-insensitive. */
  pattern?: string | null | undefined;
  /** A string of at least 3 characters that must equal the whole detected text. Case-insensitive. */
  value?: string | null | undefined;
  /** Why this may be shown, in 8 to 512 characters. Kept for audits. */
  justification: string;
  /** A short name, up to 128 characters. */
  label?: string | null | undefined;
}

/** The options of a {@link PIIWhitelist}. */
export interface PIIWhitelistOptions {
  /** The exceptions. @default [] */
  entries?: Iterable<PIIWhitelistEntry> | undefined;
  /**
   * Rejects exceptions for whole kinds of data named by the US health privacy rules (HIPAA Safe Harbor).
   * @default false
   */
  phiMode?: boolean | undefined;
}

/** A whitelist in serialized form. */
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
 * Justified exceptions from redaction. Detected data that an entry allows stays in clear, and every use is reported.
 *
 * The constructor throws a {@link RedactionError} for an unknown or invalid option, and for an entry without a
 * justification of 8 to 512 characters, with none or several of its three selectors, with a value under 3 characters, a
 * label over 128, or a pattern that is invalid, allows anything or could take very long; with `phiMode` also for an
 * entity type named by Safe Harbor.
 */
export class PIIWhitelist {
  /** Copies of the entries. */
  readonly entries: readonly PIIWhitelistEntry[];
  /** Whether exceptions for whole kinds of health data are rejected. */
  readonly phiMode: boolean;
  /** The index of the first entry for each type and value, and all patterns with their index. */
  readonly #types = new Map<string, number>();
  readonly #values = new Map<string, number>();
  readonly #patterns: (readonly [place: number, pattern: WhitelistPattern])[] = [];

  constructor(options: PIIWhitelistOptions = {}) {
    refuseUnknown(options, ['entries', 'phiMode'], 'PIIWhitelist options');
    const entries = options.entries ?? [];
    const phiMode = options.phiMode ?? false;
    if (typeof entries === 'string' || typeof Object(entries)[Symbol.iterator] !== 'function') {
      throw invalidOption(`entries must be an array of entries, got ${typeof entries}.`);
    }
    if (typeof phiMode !== 'boolean')
      throw invalidOption(`phiMode must be a boolean, got ${typeof phiMode}.`);
    this.entries = Object.freeze(Array.from(entries, copyEntry));
    this.phiMode = phiMode;
    for (const [place, entry] of this.entries.entries())
      this.#add(compileEntry(entry, place, phiMode), place);
  }

  /** Creates a whitelist from its serialized form. Throws as the constructor does. */
  static fromData(data: LooseWhitelistData): PIIWhitelist {
    const { entries, phi_mode: phiMode } = data;
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
   * Returns the entry that allows detected data of this type and text to stay in clear.
   *
   * @throws RedactionError `WHITELIST_TOO_COSTLY` if too many costly patterns would have to be tried.
   */
  find(type: string, text: string): PIIWhitelistEntry | undefined {
    return this.findWithin(new PatternBudget(), type, text);
  }

  /** @internal Works like `find`, with a budget shared by many calls. */
  findWithin(budget: PatternBudget, type: string, text: string): PIIWhitelistEntry | undefined {
    const byType = this.#types.get(type.toLowerCase()) ?? Number.POSITIVE_INFINITY;
    const byValue = this.#values.get(text.trim().toLowerCase()) ?? Number.POSITIVE_INFINITY;
    const first = Math.min(byType, byValue);
    const byPattern = this.#patterns.find(
      ([place, pattern]) => place < first && pattern.allows(text, budget),
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

  /** Returns the whitelist in serialized form. */
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
      throw invalidOption(`${at}: ${field} must be a string, got ${typeof value}.`);
  }
  return Object.freeze({ ...entry });
}

/** A misspelt field would otherwise be ignored silently. */
function refuseUnknown(value: object, known: readonly string[], owner: string): void {
  if (typeof value !== 'object' || value === null)
    throw invalidOption(`${owner} must be an object, got ${value === null ? 'null' : typeof value}.`);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw invalidOption(`${owner}: unknown fields ${unknown.join(', ')}. Known fields: ${known.join(', ')}.`);
}

function invalidOption(message: string): RedactionError {
  return new RedactionError(message, { code: 'WHITELIST_OPTION_INVALID' });
}

function compileEntry(entry: PIIWhitelistEntry, index: number, phiMode: boolean): Selector {
  const at = `Whitelist entry ${index + 1}`;
  const { length } = (entry.justification ?? '').trim();
  if (length < SHORTEST_JUSTIFICATION || length > LONGEST_JUSTIFICATION) {
    const message = `${at}: justification must be ${SHORTEST_JUSTIFICATION} to ${LONGEST_JUSTIFICATION} characters, got ${length}.`;
    throw new RedactionError(message, { code: 'WHITELIST_JUSTIFICATION_INVALID' });
  }
  if ((entry.label?.length ?? 0) > LONGEST_LABEL) {
    const message = `${at}: label must be at most ${LONGEST_LABEL} characters, got ${entry.label?.length}.`;
    throw new RedactionError(message, { code: 'WHITELIST_LABEL_TOO_LONG' });
  }
  return compileSelector(entry, at, phiMode);
}

function compileSelector(entry: PIIWhitelistEntry, at: string, phiMode: boolean): Selector {
  const type = entry.entityType?.trim().toLowerCase() ?? '';
  const value = entry.value?.trim() ?? '';
  const pattern = entry.pattern ?? '';
  const count = [type, value, pattern].filter((selector) => selector !== '').length;
  if (count !== 1) {
    const message = `${at} must have exactly one of entityType, pattern and value, got ${count}.`;
    throw new RedactionError(message, { code: 'WHITELIST_SELECTOR_INVALID' });
  }
  if (type !== '') return compileType(type, at, phiMode);
  if (pattern !== '') return { by: 'pattern', pattern: compilePattern(pattern, at) };
  if (value.length < SHORTEST_VALUE) {
    const message = `${at}: value must be at least ${SHORTEST_VALUE} characters, got ${value.length}.`;
    throw new RedactionError(message, { code: 'WHITELIST_VALUE_TOO_SHORT' });
  }
  return { by: 'value', text: value.toLowerCase() };
}

function compileType(type: string, at: string, phiMode: boolean): Selector {
  if (phiMode && phiTypes.has(type)) {
    const message = `${at}: entityType ${type} is not allowed with phiMode. Use a value or pattern instead.`;
    throw new RedactionError(message, { code: 'WHITELIST_PHI_TYPE_FORBIDDEN' });
  }
  return { by: 'type', text: type };
}
