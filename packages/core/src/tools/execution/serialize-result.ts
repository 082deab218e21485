import { isError } from '../../is-error.js';
import { messageOf } from '../../message-of.js';
import { ToolError } from '../errors.js';

/**
 * Converts a tool's result to plain JSON data, or throws a typed error. Values that JSON cannot represent are refused
 * instead of silently becoming `{}` or something else, except as `JSON.stringify` does it: `undefined`, `NaN`, infinities
 * and holes of an array become `null`, -0 becomes 0, and a field that is `undefined` is left out. An error becomes its name
 * and message.
 */
export function serializeResult(value: unknown, toolName: string, maxBytes: number): unknown {
  const text = stringify(value, toolName);
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    throw new ToolError(
      `The result of '${toolName}' is ${size} bytes of JSON, more than the allowed ${maxBytes}. Return less, or raise maxResultBytes.`,
      { code: 'TOOL_RESULT_TOO_LARGE', details: { size, max_bytes: maxBytes } },
    );
  }
  return JSON.parse(text);
}

function stringify(value: unknown, toolName: string): string {
  try {
    return JSON.stringify(value === undefined ? null : value, refuseInHolder) ?? 'null';
  } catch (cause) {
    const why = messageOf(cause).split('\n')[0];
    throw new ToolError(`The result of '${toolName}' cannot be serialized as JSON: ${why}`, {
      code: 'TOOL_RESULT_NOT_SERIALIZABLE',
      cause,
    });
  }
}

/**
 * Refuses a buffer by its holder: its toJSON has already turned it into a list of numbers, in which private values are
 * not found.
 */
function refuseInHolder(this: Readonly<Record<string, unknown>>, key: string, item: unknown): unknown {
  const isBuffer = typeof item === 'object' && item !== null && 'type' in item && item.type === 'Buffer';
  return refuseUnknown(isBuffer && Buffer.isBuffer(this[key]) ? this[key] : item);
}

function refuseUnknown(item: unknown): unknown {
  if (typeof item === 'bigint') throw new TypeError('it contains a bigint; return a string or a number.');
  if (typeof item === 'function' || typeof item === 'symbol')
    throw new TypeError(`it contains a ${typeof item}.`);
  if (typeof item !== 'object' || item === null) return item;
  if (isError(item)) return { name: item.name, message: item.message };
  if (item instanceof Map || item instanceof Set)
    throw new TypeError('it contains a Map or Set; return an object or an array.');
  if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer)
    throw new TypeError('it contains bytes; return a base64 string.');
  if (item instanceof Promise) throw new TypeError('it contains a promise; await it.');
  if (Object.keys(item).length === 0 && !isRepresentable(item))
    throw new TypeError(`it contains a ${kindOf(item)}.`);
  return item;
}

/** Whether JSON can represent an object without own fields: `{}` would be wrong for one with internal state. */
function isRepresentable(item: object): boolean {
  const kind = Object.prototype.toString.call(item).slice(8, -1);
  return kind === 'Object' ? isPlain(item) : REPRESENTABLE_TYPES.has(kind);
}

/** Whether an object is plain and not an instance of a class; another realm has its own `Object`. */
function isPlain(item: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function kindOf(item: object): string {
  const kind = Object.prototype.toString.call(item).slice(8, -1);
  if (kind !== 'Object') return kind;
  // A prototype created by hand may have no constructor.
  const { constructor }: { constructor?: unknown } = item;
  const name = typeof constructor === 'function' ? constructor.name : 'object';
  return `'${name}' without own fields; add a toJSON method, or return a plain object`;
}

/** Other types that JSON can represent. */
const REPRESENTABLE_TYPES: ReadonlySet<string> = new Set(['Array', 'String', 'Number', 'Boolean']);
