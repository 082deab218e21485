import { isJsonObject } from '../planning/json-object.js';

const aliases: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' };

/**
 * Reads messages as leniently as the original does: `role` stands in for `type`, in any case, `user` and `assistant`
 * are known, and attachments may stand beside the content. What is no message is left for the schema to refuse.
 */
export function coerceMessages(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(coerceMessage) : messages;
}

function coerceMessage(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  const given = message['type'] ?? message['role'];
  if (typeof given !== 'string') return message;
  const lower = given.toLowerCase();
  const coerced = { ...withoutNulls(message), type: aliases[lower] ?? lower };
  const { attachments, additional_kwargs, ...rest } = coerced as Record<string, unknown>;
  if (attachments === undefined) return coerced;
  const kwargs = isJsonObject(additional_kwargs) ? additional_kwargs : {};
  return { ...rest, additional_kwargs: { attachments, ...kwargs } };
}

/** Absent and null mean the same. */
function withoutNulls(message: object): object {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
}
