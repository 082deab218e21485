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
