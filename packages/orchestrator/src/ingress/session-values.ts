import type { JsonValue } from '@svc/contracts';
import type { ResumeValue } from '@svc/contracts/orchestrator';
import type { ValueMatcher } from '@svc/redaction';

/** Finds the private values that a client sent when it started a session, with their number of characters. */
export interface SentValues {
  readonly matcher: ValueMatcher;
  readonly characters: number;
}

/** Finds a session's private values. `none`: none were sent; `gone`: they were, but this process no longer has them. */
export type KnownValues = ValueMatcher | 'none' | 'gone';

/** The code of a call whose result was withheld because the private values in it could not be found. */
export const PRIVATE_VALUES_GONE = 'PRIVATE_VALUES_GONE';

const maxSessions = 10_000;
const maxCharacters = 2_000_000;

/** The private values of the runs that work here, in memory only. The oldest are dropped when there are too many. */
export class SessionValues {
  readonly #kept = new Map<string, SentValues>();
  readonly #limits: { readonly sessions: number; readonly characters: number };
  #characters = 0;

  constructor(limits = { sessions: maxSessions, characters: maxCharacters }) {
    this.#limits = limits;
  }

  keep(sessionId: string, values: SentValues): void {
    this.drop(sessionId);
    const { sessions, characters } = this.#limits;
    if (values.characters > characters) return;
    this.#kept.set(sessionId, values);
    this.#characters += values.characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= sessions && this.#characters <= characters) return;
      this.drop(oldest);
    }
  }

  drop(sessionId: string): void {
    this.#characters -= this.#kept.get(sessionId)?.characters ?? 0;
    this.#kept.delete(sessionId);
  }

  find(sessionId: string): ValueMatcher | undefined {
    return this.#kept.get(sessionId)?.matcher;
  }
}

/** A posted result without private values. Once these are gone they cannot be found, so the result is withheld. */
export function cleanResult(value: ResumeValue, known: KnownValues): ResumeValue {
  if (known === 'none') return value;
  if (known === 'gone') {
    const message = 'The result was withheld: the private values of this session are no longer known here.';
    const error = { code: PRIVATE_VALUES_GONE, message, retryable: false };
    return { tool_event_id: value.tool_event_id, status: 'error', error };
  }
  if (value.status !== 'error') return { ...value, result: known.scrub(value.result) };
  const { code, message, retryable } = value.error;
  const error = { code: cleanText(code, known), message: cleanText(message, known), retryable };
  return { tool_event_id: value.tool_event_id, status: 'error', error };
}

/** What is kept of a free-text answer: nothing, once its private values cannot be found. */
export function cleanAnswer(value: JsonValue, known: KnownValues): JsonValue {
  if (known === 'none') return value;
  if (known === 'gone') return null;
  const cleaned = known.scrub(value);
  return cleaned === value ? value : String(cleaned);
}

/** A text without private values. */
export function cleanText(text: string, known: ValueMatcher): string {
  return String(known.scrub(text));
}
