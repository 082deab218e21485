import { isJsonObject } from '../json-object.js';
import { eachWithoutNulls, withoutNulls, withoutNullsWithin } from '../without-nulls.js';

const aliases: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' };

/**
 * Reads messages as leniently as the original does: `role` stands in for `type`, in any case, `user` and `assistant`
 * are known, and attachments may stand beside the content. What is no message is left for the schema to refuse.
 */
export function coerceMessages(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(coerceMessage) : messages;
}

/** The same of one message. */
export function coerceMessage(message: unknown): unknown {
  const given = withoutNulls(message);
  if (!isJsonObject(given)) return given;
  const type = given['type'] ?? given['role'];
  if (typeof type !== 'string') return given;
  const lower = type.toLowerCase();
  const { attachments, additional_kwargs, pii_whitelist, ...rest }: Record<string, unknown> = given;
  return {
    ...rest,
    type: aliases[lower] ?? lower,
    ...(pii_whitelist === undefined ? {} : { pii_whitelist: withoutNullsWithin(pii_whitelist) }),
    ...coerceKwargs(additional_kwargs, attachments),
  };
}

function coerceKwargs(kwargs: unknown, beside: unknown): object {
  if (kwargs === undefined && beside === undefined) return {};
  const given =
    beside === undefined ? kwargs : { attachments: beside, ...(isJsonObject(kwargs) ? kwargs : {}) };
  if (!isJsonObject(given) || given['attachments'] === undefined) return { additional_kwargs: given };
  return { additional_kwargs: { ...given, attachments: eachWithoutNulls(given['attachments']) } };
}
