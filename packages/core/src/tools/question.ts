import type { ConfigurationError } from '../config/errors.js';
import { parseDuration, refuseUnknownOptions } from '../config/options.js';
import { INPUT_TYPES } from '../interrupts/input-type.js';
import { declarationError } from './declaration-error.js';
import type { InterruptInjection } from './injection.js';
import type { ToolQuestion } from './tool-reports.js';

/** How long a question to a person stays open unless it says otherwise, in milliseconds. */
export const INTERRUPT_EXPIRES_IN_MS = 900_000;

/** What a tool asks a person, with the defaults filled. */
export function parseToolQuestion(
  question: ToolQuestion,
  owner: string,
): Omit<Required<ToolQuestion>, 'inputType'> & Pick<InterruptInjection, 'inputType'> {
  const known = ['name', 'prompt', 'inputType', 'choices', 'expiresInMs'];
  refuseUnknownOptions(question, known, owner);
  return {
    name: parseQuestionText(question.name, 'name', owner),
    prompt: parseQuestionText(question.prompt, 'prompt', owner),
    ...parseQuestion(question, owner),
  };
}

/** What is asked, or what the answer is called. */
export function parseQuestionText(text: unknown, field: string, owner: string): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw invalidInterrupt(`${owner} needs a ${field} that is a text and not blank.`);
}

/** A question is put in a way that nobody could answer. */
export function invalidInterrupt(message: string): ConfigurationError {
  return declarationError('TOOL_INVALID_INTERRUPT', message);
}

/** How a question is to be answered, with the defaults filled. */
export function parseQuestion(
  options: Readonly<Pick<ToolQuestion, 'inputType' | 'choices' | 'expiresInMs'>>,
  owner: string,
): Pick<InterruptInjection, 'inputType' | 'choices' | 'expiresInMs'> {
  const choices = options.choices ?? [];
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'string'))
    throw invalidInterrupt(`${owner} takes a list of texts as choices.`);
  const expiresInMs = options.expiresInMs ?? INTERRUPT_EXPIRES_IN_MS;
  const inputType = options.inputType ?? (choices.length > 0 ? 'choice' : 'text');
  if (!INPUT_TYPES.includes(inputType)) {
    throw invalidInterrupt(
      `${owner} does not know the inputType '${String(inputType)}'. Known are ${INPUT_TYPES.join(', ')}.`,
    );
  }
  if ((inputType === 'choice') !== choices.length > 0) {
    throw invalidInterrupt(`${owner} needs choices for a choice, and only then.`);
  }
  return { inputType, choices, expiresInMs: parseDuration(expiresInMs, `expiresInMs of ${owner}`) };
}
