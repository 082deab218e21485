import { buildToolEvent } from '../compile/tool-event.js';
import { buildToolLogEvent } from '../compile/tool-log-event.js';
import type { Call } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import { parseQuestion } from '../tools/dependency.js';
import type { ToolContext } from '../tools/tool.js';
import type { ToolQuestion } from '../tools/tool-reports.js';
import { askPerson } from './ask-person.js';
import type { RunContext } from './run-context.js';
import type { SessionSetup } from './session-setup.js';

/** Where a call runs. */
interface CallPlace {
  readonly context: RunContext;
  readonly setup: SessionSetup;
  readonly sessionId: string;
}

/** What a tool is given for one call. What it reports is cleaned of private values before anybody reads it. */
export function createToolContext(planned: PlannedTool, call: Call, place: CallPlace): ToolContext {
  const { context, setup, sessionId } = place;
  const { privateValues, runId, workSignal: signal } = context;
  const { name: toolName, kind: toolType } = planned.tool;
  const { origin } = setup;
  return {
    signal,
    runId,
    sessionId,
    toolEventId: call.id,
    toolName,
    async reportProgress({ message, ...numbers }) {
      const progress = {
        ...numbers,
        ...(message === undefined ? {} : { message: privateValues.cleanText(message) }),
      };
      const shown = {
        id: call.id,
        toolName,
        toolType,
        status: 'executing',
        args: call.args,
        origin,
      } as const;
      await context.emit(buildToolEvent({ ...shown, progress }));
    },
    async reportLog(line) {
      const message = privateValues.cleanText(line.message);
      const source = line.source === undefined ? {} : { source: privateValues.cleanText(line.source) };
      await context.emit(buildToolLogEvent(call, { ...line, message, ...source }, origin));
    },
    ask: async (question) => askFor(question, call, context),
  };
}

async function askFor(question: ToolQuestion, call: Call, context: RunContext): Promise<unknown> {
  const { name, prompt } = question;
  const { inputType, choices, expiresInMs } = parseQuestion(question, `ask of '${call.toolName}'`);
  const request = {
    interruptId: context.runtime.uuid(),
    runId: context.runId,
    prompt: context.privateValues.cleanText(prompt),
    inputType,
    choices: choices.map((choice) => context.privateValues.cleanText(choice)),
    toolName: call.toolName,
    argName: name,
    dataKey: name,
    expiresAt: context.runtime.now() + expiresInMs,
  } as const;
  return askPerson(context, { request, handler: undefined, waitingCallId: call.id });
}
