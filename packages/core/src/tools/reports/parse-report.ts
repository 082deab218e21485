import * as z from 'zod';
import { ToolError } from '../errors.js';
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

/** Parses a progress report of a tool and cleans its texts. Throws `TOOL_INVALID_REPORT` for an invalid one. */
export function parseToolProgress(report: ToolProgress, toolName: string, clean: Clean): ToolProgress {
  const { progress, total, message } = parse(ProgressSchema, report, `reportProgress of '${toolName}'`);
  return {
    progress,
    ...(total == null ? {} : { total }),
    ...(message == null ? {} : { message: clean(message) }),
  };
}

/** Parses a log line of a tool and cleans its texts. Throws `TOOL_INVALID_REPORT` for an invalid one. */
export function parseToolLogLine(line: ToolLogLine, toolName: string, clean: Clean): ToolLogLine {
  const { level, message, source } = parse(LogLineSchema, line, `reportLog of '${toolName}'`);
  return { level, message: clean(message), ...(source == null ? {} : { source: clean(source) }) };
}

function parse<Schema extends z.ZodType>(schema: Schema, report: unknown, owner: string): z.output<Schema> {
  const parsed = schema.safeParse(report);
  if (parsed.success) return parsed.data;
  throw new ToolError(`Invalid report for ${owner}:\n${z.prettifyError(parsed.error)}`, {
    code: 'TOOL_INVALID_REPORT',
  });
}
