import * as z from 'zod';
import { checkOptions, withoutNulls } from '../config/options.js';
import { formatJson, formatText, passes, type LogLevel, type LogRecord, type LogSink } from './log-record.js';
import { scopedClean, type CleanFields } from './log-scope.js';
import { scrubFields } from './scrub-fields.js';

/** Writes log lines of one part of the SDK. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** A logger that adds these fields to every line, such as the correlation ids of a run. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

/** What {@link configureLogging} takes. */
export interface LoggingOptions {
  /** Lines below this level are dropped. @default 'warn' */
  level?: LogLevel | undefined;
  /** How lines are written to standard error; without effect when a sink is given. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /** Takes the lines instead of standard error. When it throws or rejects, standard error says so and the run goes on. */
  sink?: LogSink | undefined;
}

const writeText: LogSink = (record) => void process.stderr.write(`${formatText(record)}\n`);
const writeJson: LogSink = (record) => void process.stderr.write(`${formatJson(record)}\n`);

let threshold: LogLevel = 'warn';
let sink: LogSink = writeText;

const OptionsSchema = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
  format: z.enum(['text', 'json']).optional(),
  sink: z.custom<LogSink>((value) => typeof value === 'function', 'is no function').optional(),
});

/** Sets level, format and destination of the SDK's log lines for this process; what is left out goes back to its default. An option that does not exist or fit is a `ConfigurationError`. */
export function configureLogging(given?: LoggingOptions): void {
  const options = checkOptions(OptionsSchema, withoutNulls(given ?? {}), 'configureLogging');
  threshold = options.level ?? 'warn';
  sink = options.sink ?? (options.format === 'json' ? writeJson : writeText);
}

/** A logger with the given name. Fields named like secrets are never written, nor, within a tool's call, private values of its run. */
export function getLogger(name = 'svc.core'): Logger {
  return createLogger({ name, fields: {} });
}

/** What a logger is made of; `clean` takes known private values out of the message and the fields. */
export interface LoggerParts {
  name: string;
  fields: Readonly<Record<string, unknown>>;
  clean?: CleanFields;
}

/** A run goes on without its log. */
function tellUnwritten(logger: string, error: unknown): void {
  const message = `A log line could not be written: ${String(error instanceof Error ? error.message : error)}`;
  writeText({ level: 'error', logger, message, time: Date.now(), fields: {} });
}

/** A logger made of its parts. */
export function createLogger(parts: LoggerParts): Logger {
  const write = (
    level: LogRecord['level'],
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) => {
    if (!passes(level, threshold)) return;
    const time = Date.now();
    try {
      const clean: CleanFields = (given) => scopedClean()(parts.clean?.(given) ?? given);
      // Apart from the fields, one of which may be called so too.
      const { message: cleanMessage } = clean({ message });
      const cleanFields = clean(scrubFields({ ...parts.fields, ...fields }));
      const record = { level, logger: parts.name, message: String(cleanMessage), time, fields: cleanFields };
      const writing: unknown = sink(record);
      if (writing instanceof Promise) writing.catch((error: unknown) => tellUnwritten(parts.name, error));
    } catch (error) {
      tellUnwritten(parts.name, error);
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
