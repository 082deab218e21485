import type { JsonValue } from '@svc/contracts';
import { renderValue } from '../../planning/answer/render-value.js';
import { isJsonObject, textOf } from '../../json-object.js';
import type { PlanTool } from '../../planning/plan-context.js';

/** The text of a result that is the final answer: an agent's response, a string as it is, any other value rendered. */
export function answerText(result: JsonValue, tool: PlanTool | undefined): string {
  const envelope = tool?.kind === 'agent' && isJsonObject(result) ? result : undefined;
  if (envelope) return textOf(envelope['response']) ?? answerText(envelope['result'] ?? null, undefined);
  if (result === null) return '';
  return typeof result === 'string' ? result : renderValue(result);
}
