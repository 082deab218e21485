import { isSdkError } from '@svc/contracts/sdk-error';

/** Takes structured log entries; pino's loggers fit. Entries hold ids, codes and durations, never payloads. */
export interface OrchestratorLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The default: whoever wants logs passes a logger. */
export const silentLogger: OrchestratorLogger = { info() {}, warn() {}, error() {} };

/** What can be logged of an error. Messages of strangers may quote what they were given, so only our own are kept. */
export function errorFacts(error: unknown): object {
  if (isSdkError(error)) return { name: error.name, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return { name: error.name, ...code, frames: frames.slice(0, 12).map((line) => line.trim()) };
}
