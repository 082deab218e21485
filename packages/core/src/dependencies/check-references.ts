import { ToolError } from '../tools/errors.js';
import type { Call, CallBook } from './call-book.js';
import { missingDependency } from './errors.js';
import type { PlannedTool, RequiredReference } from './planned-tool.js';

/** Refuses a call with a reference that its producer did not return in this run. */
export async function checkReferences(planned: PlannedTool, call: Call, book: CallBook): Promise<void> {
  for (const reference of planned.references) await checkReference(reference, call, book);
}

async function checkReference(reference: RequiredReference, call: Call, book: CallBook): Promise<void> {
  const { argumentPath, producer } = reference;
  const outcomes = await Promise.all(book.callsOf(producer).map(({ outcome }) => outcome));
  const results = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.json] : []));
  if (results.length === 0) throw missingDependency(call.toolName, producer);
  if (isReturned(readPath(call.args, argumentPath), results)) return;
  throw new ToolError(
    `The argument '${argumentPath}' of '${call.toolName}' must be a reference that '${producer}' returned in this run.`,
    { code: 'TOOL_REFERENCE_INVALID', details: { argument_path: argumentPath, producer }, isRetryable: true },
  );
}

function readPath(value: unknown, path: string): unknown {
  let at = value;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.entries(at).find(([name]) => name === key)?.[1];
  }
  return at;
}

/** Whether a string, a number, or each item of an array occurs in a result. Other values are left to the tool. */
function isReturned(value: unknown, results: readonly unknown[]): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isReturned(item, results));
  if (typeof value !== 'string' && typeof value !== 'number') return true;
  return results.some((result) => contains(result, String(value)));
}

function contains(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return String(value) === text;
  return Object.values(value).some((item) => contains(item, text));
}
