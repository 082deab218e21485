import { isJsonObject } from '../json-object.js';
import { withoutNulls, withoutNullsWithin } from '../without-nulls.js';

/** The fields of a tool's metadata that the orchestrator reads; the rest is the caller's and keeps its nulls. */
const RULES: ReadonlySet<string> = new Set(['execution_controls', 'arg_policies', 'producer_references']);

/** Reads null as absent in declared tools, except in a tool's schema, where it is a value, such as a default. */
export function coerceTools(tools: unknown): unknown {
  return Array.isArray(tools) ? tools.map(coerceTool) : tools;
}

function coerceTool(tool: unknown): unknown {
  const cleaned = withoutNulls(tool);
  if (!isJsonObject(cleaned) || !isJsonObject(cleaned['metadata'])) return cleaned;
  const metadata = Object.entries(cleaned['metadata'])
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, RULES.has(name) ? withoutNullsWithin(value) : value] as const);
  return { ...cleaned, metadata: Object.fromEntries(metadata) };
}
