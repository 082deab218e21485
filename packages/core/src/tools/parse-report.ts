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

/** How far a call is, as a tool reports it. What no reader could show is a `TOOL_INVALID_REPORT`. */
export function parseToolProgress(progress: ToolProgress, toolName: string): z.infer<typeof ProgressSchema> {
  return parse(ProgressSchema, progress, `reportProgress of '${toolName}'`);
}

/** A line, as a tool reports it. What no reader could show is a `TOOL_INVALID_REPORT`. */
export function parseToolLogLine(line: ToolLogLine, toolName: string): z.infer<typeof LogLineSchema> {
  return parse(LogLineSchema, line, `reportLog of '${toolName}'`);
}

function parse<Schema extends z.ZodType>(schema: Schema, report: unknown, owner: string): z.output<Schema> {
  const parsed = schema.safeParse(report);
  if (parsed.success) return parsed.data;
  throw new ToolError(`${owner} cannot be shown:\n${z.prettifyError(parsed.error)}`, {
    code: 'TOOL_INVALID_REPORT',
  });
}
