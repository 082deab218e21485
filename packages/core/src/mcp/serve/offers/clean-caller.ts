import { offeredChoice } from '../../../interrupts/offered-choice.js';
import type { PrivateValues } from '../../../privacy/private-values.js';
import { parseToolLogLine, parseToolProgress } from '../../../tools/reports/parse-report.js';
import { parseToolQuestion } from '../../../tools/reports/question.js';
import type { Caller } from './offer.js';

/** Wraps the client's side of a call so that everything sent to the client is cleaned of private values. */
export function cleanCaller(caller: Caller, privateValues: PrivateValues, toolName: string): Caller {
  const clean = (text: string) => privateValues.cleanText(text);
  return {
    ...caller,
    reportProgress: async (report) => caller.reportProgress(parseToolProgress(report, toolName, clean)),
    reportLog: async (line) => caller.reportLog(parseToolLogLine(line, toolName, clean)),
    ask: async (question) => {
      const { prompt, choices, ...rest } = parseToolQuestion(question, `ask of '${toolName}'`);
      const answer = await caller.ask({ ...rest, prompt: clean(prompt), choices: choices.map(clean) });
      return offeredChoice(answer, choices, clean);
    },
  };
}
