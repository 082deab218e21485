import type { Logger } from '../logging/logger.js';

type Report<What> = (what: What) => Promise<void>;

/** Logs the reports that fail, besides rejecting: a tool that waits for none of them must not end the process. */
export function logFailedReports<What>(report: Report<What>, toolName: string, logger: Logger): Report<What> {
  // What is given back has its failure handled already, whether or not somebody awaits it.
  return (what) => {
    const reported = report(what);
    reported.catch((error: unknown) => {
      logger.warn('A report of a tool was not shown.', { tool: toolName, error });
    });
    return reported;
  };
}
