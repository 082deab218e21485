import type { PrivateValues } from '../../privacy/private-values.js';
import type { Caller } from './offer.js';

/** The client's side of a call, as a tool may use it: what goes to the client is cleaned of private values. */
export function cleanCaller(caller: Caller, privateValues: PrivateValues): Caller {
  const clean = (text: string) => privateValues.cleanText(text);
  return {
    ...caller,
    reportProgress: async ({ message, ...numbers }) =>
      caller.reportProgress({ ...numbers, ...(message === undefined ? {} : { message: clean(message) }) }),
    reportLog: async ({ source, ...line }) =>
      caller.reportLog({
        ...line,
        message: clean(line.message),
        ...(source === undefined ? {} : { source: clean(source) }),
      }),
    ask: async ({ choices, ...question }) =>
      caller.ask({
        ...question,
        prompt: clean(question.prompt),
        ...(choices === undefined ? {} : { choices: choices.map(clean) }),
      }),
  };
}
