import type { Logger } from '../logging/logger.js';

type Act<Input, Output> = (input: Input) => Promise<Output>;

/** Logs reports that fail, so that a tool that does not await them cannot crash the process. */
export function logFailedReports<Input>(
  report: Act<Input, void>,
  toolName: string,
  logger: Logger,
): Act<Input, void> {
  return noting(report, (error) =>
    logger.warn('A tool report could not be shown.', { tool: toolName, error }),
  );
}

/** Logs questions that fail: the run may end before the tool awaits the answer. */
export function logFailedQuestions<Input>(
  ask: Act<Input, unknown>,
  toolName: string,
  logger: Logger,
): Act<Input, unknown> {
  return noting(ask, (error) => logger.info('A tool question was not answered.', { tool: toolName, error }));
}

/** Marks the failure of the returned promise as handled, whether or not it is awaited. */
function noting<Input, Output>(act: Act<Input, Output>, note: (error: unknown) => void): Act<Input, Output> {
  return (input) => {
    const acting = act(input);
    acting.catch(note);
    return acting;
  };
}
