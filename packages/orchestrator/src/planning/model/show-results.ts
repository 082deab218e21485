import type { JsonValue } from '@svc/contracts';
import type { ToolResultPart } from 'ai';
import { cutText } from '../../cut-text.js';
import type { CallOutcome, RecordedCall, RecordedStep } from '../plan-context.js';

/** What a model is shown as the output of its call. */
export type ToolOutput = Extract<ToolResultPart['output'], { type: 'json' | 'text' | 'error-text' }>;

/** Characters of one result shown to a model. */
export const MAX_RESULT_LENGTH = 60_000;
/** Characters of all results of a run shown to a model: many short ones could fill its context too. */
const maxLength = 400_000;
/** Characters of each result that are always shown, so that a model knows what there was. */
const minLength = 1_000;

type MutableJson = Extract<ToolOutput, { type: 'json' }>['value'];

/** The SDK's JSON type is mutable where ours is readonly, but the SDK only reads. */
export const mutable = (value: JsonValue): MutableJson => value as MutableJson;

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const shown = cutText(text, length);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

/** An outcome as a model sees it, and its length. */
function show(outcome: CallOutcome | undefined, length: number): { output: ToolOutput; length: number } {
  if (outcome?.status === 'ok') {
    const text = JSON.stringify(outcome.result);
    const value = shorten(text, length);
    const isWhole = value === text;
    return {
      output: isWhole ? { type: 'json', value: mutable(outcome.result) } : { type: 'text', value },
      length: value.length,
    };
  }
  const value = shorten(outcome ? `${outcome.error.code}: ${outcome.error.message}` : 'not run', length);
  return { output: { type: 'error-text', value }, length: value.length };
}

/** The output shown to a model for each call of a run: the newest results in full, the beginning of the oldest. */
export function showResults(steps: readonly RecordedStep[]): (call: RecordedCall) => ToolOutput {
  const calls = steps.flatMap((step) => (step.type === 'call' ? step.calls : []));
  const outputs = new Map<RecordedCall, ToolOutput>();
  let left = maxLength;
  for (const call of calls.toReversed()) {
    const { output, length } = show(call.outcome, Math.min(MAX_RESULT_LENGTH, Math.max(minLength, left)));
    left -= length;
    outputs.set(call, output);
  }
  return (call) => outputs.get(call) ?? show(call.outcome, minLength).output;
}
