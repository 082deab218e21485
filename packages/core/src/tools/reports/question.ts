import type { ConfigurationError } from '../../config/errors.js';
import { kindOf, parseDuration, refuseUnknownOptions } from '../../config/options.js';
import { INPUT_TYPES } from '../../interrupts/input-type.js';
import { isArrayOf } from '../../is-array-of.js';
import { declarationError } from '../declaration-error.js';
import type { InterruptInjection } from '../references/injection.js';
import type { ToolQuestion } from './tool-reports.js';

/** How long a question stays open by default, in milliseconds. */
export const INTERRUPT_EXPIRES_IN_MS = 900_000;

/** Parses a tool's question to a person and fills in defaults. */
export function parseToolQuestion(
  question: ToolQuestion,
  owner: string,
): Omit<Required<ToolQuestion>, 'inputType' | 'signal'> &
  Pick<InterruptInjection, 'inputType'> & { signal: AbortSignal | undefined } {
  const known = ['name', 'prompt', 'inputType', 'choices', 'expiresInMs', 'signal'];
  refuseUnknownOptions(question, known, owner);
  const signal = question.signal ?? undefined;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidInterrupt(`${owner}: signal must be an AbortSignal, got ${kindOf(signal)}.`);
  return {
    signal,
    name: parseQuestionText(question.name, 'name', owner),
    prompt: parseQuestionText(question.prompt, 'prompt', owner),
    ...parseQuestion(question, owner),
  };
}

/** Parses the prompt, or the name of the answer. */
export function parseQuestionText(text: unknown, field: string, owner: string): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw invalidInterrupt(`${owner}: ${field} must be a non-blank string, got ${kindOf(text)}.`);
}

/** Creates the error for a question that nobody could answer. */
export function invalidInterrupt(message: string): ConfigurationError {
  return declarationError('TOOL_INVALID_INTERRUPT', message);
}

/** Parses how a question is answered and fills in defaults. */
export function parseQuestion(
  options: Readonly<Pick<ToolQuestion, 'inputType' | 'choices' | 'expiresInMs'>>,
  owner: string,
): Pick<InterruptInjection, 'inputType' | 'choices' | 'expiresInMs'> {
  const choices = options.choices ?? [];
  if (!isArrayOf(choices, (choice) => typeof choice === 'string'))
    throw invalidInterrupt(`${owner}: choices must be an array of strings.`);
  const expiresInMs = options.expiresInMs ?? INTERRUPT_EXPIRES_IN_MS;
  // An empty list is a mistake: as `text`, any answer would pass for one of the choices.
  const inputType = options.inputType ?? (options.choices ? 'choice' : 'text');
  if (!INPUT_TYPES.includes(inputType)) {
    throw invalidInterrupt(
      `${owner}: inputType must be one of ${INPUT_TYPES.join(', ')}, got '${String(inputType)}'.`,
    );
  }
  if ((inputType === 'choice') !== choices.length > 0) {
    throw invalidInterrupt(`${owner}: choices must have an entry if, and only if, inputType is 'choice'.`);
  }
  return { inputType, choices, expiresInMs: parseDuration(expiresInMs, `expiresInMs of ${owner}`) };
}
