import type { JsonObject, JsonValue } from '@svc/contracts';
import { schemaProblems } from '../../policy/check-json.js';
import { typesOf } from '../tools/argument-role.js';
import type { Clause } from '../tools/clauses.js';
import type { DateMention } from '../mentions/date-mentions.js';
import { maskSpans, overlaps, type Mention, type Span } from '../mentions/mentions.js';
import type { MentionKind } from '../mentions/mention-patterns.js';

/** Stands for a character that an argument has taken. */
export const TAKEN = '\u0000';

/** The arguments of one call being filled: what the text offers, and which parts of it are taken. */
export class FillScope {
  readonly clause: Clause;
  readonly #taken: Span[] = [];

  constructor(clause: Clause) {
    this.clause = clause;
  }

  /** Marks a part of the text as used, so that no other argument takes it. */
  take(span: Span): void {
    this.#taken.push(span);
  }

  /** Whether a part of the text is still free, and not denied. */
  isFree(span: Span): boolean {
    return ![...this.#taken, ...this.clause.denied].some((each) => overlaps(each, span));
  }

  /** Mentions of the clause itself that no argument has taken yet. */
  own(...kinds: MentionKind[]): Mention[] {
    return this.clause.mentions.all.filter((each) => kinds.includes(each.kind) && this.isFree(each));
  }

  /** Mentions of earlier clauses, for a clause that refers back or a required argument. */
  inherited(required: boolean, ...kinds: MentionKind[]): Mention[] {
    if (!required && !this.clause.refersBack) return [];
    return this.clause.inherited.all.filter((each) => kinds.includes(each.kind));
  }

  /** Dates of the clause, or those it inherits. */
  dates(): DateMention[] {
    const own = this.clause.mentions.dates.filter((date) => this.isFree(date));
    return own.length > 0 || !this.clause.refersBack ? own : [...this.clause.inherited.dates];
  }

  /** The text with all taken parts replaced by {@link TAKEN}, so that their neighbors do not run together. */
  freeText(): string {
    return maskSpans(this.clause.text, this.#taken, TAKEN);
  }

  /** The free text without what is denied. */
  wantedText(): string {
    return maskSpans(this.freeText(), this.clause.denied, TAKEN);
  }
}

/** A text read as a value of a schema; undefined when it cannot be one. */
export function coerce(text: string, schema: JsonObject): JsonValue | undefined {
  const types = typesOf(schema);
  const readings: JsonValue[] = [];
  const trimmed = text.trim();
  if (types.includes('integer') || types.includes('number')) {
    const value = Number(trimmed);
    if (trimmed !== '' && Number.isFinite(value)) readings.push(value);
  }
  if (types.includes('boolean') && /^(?:true|yes|on)$/i.test(trimmed)) readings.push(true);
  if (types.includes('boolean') && /^(?:false|no|off)$/i.test(trimmed)) readings.push(false);
  if (types.includes('array') || types.includes('object')) readings.push(...parseJson(trimmed));
  const members = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const member = members.find((each) => String(each).toLowerCase() === trimmed.toLowerCase());
  if (member !== undefined) readings.push(member);
  if (types.length === 0 || types.includes('string')) readings.push(trimmed);
  return readings.find((value) => schemaProblems(schema, value).length === 0);
}

function parseJson(text: string): JsonValue[] {
  if (!/^[[{]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    // Not JSON after all; other readings are tried next.
    return [];
  }
}

/** The value itself when it fits the schema. */
export const fitting = (value: JsonValue | undefined, schema: JsonObject): JsonValue | undefined =>
  value !== undefined && schemaProblems(schema, value).length === 0 ? value : undefined;
