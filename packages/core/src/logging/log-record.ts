/** The severity of a log line. `silent` is only a threshold, which no line passes. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A log line before it is written. */
export interface LogRecord {
  readonly level: Exclude<LogLevel, 'silent'>;
  /** The name of the logger, such as `svc.core.run`. */
  readonly logger: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Structured fields, such as the correlation ids `run_id` and `session_id`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Receives finished log lines. */
export type LogSink = (record: LogRecord) => void;

const RANK = { debug: 10, info: 20, warn: 30, error: 40, silent: 50 } as const satisfies Record<
  LogLevel,
  number
>;

/** Whether a line with this level passes the threshold. */
export function passes(level: LogLevel, threshold: LogLevel): boolean {
  return RANK[level] >= RANK[threshold];
}

/** Formats the line as JSON. A field with the name of a part of the line, such as `message`, becomes `message_`. */
export function formatJson({ time, level, logger, message, fields }: LogRecord): string {
  const line = { time: new Date(time).toISOString(), level, logger, message };
  const others = Object.entries(fields).map(([name, value]) => [
    Object.hasOwn(line, name) ? `${name}_` : name,
    value,
  ]);
  return JSON.stringify({ ...line, ...Object.fromEntries(others) });
}

/** Characters that would end the line or control the terminal that shows it: a message may quote untrusted text. */
// eslint-disable-next-line no-control-regex -- it matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Formats the record for a terminal, on one line, with control characters escaped as in JSON. */
export function formatText(record: LogRecord): string {
  const fields = Object.entries(record.fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  const time = new Date(record.time).toISOString();
  const line = `${time} ${record.level.toUpperCase().padEnd(5)} ${record.logger}: ${record.message}${fields.join('')}`;
  return line.replaceAll(
    CONTROL_CHARACTERS,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
