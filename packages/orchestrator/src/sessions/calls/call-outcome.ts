import type { JsonValue } from '@svc/contracts';
import type { ResumeValue } from '@svc/contracts/orchestrator';
import type { CallOutcome } from '../../planning/plan-context.js';
import { isJsonObject, textOf } from '../../json-object.js';

const failed = (code: string, message: string): CallOutcome => ({
  status: 'error',
  error: { code, message },
});

/** How a call ended, from what was posted. The original clients send no status and post failures as results. */
export function callOutcome(value: ResumeValue, isAgent: boolean): CallOutcome {
  if (value.status === 'error') {
    const { code, message, retryable } = value.error;
    return { status: 'error', error: { code, message, ...(retryable == null ? {} : { retryable }) } };
  }
  // The body was parsed from JSON, so its values are JSON.
  const result = (value.result ?? null) as JsonValue;
  if (value.status === 'ok') return { status: 'ok', result };
  return plainFailure(result, isAgent) ?? { status: 'ok', result };
}

function plainFailure(result: JsonValue, isAgent: boolean): CallOutcome | undefined {
  // A nested session that failed without an answer is posted as null.
  if (result === null) return isAgent ? failed('AGENT_FAILED', 'The agent gave no answer.') : undefined;
  if (typeof result === 'string') {
    const [, message] = /^error:\s*([\s\S]*)$/i.exec(result) ?? [];
    return message === undefined ? undefined : failed('TOOL_FAILED', message || 'The tool failed.');
  }
  if (!isJsonObject(result) || result['error'] == null) return undefined;
  const { error } = result;
  const message = textOf(error) ?? (isJsonObject(error) ? textOf(error['message']) : undefined);
  return failed('TOOL_FAILED', message ?? JSON.stringify(error));
}
