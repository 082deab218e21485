import { withDeadline } from '../../deadline.js';
import { ToolError } from '../errors.js';
import { listIssues } from '../declaration/input-schema.js';
import { parseReadings } from './parse-readings.js';
import type { InputIssue, Tool, ToolContext } from '../declaration/tool.js';

/** One execution of a tool's own code. */
export interface ToolRun {
  readonly tool: Tool;
  /** Validated and injected arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  /** The default time limit, in milliseconds; a tool can set its own. */
  readonly timeoutMs: number;
}

/** The planner's arguments for one execution, not validated yet. */
export interface RawInput {
  readonly tool: Tool;
  /** The one or two readings of the arguments. */
  readonly readings: readonly Readonly<Record<string, unknown>>[];
  readonly injected: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The default time limit, in milliseconds; a tool can set its own. */
  readonly timeoutMs: number;
}

/** Validates the input of a call within its tool's time limit: a refinement may wait for something that never answers. */
export async function checkInput({
  tool,
  readings,
  injected,
  signal,
  timeoutMs,
}: RawInput): Promise<Readonly<Record<string, unknown>>> {
  const limitMs = tool.timeoutMs ?? timeoutMs;
  const createError = () => checkTimeoutError(tool, limitMs);
  const parsed = await withDeadline({ timeoutMs: limitMs, signal, createError }, async () =>
    parseReadings(readings, async (args) => tool.parseInput(Object(args), injected)),
  );
  if (!parsed.ok) throw inputError(tool, parsed.issues);
  return parsed.value;
}

/** Runs a tool's code within its time limit. */
export async function runTool({ tool, args, context, timeoutMs }: ToolRun): Promise<unknown> {
  const limitMs = tool.timeoutMs ?? timeoutMs;
  const createError = () => timeoutError(tool, limitMs);
  return withDeadline({ timeoutMs: limitMs, signal: context.signal, createError }, async (signal) =>
    tool.execute(args, { ...context, signal }),
  );
}

function checkTimeoutError({ name }: Tool, timeoutMs: number): ToolError {
  return new ToolError(
    `The arguments of '${name}' were not validated within ${timeoutMs} ms. The tool did not run.`,
    {
      code: 'TOOL_TIMEOUT',
      details: { timeout_ms: timeoutMs },
      isRetryable: true,
    },
  );
}

function timeoutError(tool: Tool, timeoutMs: number): ToolError {
  const maybeDone = tool.permissions.isWriting ? ' It may have taken effect.' : '';
  return new ToolError(`'${tool.name}' did not finish within ${timeoutMs} ms.${maybeDone}`, {
    code: 'TOOL_TIMEOUT',
    details: { timeout_ms: timeoutMs, ...(tool.permissions.isWriting ? { outcome: 'unknown' } : {}) },
    isRetryable: !tool.permissions.isWriting || tool.idempotent,
  });
}

/** Creates the error for invalid arguments: it names places and rules, without the values. */
function inputError(tool: Tool, issues: readonly InputIssue[]): ToolError {
  const places = listIssues(issues, '(arguments)');
  return new ToolError(`The arguments of '${tool.name}' are invalid: ${places}.`, {
    code: 'TOOL_INVALID_ARGUMENTS',
    details: { issues },
    isRetryable: true,
  });
}
