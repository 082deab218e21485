import { withDeadline } from '../deadline.js';
import { ToolError } from './errors.js';
import { listIssues } from './input-schema.js';
import { parseReadings } from './parse-readings.js';
import type { InputIssue, Tool, ToolContext } from './tool.js';

/** One execution of a tool's own code. */
export interface ToolRun {
  readonly tool: Tool;
  /** Checked and injected arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  /** The limit for tools that have none of their own, in milliseconds. */
  readonly timeoutMs: number;
}

/** What the planner filled for one execution, not checked yet. */
export interface GivenInput {
  readonly tool: Tool;
  /** What was filled, in the one or two ways it may be meant. */
  readonly readings: readonly Readonly<Record<string, unknown>>[];
  readonly injected: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The limit for tools that have none of their own, in milliseconds. */
  readonly timeoutMs: number;
}

/** Checks the input of a call under its tool's time limit: a rule of a schema may ask something that never answers. */
export async function checkInput({
  tool,
  readings,
  injected,
  signal,
  timeoutMs,
}: GivenInput): Promise<Readonly<Record<string, unknown>>> {
  const limitMs = tool.timeoutMs ?? timeoutMs;
  const createError = () => checkTimeoutError(tool, limitMs);
  const parsed = await withDeadline({ timeoutMs: limitMs, signal, createError }, async () =>
    parseReadings(readings, async (args) => tool.parseInput(Object(args), injected)),
  );
  if (!parsed.ok) throw inputError(tool, parsed.issues);
  return parsed.value;
}

/** Runs a tool's code under its time limit. */
export async function runTool({ tool, args, context, timeoutMs }: ToolRun): Promise<unknown> {
  const limitMs = tool.timeoutMs ?? timeoutMs;
  const createError = () => timeoutError(tool, limitMs);
  return withDeadline({ timeoutMs: limitMs, signal: context.signal, createError }, async (signal) =>
    tool.execute(args, { ...context, signal }),
  );
}

function checkTimeoutError({ name }: Tool, timeoutMs: number): ToolError {
  return new ToolError(
    `The arguments of '${name}' were not checked within ${timeoutMs} ms. Nothing was run.`,
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

/** What the planner filled does not fit the tool: places and rules, without the values. */
function inputError(tool: Tool, issues: readonly InputIssue[]): ToolError {
  const places = listIssues(issues, '(arguments)');
  return new ToolError(`The arguments of '${tool.name}' do not fit: ${places}.`, {
    code: 'TOOL_INVALID_ARGUMENTS',
    details: { issues },
    isRetryable: true,
  });
}
