import type { Logger } from '../../logging/logger.js';

type AsyncFunction<Input, Output> = (input: Input) => Promise<Output>;

/** Logs reports that fail, so that a tool that does not await them cannot crash the process. */
export function logFailedReports<Input>(
  report: AsyncFunction<Input, void>,
  toolName: string,
  logger: Logger,
): AsyncFunction<Input, void> {
  return withErrorHandler(report, (error) =>
    logger.warn('A tool report could not be shown.', { tool: toolName, error }),
  );
}

/** Logs questions that fail: the run may end before the tool awaits the answer. */
export function logFailedQuestions<Input>(
  ask: AsyncFunction<Input, unknown>,
  toolName: string,
  logger: Logger,
): AsyncFunction<Input, unknown> {
  return withErrorHandler(ask, (error) =>
    logger.info('A tool question was not answered.', { tool: toolName, error }),
  );
}

/** Marks the failure of the returned promise as handled, whether or not it is awaited. */
function withErrorHandler<Input, Output>(
  run: AsyncFunction<Input, Output>,
  onError: (error: unknown) => void,
): AsyncFunction<Input, Output> {
  return (input) => {
    const promise = run(input);
    promise.catch(onError);
    return promise;
  };
}
