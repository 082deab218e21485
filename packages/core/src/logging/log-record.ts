/** How grave a log line is. `silent` is only a threshold: nothing passes it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** One log line before it is written. */
export interface LogRecord {
  readonly level: Exclude<LogLevel, 'silent'>;
  /** The part of the SDK, such as `svc.core.run`. */
  readonly logger: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Facts, among them the correlation ids `run_id` and `session_id`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Takes finished log lines. */
export type LogSink = (record: LogRecord) => void;

const RANK = { debug: 10, info: 20, warn: 30, error: 40, silent: 50 } as const satisfies Record<
  LogLevel,
  number
>;

/** Whether a line of this level passes the threshold. */
export function passes(level: LogLevel, threshold: LogLevel): boolean {
  return RANK[level] >= RANK[threshold];
}

/** The line as one JSON text. A field that is called like a part of the line, such as `message`, is `message_` there. */
export function formatJson({ time, level, logger, message, fields }: LogRecord): string {
  const line = { time: new Date(time).toISOString(), level, logger, message };
  const others = Object.entries(fields).map(([name, value]) => [
    Object.hasOwn(line, name) ? `${name}_` : name,
    value,
  ]);
  return JSON.stringify({ ...line, ...Object.fromEntries(others) });
}

/** What would end a line, or command the terminal that shows it: a message may quote a stranger. */
// eslint-disable-next-line no-control-regex -- control characters are what it is for
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The line for a person at a terminal: one line, in which characters that command are escaped as in JSON. */
export function formatText(record: LogRecord): string {
  const fields = Object.entries(record.fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  const time = new Date(record.time).toISOString();
  const line = `${time} ${record.level.toUpperCase().padEnd(5)} ${record.logger}: ${record.message}${fields.join('')}`;
  return line.replaceAll(COMMANDS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
