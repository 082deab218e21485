import { ConfigurationError } from '../config/errors.js';
import { ToolError } from '../tools/errors.js';

/** Tools depend on one another in a cycle, so that none could start. */
export function cycleError(path: readonly string[]): ConfigurationError {
  const text = path.join(' → ');
  return new ConfigurationError(
    `Tools depend on one another in a cycle: ${text}. Remove one of these dependencies.`,
    {
      code: 'DEPENDENCY_CYCLE',
      details: { path: text },
    },
  );
}

/** A tool refers to another one that the scope does not have. */
export function unknownToolError(
  consumer: string,
  reference: string,
  known: readonly string[],
): ConfigurationError {
  return new ConfigurationError(
    `The tool '${consumer}' refers to an unknown tool '${reference}'. Known tools: ${known.join(', ') || '(none)'}.`,
    { code: 'DEPENDENCY_UNKNOWN', details: { consumer, reference } },
  );
}

/** A tool refers by name to an agent that is not a member. */
export function unknownAgentError(consumer: string, reference: string): ConfigurationError {
  return new ConfigurationError(
    `The tool '${consumer}' depends on an unknown agent '${reference}'. A name refers to a member of the swarm; pass any other agent itself.`,
    { code: 'DEPENDENCY_UNKNOWN', details: { consumer, reference } },
  );
}

/** A producer failed, so its consumer cannot run. */
export function failedDependency(consumer: string, producer: string, because: { code: string }): ToolError {
  return new ToolError(`'${consumer}' did not run because '${producer}', which it depends on, failed.`, {
    code: 'DEPENDENCY_FAILED',
    details: { producer, producer_code: because.code },
  });
}

/** A producer has not run and cannot be run without the planner's arguments. */
export function missingDependency(consumer: string, producer: string): ToolError {
  return new ToolError(
    `'${consumer}' needs the result of '${producer}', which has not completed in this run. Call '${producer}' first.`,
    { code: 'DEPENDENCY_NOT_COMPLETED', details: { producer }, isRetryable: true },
  );
}

/** A producer is an agent that waits for the consumer, so that neither would end. */
export function surroundingDependency(consumer: string, producer: string): ToolError {
  return new ToolError(
    `'${consumer}' depends on '${producer}', which is waiting for it. Remove one of the dependencies.`,
    {
      code: 'DEPENDENCY_CYCLE',
      details: { producer },
    },
  );
}

/** A producer took too long. */
export function dependencyTimeout(consumer: string, producer: string, timeoutMs: number): ToolError {
  return new ToolError(`'${consumer}' gave up after waiting ${timeoutMs} ms for '${producer}'.`, {
    code: 'DEPENDENCY_TIMEOUT',
    details: { producer, timeout_ms: timeoutMs },
    isRetryable: true,
  });
}
