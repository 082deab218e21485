import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject } from '../../json-object.js';

/** SHA-256 of a tool and its arguments, independent of key order. It binds an answer to the call it was given for. */
export function argsDigest(toolId: string, args: JsonObject): string {
  return createHash('sha256')
    .update(canonical([toolId, args]))
    .digest('hex');
}

function canonical(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}
