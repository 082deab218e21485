import * as z from 'zod';
import { ToolError } from './errors.js';
import { TOOL_LOG_LEVELS, type ToolLogLine, type ToolProgress } from './tool-reports.js';

const ProgressSchema = z.strictObject({
  progress: z.number(),
  total: z.number().nullish(),
  message: z.string().nullish(),
});

const LogLineSchema = z.strictObject({
  level: z.enum(TOOL_LOG_LEVELS),
  message: z.string(),
  source: z.string().nullish(),
});

type Clean = (text: string) => string;

/** How far a call is, as a tool reports it, with clean texts. What no reader could show is a `TOOL_INVALID_REPORT`. */
export function parseToolProgress(report: ToolProgress, toolName: string, clean: Clean): ToolProgress {
  const { progress, total, message } = parse(ProgressSchema, report, `reportProgress of '${toolName}'`);
  return {
    progress,
    ...(total == null ? {} : { total }),
    ...(message == null ? {} : { message: clean(message) }),
  };
}

/** A line, as a tool reports it, with clean texts. What no reader could show is a `TOOL_INVALID_REPORT`. */
export function parseToolLogLine(line: ToolLogLine, toolName: string, clean: Clean): ToolLogLine {
  const { level, message, source } = parse(LogLineSchema, line, `reportLog of '${toolName}'`);
  return { level, message: clean(message), ...(source == null ? {} : { source: clean(source) }) };
}

function parse<Schema extends z.ZodType>(schema: Schema, report: unknown, owner: string): z.output<Schema> {
  const parsed = schema.safeParse(report);
  if (parsed.success) return parsed.data;
  throw new ToolError(`${owner} cannot be shown:\n${z.prettifyError(parsed.error)}`, {
    code: 'TOOL_INVALID_REPORT',
  });
}
