/** Where a bridge says what went wrong. The console is one. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const terminal: Logger = console;

/** The console, but for what is only for debugging: Node writes that to standard output, whoever reads it. */
export const quietConsole: Logger = {
  debug() {},
  info: (message) => terminal.info(message),
  warn: (message) => terminal.warn(message),
  error: (message) => terminal.error(message),
};
