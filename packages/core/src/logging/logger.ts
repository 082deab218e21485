import * as z from 'zod';
import { checkOptions, withoutNulls } from '../config/options.js';
import { messageOf } from '../message-of.js';
import { formatJson, formatText, passes, type LogLevel, type LogRecord, type LogSink } from './log-record.js';
import { scopedClean, type CleanFields } from './log-scope.js';
import { scrubFields } from './scrub-fields.js';

/** Writes log lines under one name. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Returns a logger that adds these fields to every line, such as the correlation ids of a run. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

/** Options of {@link configureLogging}. */
export interface LoggingOptions {
  /** Lines below this level are dropped. @default 'warn' */
  level?: LogLevel | undefined;
  /** The format of lines on standard error; ignored with a sink. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /**
   * Receives the lines instead of standard error. If it throws or rejects, the error is written to standard error and
   * the run continues.
   */
  sink?: LogSink | undefined;
}

const writeText: LogSink = (record) => void process.stderr.write(`${formatText(record)}\n`);
const writeJson: LogSink = (record) => void process.stderr.write(`${formatJson(record)}\n`);

let threshold: LogLevel = 'warn';
let sink: LogSink = writeText;

const OptionsSchema = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
  format: z.enum(['text', 'json']).optional(),
  sink: z.custom<LogSink>((value) => typeof value === 'function', 'must be a function').optional(),
});

/**
 * Sets the level, format and destination of the SDK's log lines for this process; an omitted option is reset to its
 * default.
 *
 * @throws ConfigurationError for an unknown or invalid option.
 */
export function configureLogging(options?: LoggingOptions): void {
  const settings = checkOptions(OptionsSchema, withoutNulls(options ?? {}), 'configureLogging');
  threshold = settings.level ?? 'warn';
  sink = settings.sink ?? (settings.format === 'json' ? writeJson : writeText);
}

/**
 * Returns a logger with the given name. It never writes fields named like secrets or, in a tool or a hook, private values
 * of its run.
 */
export function getLogger(name = 'svc.core'): Logger {
  return createLogger({ name, fields: {} });
}

/** The parts of a logger; `clean` removes known private values from the message and the fields. */
export interface LoggerParts {
  name: string;
  fields: Readonly<Record<string, unknown>>;
  clean?: CleanFields;
}

/** Reports a failed sink; the run continues without its log. */
function reportFailedWrite(logger: string, error: unknown): void {
  const message = `A log line could not be written: ${messageOf(error)}`;
  writeText({ level: 'error', logger, message, time: Date.now(), fields: {} });
}

/** Creates a logger from its parts. */
export function createLogger(parts: LoggerParts): Logger {
  const write = (
    level: LogRecord['level'],
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) => {
    if (!passes(level, threshold)) return;
    const time = Date.now();
    try {
      const clean: CleanFields = (values) => scopedClean()(parts.clean?.(values) ?? values);
      // Separately from the fields, one of which may be named `message` too.
      const { message: cleanMessage } = clean({ message });
      const cleanFields = clean(scrubFields({ ...parts.fields, ...fields }));
      const record = { level, logger: parts.name, message: String(cleanMessage), time, fields: cleanFields };
      const writing: unknown = sink(record);
      if (writing instanceof Promise) writing.catch((error: unknown) => reportFailedWrite(parts.name, error));
    } catch (error) {
      reportFailedWrite(parts.name, error);
    }
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    child: (fields) => createLogger({ ...parts, fields: { ...parts.fields, ...fields } }),
  };
}
