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

/** Characters that would end the line or control the terminal that shows it: a message may quote untrusted text. */
// eslint-disable-next-line no-control-regex -- it matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a message on one line, with control characters escaped as in JSON. */
export function oneLine(message: string): string {
  return message.replaceAll(
    CONTROL_CHARACTERS,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** By logger, so that everything that has the same logger shares one wrapper. */
const guarded = new WeakMap<Logger, Logger>();

/**
 * Wraps a logger so that its failures affect neither events nor readers, and each message is one line; the process is
 * warned once of each logger that fails.
 */
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
      const written: unknown = logger[level](oneLine(message));
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
