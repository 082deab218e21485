import { FINAL_EVENT_NAME } from '@svc/contracts';
import type { ContractEventName } from '@svc/contracts';
import { readOptions, show } from '../check-option.js';
import { EventSchemaError } from '../errors.js';
import { oneLine, type Logger } from '../logger.js';
import { isOfOtherVersion } from '../payloads/other-version.js';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { isReservedKey } from './plain-data.js';

/** What happens to a malformed event: nothing, a warning, or an {@link EventSchemaError}. */
export type SchemaValidation = 'off' | 'warn' | 'strict';

/** The fields that must be present and neither null nor empty strings. */
const requiredFields = {
  tool_event: ['tool_id', 'tool_name', 'status'],
  system_tool_start: ['tool_id', 'tool_type'],
  system_tool_chunk: ['tool_id', 'text'],
  system_tool_complete: ['tool_id', 'result'],
  assistant_chunk: ['assistant_id', 'text'],
  status_message: ['assistant_id', 'message'],
  interrupt_required: ['interrupt_id', 'data_key', 'prompt'],
  agent_assignment: ['agent_name', 'status'],
  enrichment: ['phase', 'message'],
  final: ['response'],
  error: ['error'],
  session_start: ['session_id'],
  session_end: ['session_id'],
} satisfies Partial<Record<ContractEventName, readonly string[]>>;

const requiredByType: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(requiredFields));

/**
 * Checks an event as a bridge does after rebuilding it: the required fields of its family (unless it has another
 * contract version), and no field names that could pollute a prototype.
 *
 * @throws EventSchemaError in mode `strict`, naming all problems.
 * @throws TypeError for an unknown mode or option.
 */
export function validateEvent(
  eventName: string,
  data: unknown,
  options?: {
    mode?: SchemaValidation | null | undefined;
    logger?: Pick<Logger, 'warn'> | null | undefined;
  } | null,
): void {
  const given = readOptions('validateEvent', options ?? {}, { mode: true, logger: true });
  const mode = given.mode ?? 'warn';
  if (mode === 'off') return;
  if (mode !== 'warn' && mode !== 'strict') {
    throw new TypeError(`mode must be 'off', 'warn' or 'strict', got ${show(mode)}`);
  }
  const problems = isRecord(data)
    ? problemsOf(eventName, data, { hasReservedKey: true })
    : [...problemsOfName(eventName), 'data must be an object'];
  const logger = given.logger ?? console;
  report(eventName, problems, mode, { warn: (message) => logger.warn(oneLine(message)) });
}

/** The problems of an event; reserved keys are located only if there are any. */
export function problemsOf(
  eventName: string,
  data: JsonRecord,
  { hasReservedKey }: { hasReservedKey: boolean },
): string[] {
  const problems = problemsOfName(eventName);
  const places = hasReservedKey ? reservedPlaces(data, '$') : [];
  if (places.length > 0) problems.push(`reserved field names present at ${places.join(', ')}`);
  const isExempt = needsNoText(eventName, data) || isOfOtherVersion(data);
  const required = isExempt ? [] : requiredByType.get(eventName);
  const missing = required?.filter((field) => isMissing(data, field)) ?? [];
  if (missing.length > 0) problems.push(`missing required fields ${missing.join(', ')}`);
  return problems;
}

/** Warns of a malformed event, or throws. */
export function report(
  eventName: string,
  problems: readonly string[],
  mode: 'warn' | 'strict',
  logger: Pick<Logger, 'warn'>,
): void {
  if (problems.length === 0) return;
  const error = new EventSchemaError(eventName, problems);
  if (mode === 'strict') throw error;
  logger.warn(error.message);
}

/** A run that failed, was cancelled or answers with a structured result alone also ends with a `final`. */
const needsNoText = (eventName: string, data: JsonRecord) =>
  eventName === FINAL_EVENT_NAME &&
  (data.status === 'failed' || data.status === 'cancelled' || !isMissing(data, 'result'));

function problemsOfName(eventName: unknown): string[] {
  if (typeof eventName !== 'string') return ['the event name must be a string'];
  return eventName.trim() === '' ? ['the event name is blank'] : [];
}

function isMissing(data: JsonRecord, field: string): boolean {
  const value = data[field];
  return value === undefined || value === null || value === '';
}

function reservedPlaces(value: unknown, place: string, above: readonly unknown[] = []): string[] {
  if (typeof value !== 'object' || value === null || above.includes(value)) return [];
  const inside = [...above, value];
  if (Array.isArray(value)) return value.flatMap((item, i) => reservedPlaces(item, `${place}[${i}]`, inside));
  return Object.entries(value).flatMap(([key, item]) => {
    const deeper = reservedPlaces(item, `${place}.${key}`, inside);
    return isReservedKey(key) ? [`${place}.${key}`, ...deeper] : deeper;
  });
}
