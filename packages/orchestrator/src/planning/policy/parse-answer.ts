import type { JsonValue } from '@svc/contracts';
import type { PlannedQuestion } from '../plan-step.js';
import { holdsPlaceholder } from './placeholder-places.js';

/** A person's answer as a value of the question's type, or why it cannot be one. */
export type ParsedAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

const yes = new Set(['true', 'yes', 'y', '1', 'ok', 'sure']);
const no = new Set(['false', 'no', 'n', '0']);

const parsers: Readonly<
  Record<PlannedQuestion['input_type'], (text: string, question: PlannedQuestion) => ParsedAnswer>
> = {
  text: (text) => ({ ok: true, value: text }),
  number: (text) => {
    // A private number is told by its name; the tool that needs it gets the number itself where it runs.
    if (holdsPlaceholder(text)) return { ok: true, value: text };
    const digits = text.replaceAll(/[\s_]/g, '');
    const value = Number(digits);
    return digits !== '' && Number.isFinite(value)
      ? { ok: true, value }
      : { ok: false, problem: `"${text}" is not a number.` };
  },
  boolean: (text) => {
    const word = text.toLowerCase();
    if (yes.has(word)) return { ok: true, value: true };
    if (no.has(word)) return { ok: true, value: false };
    return { ok: false, problem: `"${text}" is neither yes nor no.` };
  },
  choice: (text, { choices = [] }) => {
    const value = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    return value === undefined
      ? { ok: false, problem: `"${text}" is none of: ${choices.join(', ')}.` }
      : { ok: true, value };
  },
};

/** Reads an answer as it came over the wire. Nothing, or an empty text, means that the person declined: `null`. */
export function parseAnswer(question: PlannedQuestion, raw: unknown): ParsedAnswer {
  if (raw === null || raw === undefined) return { ok: true, value: null };
  const text = (typeof raw === 'string' ? raw : JSON.stringify(raw)).trim();
  return text === '' ? { ok: true, value: null } : parsers[question.input_type](text, question);
}
