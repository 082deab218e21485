import { buildToolEvent } from '../compile/tool-event.js';
import { buildToolLogEvent } from '../compile/tool-log-event.js';
import { cutText } from '../cut-text.js';
import type { Call } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import { logFailedQuestions, logFailedReports } from '../tools/reports/log-failed-report.js';
import { parseToolLogLine, parseToolProgress } from '../tools/reports/parse-report.js';
import { parseToolQuestion } from '../tools/reports/question.js';
import type { ToolContext } from '../tools/declaration/tool.js';
import type { ToolLogLine, ToolProgress, ToolQuestion } from '../tools/reports/tool-reports.js';
import { askForCall } from './ask-person.js';
import { ReportLine } from './report-line.js';
import type { RunContext } from './run-context.js';
import type { SessionSetup } from './session-setup.js';

/** The surroundings of a call. */
interface CallPlace {
  readonly context: RunContext;
  readonly setup: SessionSetup;
  readonly sessionId: string;
  /** Aborts when the call has ended, whatever its tool still does. */
  readonly over: AbortSignal;
}

/**
 * The maximum length of a text from an MCP server. It is cut after private values are removed: the rest of a cut value
 * would not be recognized.
 */
const MAX_SERVER_TEXT = 4_000;

/** Creates the context of one call. Reports are cleaned of private values and shown only during the call. */
export function createToolContext(planned: PlannedTool, call: Call, place: CallPlace): ToolContext {
  const { context, setup, sessionId, over } = place;
  const { privateValues, runId, workSignal: signal } = context;
  const { name: toolName, kind: toolType } = planned.tool;
  const { origin } = setup;
  const shorten = (text: string) => (toolType === 'mcp' ? cutText(text, MAX_SERVER_TEXT) : text);
  const show = (text: string) => shorten(privateValues.cleanText(text));
  const ask = async (question: ToolQuestion) => {
    const parsed = parseToolQuestion(question, `ask of '${toolName}'`);
    parsed.signal?.throwIfAborted();
    const ends = [signal, over, ...(parsed.signal ? [parsed.signal] : [])];
    const asking = { ...context, workSignal: AbortSignal.any(ends) };
    return askForCall(asking, call, { ...parsed, prompt: show(parsed.prompt), handler: undefined });
  };
  const progressLine = createLine(toolName, place);
  const logLine = createLine(toolName, place);
  const logging = <Report>(report: (report: Report) => Promise<void>) =>
    logFailedReports(report, toolName, context.logger);
  return {
    signal,
    runId,
    sessionId,
    toolEventId: call.id,
    toolName,
    reportProgress: logging(async (report: ToolProgress) => {
      const progress = parseToolProgress(report, toolName, show);
      const shown = {
        id: call.id,
        toolName,
        toolType,
        status: 'executing',
        args: privateValues.cleanFields(call.args),
        origin,
      } as const;
      await progressLine.show(buildToolEvent({ ...shown, progress }));
    }),
    reportLog: logging(async (line: ToolLogLine) => {
      await logLine.show(buildToolLogEvent(call, parseToolLogLine(line, toolName, show), origin));
    }),
    ask: logFailedQuestions(ask, toolName, context.logger),
  };
}

function createLine(tool: string, { context, over }: CallPlace): ReportLine {
  return new ReportLine({
    emit: async (event) => (over.aborted ? undefined : context.emit(event)),
    onDrop: () => context.logger.warn('Dropped reports of a tool that does not await them.', { tool }),
  });
}
