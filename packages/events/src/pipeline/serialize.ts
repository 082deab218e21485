import { isContractEventName } from '@svc/contracts';
import { formatEventId } from '../log/event-id.js';
import type { EventPosition } from '../log/event-id.js';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** An event on the wire, without its data. */
export interface FrameHead extends EventPosition {
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Returns the SSE frame of an event, with its envelope as one line of JSON. */
export function frameOf(head: FrameHead, dataText: string): string {
  const { type, timestamp } = head;
  const id = formatEventId(head);
  // Contract names need no escaping; other names may.
  const typeText = isContractEventName(type) ? `"${type}"` : JSON.stringify(type);
  // Equal to `encodeFrame` without its search for line breaks: JSON has none, and a draft's type was checked.
  return `id: ${id}\nevent: ${type}\ndata: {"id":"${id}","type":${typeText},"timestamp":"${timestamp}","data":${dataText}}\n\n`;
}

/** Fields that may be large and that families have twice: flat, and as the same object in a descriptor. */
const duplicated = {
  tool_event: ['tool', 'args', 'result'],
  system_tool_complete: ['tool', 'result'],
  agent_assignment: ['assignment', 'result'],
  final: ['output', 'result'],
} satisfies Record<string, readonly [descriptor: string, ...fields: string[]]>;

const duplicatedByType: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(duplicated));

/** Returns the JSON of an event's data. An object that it contains twice is serialized once. */
export function dataTextOf(type: string, data: JsonRecord): string {
  const [name = '', ...fields] = duplicatedByType.get(type) ?? [];
  const descriptor = data[name];
  if (!isRecord(descriptor)) return JSON.stringify(data);
  const shared = fields.filter((field) => isRecordOrList(data[field]) && data[field] === descriptor[field]);
  if (shared.length === 0 || hasOwnProto(data) || hasOwnProto(descriptor)) return JSON.stringify(data);
  const texts = shared.map((field) => `,"${field}":${JSON.stringify(data[field])}`).join('');
  const inner = withTexts(without(descriptor, shared), texts);
  return withTexts(without(data, [...shared, name]), `${texts},"${name}":${inner}`);
}

/** Copying by assignment would lose such a field. */
function hasOwnProto(record: JsonRecord): boolean {
  return Object.hasOwn(record, '__proto__');
}

function isRecordOrList(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function without(record: JsonRecord, fields: readonly string[]): JsonRecord {
  const rest: JsonRecord = {};
  for (const key of Object.keys(record)) if (!fields.includes(key)) rest[key] = record[key];
  return rest;
}

/** Returns the JSON of an object with more fields appended; each of their texts begins with a comma. */
function withTexts(record: JsonRecord, texts: string): string {
  const start = JSON.stringify(record).slice(0, -1);
  return `${start}${start === '{' ? texts.slice(1) : texts}}`;
}
