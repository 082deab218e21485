/** The kinds of answers that people are asked for. */
export const INPUT_TYPES = ['text', 'choice', 'boolean', 'number', 'email', 'password'] as const;

/** What a person is asked for. */
export type InterruptInputType = (typeof INPUT_TYPES)[number];

/** What an answer must be. */
export interface AnswerRule {
  readonly inputType: InterruptInputType;
  /** The allowed answers of a `choice`. */
  readonly choices: readonly string[];
}

/** A parsed answer, or why it is none. */
export type ParsedAnswer = { ok: true; value: string | number | boolean } | { ok: false; problem: string };

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

const PARSERS = {
  text: (answer) => ({ ok: true, value: String(answer) }),
  password: (answer) => ({ ok: true, value: String(answer) }),
  choice: (answer, { choices }) =>
    choices.includes(String(answer))
      ? { ok: true, value: String(answer) }
      : { ok: false, problem: `must be one of: ${choices.join(', ')}` },
  boolean: (answer) => parseBoolean(answer),
  number: (answer) => {
    const isNone = typeof answer === 'boolean' || String(answer).trim() === '';
    const value = isNone ? Number.NaN : Number(answer);
    return Number.isFinite(value) ? { ok: true, value } : { ok: false, problem: 'must be a finite number' };
  },
  email: (answer) => {
    const value = String(answer).trim();
    return EMAIL.test(value) ? { ok: true, value } : { ok: false, problem: 'must be an e-mail address' };
  },
} as const satisfies Record<
  InterruptInputType,
  (answer: string | number | boolean, rule: AnswerRule) => ParsedAnswer
>;

/** Brings an answer, as a person or a form gives it, to the asked type. The answer never stands in the problem. */
export function parseAnswer(rule: AnswerRule, answer: unknown): ParsedAnswer {
  if (typeof answer !== 'string' && typeof answer !== 'number' && typeof answer !== 'boolean') {
    return { ok: false, problem: 'must be a text, a number or a boolean' };
  }
  return PARSERS[rule.inputType](answer, rule);
}

function parseBoolean(answer: string | number | boolean): ParsedAnswer {
  const word = String(answer).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return { ok: true, value: true };
  if (FALSE_WORDS.has(word)) return { ok: true, value: false };
  return { ok: false, problem: 'must be yes or no' };
}
