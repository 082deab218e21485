import { isJsonObject } from '../json-object.js';
import { eachWithoutNulls, withoutNulls, withoutNullsWithin } from '../without-nulls.js';

const aliases: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' };

/**
 * Reads messages as leniently as the original does: `role` may replace `type`, in any case, `user` and `assistant` are
 * accepted, and attachments may be next to the content. The schema refuses anything that is not a message.
 */
export function coerceMessages(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(coerceMessage) : messages;
}

/** Reads one message the same way. */
export function coerceMessage(message: unknown): unknown {
  const fields = withoutNulls(message);
  if (!isJsonObject(fields)) return fields;
  const type = fields['type'] ?? fields['role'];
  if (typeof type !== 'string') return fields;
  const lower = type.toLowerCase();
  const { attachments, additional_kwargs, pii_whitelist, ...rest }: Record<string, unknown> = fields;
  return {
    ...rest,
    type: aliases[lower] ?? lower,
    ...(pii_whitelist === undefined ? {} : { pii_whitelist: withoutNullsWithin(pii_whitelist) }),
    ...coerceKwargs(additional_kwargs, attachments),
  };
}

function coerceKwargs(kwargs: unknown, attachments: unknown): object {
  if (kwargs === undefined && attachments === undefined) return {};
  const merged =
    attachments === undefined ? kwargs : { attachments, ...(isJsonObject(kwargs) ? kwargs : {}) };
  if (!isJsonObject(merged) || merged['attachments'] === undefined) return { additional_kwargs: merged };
  return { additional_kwargs: { ...merged, attachments: eachWithoutNulls(merged['attachments']) } };
}
