import type { Logger } from '../logging/logger.js';

type Act<What, Given> = (what: What) => Promise<Given>;

/** Logs the reports that fail, besides rejecting: a tool that waits for none of them must not end the process. */
export function logFailedReports<What>(
  report: Act<What, void>,
  toolName: string,
  logger: Logger,
): Act<What, void> {
  return noting(report, (error) =>
    logger.warn('A report of a tool was not shown.', { tool: toolName, error }),
  );
}

/** The same of its questions: the run may end while a tool does something else before it awaits the answer. */
export function logFailedQuestions<What>(
  ask: Act<What, unknown>,
  toolName: string,
  logger: Logger,
): Act<What, unknown> {
  return noting(ask, (error) =>
    logger.info('A question of a tool was not answered.', { tool: toolName, error }),
  );
}

/** What is given back has its failure handled already, whether or not somebody awaits it. */
function noting<What, Given>(act: Act<What, Given>, note: (error: unknown) => void): Act<What, Given> {
  return (what) => {
    const acting = act(what);
    acting.catch(note);
    return acting;
  };
}
