import { buildToolEvent } from '../compile/tool-event.js';
import { buildToolLogEvent } from '../compile/tool-log-event.js';
import { cutText } from '../cut-text.js';
import type { Call } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import { logFailedQuestions, logFailedReports } from '../tools/log-failed-report.js';
import { parseToolLogLine, parseToolProgress } from '../tools/parse-report.js';
import { parseToolQuestion } from '../tools/question.js';
import type { ToolContext } from '../tools/tool.js';
import type { ToolLogLine, ToolProgress, ToolQuestion } from '../tools/tool-reports.js';
import { askForCall } from './ask-person.js';
import type { RunContext } from './run-context.js';
import type { SessionSetup } from './session-setup.js';

/** Where a call runs. */
interface CallPlace {
  readonly context: RunContext;
  readonly setup: SessionSetup;
  readonly sessionId: string;
}

/** So much of one text of an MCP server is shown. It is cut when private values are out: of the rest of one nobody would know. */
const MAX_SERVER_TEXT = 4_000;

/** What a tool is given for one call. What it reports is cleaned of private values before anybody reads it. */
export function createToolContext(planned: PlannedTool, call: Call, place: CallPlace): ToolContext {
  const { context, setup, sessionId } = place;
  const { privateValues, runId, workSignal: signal } = context;
  const { name: toolName, kind: toolType } = planned.tool;
  const { origin } = setup;
  const shorten = (text: string) => (toolType === 'mcp' ? cutText(text, MAX_SERVER_TEXT) : text);
  const show = (text: string) => shorten(privateValues.cleanText(text));
  const ask = async (question: ToolQuestion) => {
    const asked = parseToolQuestion(question, `ask of '${toolName}'`);
    return askForCall(context, call, { ...asked, prompt: show(asked.prompt), handler: undefined });
  };
  const logging = <What>(report: (what: What) => Promise<void>) =>
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
      await context.emit(buildToolEvent({ ...shown, progress }));
    }),
    reportLog: logging(async (line: ToolLogLine) => {
      await context.emit(buildToolLogEvent(call, parseToolLogLine(line, toolName, show), origin));
    }),
    ask: logFailedQuestions(ask, toolName, context.logger),
  };
}
