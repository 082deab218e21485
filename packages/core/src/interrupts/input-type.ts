/** The types of answers. */
export const INPUT_TYPES = ['text', 'choice', 'boolean', 'number', 'email', 'password'] as const;

/** The type of answer that a question asks for. */
export type InterruptInputType = (typeof INPUT_TYPES)[number];

/** The rule that an answer must satisfy. */
export interface AnswerRule {
  readonly inputType: InterruptInputType;
  /** The allowed answers of a `choice`. */
  readonly choices: readonly string[];
}

/** A parsed answer, or the reason why it is invalid. */
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
    const isNotNumeric = typeof answer === 'boolean' || String(answer).trim() === '';
    const value = isNotNumeric ? Number.NaN : Number(answer);
    return Number.isFinite(value) ? { ok: true, value } : { ok: false, problem: 'must be a finite number' };
  },
  email: (answer) => {
    const value = String(answer).trim();
    return EMAIL.test(value) ? { ok: true, value } : { ok: false, problem: 'must be an email address' };
  },
} as const satisfies Record<
  InterruptInputType,
  (answer: string | number | boolean, rule: AnswerRule) => ParsedAnswer
>;

/** Converts an answer from a person or a form to the requested type. The problem never contains the answer. */
export function parseAnswer(rule: AnswerRule, answer: unknown): ParsedAnswer {
  if (typeof answer !== 'string' && typeof answer !== 'number' && typeof answer !== 'boolean') {
    return { ok: false, problem: 'must be a string, a number or a boolean' };
  }
  return PARSERS[rule.inputType](answer, rule);
}

function parseBoolean(answer: string | number | boolean): ParsedAnswer {
  const word = String(answer).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return { ok: true, value: true };
  if (FALSE_WORDS.has(word)) return { ok: true, value: false };
  return { ok: false, problem: 'must be yes or no' };
}
