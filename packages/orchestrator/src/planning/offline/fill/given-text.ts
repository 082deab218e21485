import { escapeText, labelOf } from '../../answer/markdown.js';
import { renderValue } from '../../answer/render-value.js';
import { isJsonObject, textOf } from '../../../json-object.js';
import type { Request } from '../mentions/request.js';

/** What other agents found, as text: a member without tools answers with it, others pass it on. */
export function givenText(given: Request['given']): string | undefined {
  const parts = [...given].map(([name, value]) => {
    const envelope = isJsonObject(value) && ('response' in value || 'result' in value) ? value : undefined;
    const said = textOf(envelope?.['response']);
    const body = said?.trim() || renderValue(envelope ? (envelope['result'] ?? null) : value);
    return given.size > 1 ? `### ${escapeText(labelOf(name))}\n\n${body}` : body;
  });
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}
