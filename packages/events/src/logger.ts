/** A logger for warnings and errors, such as the console. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const terminal: Logger = console;

/** The console without debug messages, which Node would write to standard output. */
export const quietConsole: Logger = {
  debug() {},
  info: (message) => terminal.info(message),
  warn: (message) => terminal.warn(message),
  error: (message) => terminal.error(message),
};

/** By logger, so that everything that has the same logger shares one wrapper. */
const guarded = new WeakMap<Logger, Logger>();

/** Wraps a logger so that its failures affect neither events nor readers; the process is warned once of each logger. */
export function guardLogger(logger: Logger): Logger {
  const known = guarded.get(logger);
  if (known !== undefined) return known;
  let hasWarned = false;
  const warnOnce = (error: unknown) => {
    if (hasWarned) return;
    hasWarned = true;
    // Not the error's own text, which may quote what it could not write or where, such as a URL with a password.
    const kind = error instanceof Error ? error.name : typeof error;
    process.emitWarning(`A logger of event bridges failed (${kind}); log entries are missing.`, {
      code: 'LOGGER_FAILED',
    });
  };
  const guard = (level: keyof Logger) => (message: string) => {
    try {
      // The type also allows an async method, which nobody awaits.
      const written: unknown = logger[level](message);
      if (written instanceof Promise) written.catch(warnOnce);
    } catch (error) {
      warnOnce(error);
    }
  };
  const wrapper = {
    debug: guard('debug'),
    info: guard('info'),
    warn: guard('warn'),
    error: guard('error'),
  };
  guarded.set(logger, wrapper);
  return wrapper;
}
