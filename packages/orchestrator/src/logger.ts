import { isSdkError } from '@svc/contracts/sdk-error';

/** Receives structured log entries; a pino logger fits. Entries contain ids, codes and durations, never payloads. */
export interface OrchestratorLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The default: logs nothing. */
export const silentLogger: OrchestratorLogger = { info() {}, warn() {}, error() {} };

/** Wraps a logger so that its failures never fail a run or a request; the process is warned once. */
export function guardLogger(logger: OrchestratorLogger): OrchestratorLogger {
  let hasWarned = false;
  const warnOnce = (error: unknown) => {
    if (hasWarned) return;
    hasWarned = true;
    const detail = JSON.stringify(errorFacts(error));
    process.emitWarning('The logger of an orchestrator failed; log entries are missing.', {
      code: 'LOGGER_FAILED',
      detail,
    });
  };
  const guard = (level: keyof OrchestratorLogger) => (fields: object, message: string) => {
    try {
      // The type also allows an async method, which nobody awaits.
      const written: unknown = logger[level](fields, message);
      if (written instanceof Promise) written.catch(warnOnce);
    } catch (error) {
      warnOnce(error);
    }
  };
  return { info: guard('info'), warn: guard('warn'), error: guard('error') };
}

/** The loggable facts of an error. Foreign messages may quote their input, so only our own are logged. */
export function errorFacts(error: unknown): object {
  if (isSdkError(error)) return { name: error.name, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  // SQLite's fixed text for its error code, such as that the disk is full.
  const reason = 'errstr' in error && typeof error.errstr === 'string' ? { reason: error.errstr } : {};
  const frames = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return { name: error.name, ...code, ...reason, frames: frames.slice(0, 12).map((line) => line.trim()) };
}
