import type { PrivateValues } from '../../privacy/private-values.js';
import { parseToolQuestion } from '../../tools/question.js';
import type { Caller } from './offer.js';

/** The client's side of a call, as a tool may use it: what goes to the client is cleaned of private values. */
export function cleanCaller(caller: Caller, privateValues: PrivateValues): Caller {
  const clean = (text: string) => privateValues.cleanText(text);
  return {
    ...caller,
    reportProgress: async ({ progress, total, message }) =>
      caller.reportProgress({
        progress,
        ...(total == null ? {} : { total }),
        ...(message == null ? {} : { message: clean(message) }),
      }),
    reportLog: async ({ source, ...line }) =>
      caller.reportLog({
        ...line,
        message: clean(line.message),
        ...(source == null ? {} : { source: clean(source) }),
      }),
    ask: async (question) => {
      const { prompt, choices, ...rest } = parseToolQuestion(question, 'A question');
      return caller.ask({ ...rest, prompt: clean(prompt), choices: choices.map(clean) });
    },
  };
}
