import { isRecord } from '../is-record.js';

/** How many values a message may have outside its content. */
export const MAX_VALUES = 10_000;

/** How the names of the protocol's own metadata begin; the library takes any other metadata as it is. */
const PROTOCOL_PREFIX = 'io.modelcontextprotocol/';

/**
 * Whether a message, or a batch of them, has too many values outside its content, the fields of which are given. The MCP
 * library collects a fault for each invalid value, which takes seconds and gigabytes for a few megabytes.
 */
export function hasTooManyValues(json: unknown, contentFields: ReadonlySet<string>): boolean {
  const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (messages.length > MAX_VALUES) return true;
  const pending = messages.flatMap((message) => partsOf(message, contentFields));
  let count = pending.length;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inside.length;
    if (count > MAX_VALUES) return true;
    pending.push(...inside);
  }
  return false;
}

function partsOf(message: unknown, contentFields: ReadonlySet<string>): unknown[] {
  if (!isRecord(message)) return [message];
  const { params, result, error, ...rest } = message;
  const checked = [params, result, error].map((part) =>
    isRecord(part) ? checkedParts(part, contentFields) : part,
  );
  return [rest, ...checked];
}

function checkedParts(
  { _meta: meta, ...fields }: Readonly<Record<string, unknown>>,
  contentFields: ReadonlySet<string>,
): unknown[] {
  const others = Object.entries(fields).filter(([field]) => !contentFields.has(field));
  const isOfProtocol = ([name]: [string, unknown]) => name.startsWith(PROTOCOL_PREFIX);
  return [...others, isRecord(meta) ? Object.entries(meta).filter(isOfProtocol) : meta];
}
