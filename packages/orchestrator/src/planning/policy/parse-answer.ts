import type { JsonValue } from '@svc/contracts';
import type { PlannedQuestion } from '../plan-step.js';
import { containsPlaceholder } from './placeholder-places.js';

const yes = new Set(['true', 'yes', 'y', '1', 'ok', 'sure']);
const no = new Set(['false', 'no', 'n', '0']);

const parsers: Readonly<
  Record<PlannedQuestion['input_type'], (text: string, question: PlannedQuestion) => JsonValue | undefined>
> = {
  text: (text) => text,
  number: (text) => {
    // A private number is passed as its placeholder; the tool receives the number itself where it runs.
    if (containsPlaceholder(text)) return text;
    const digits = text.replaceAll(/[\s_]/g, '');
    const value = Number(digits);
    return digits !== '' && Number.isFinite(value) ? value : undefined;
  },
  boolean: (text) => {
    const word = text.toLowerCase();
    if (yes.has(word)) return true;
    return no.has(word) ? false : undefined;
  },
  choice: (text, { choices = [] }) => choices.find((choice) => choice.toLowerCase() === text.toLowerCase()),
};

/**
 * Parses an answer from the wire as a value of the question's type; `undefined` when it cannot be one. An absent or
 * blank answer means that the user declined: `null`.
 */
export function parseAnswer(question: PlannedQuestion, raw: unknown): JsonValue | undefined {
  if (raw === null || raw === undefined) return null;
  const text = (typeof raw === 'string' ? raw : JSON.stringify(raw)).trim();
  return text === '' ? null : parsers[question.input_type](text, question);
}
