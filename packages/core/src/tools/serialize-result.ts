import { isNativeError } from 'node:util/types';
import { ToolError } from './errors.js';

/**
 * A tool's result as plain JSON data, or a typed error. Nothing becomes `1`, `{}` or an address in silence: what JSON
 * has no form for is refused, except that `undefined` becomes `null` and errors become their name and message.
 */
export function serializeResult(value: unknown, toolName: string, maxBytes: number): unknown {
  const text = stringify(value, toolName);
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    throw new ToolError(
      `The result of '${toolName}' is ${size} bytes of JSON, more than the ${maxBytes} allowed. Return less, or raise maxResultBytes.`,
      { code: 'TOOL_RESULT_TOO_LARGE', details: { size, max_bytes: maxBytes } },
    );
  }
  return JSON.parse(text);
}

function stringify(value: unknown, toolName: string): string {
  try {
    return JSON.stringify(value === undefined ? null : value, refuseInHolder) ?? 'null';
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : 'unknown';
    throw new ToolError(`The result of '${toolName}' cannot be written as JSON: ${why}`, {
      code: 'TOOL_RESULT_NOT_SERIALIZABLE',
      cause,
    });
  }
}

/** A buffer turns itself into a list of numbers before anybody is asked, in which no private value is found. */
function refuseInHolder(this: Readonly<Record<string, unknown>>, key: string, item: unknown): unknown {
  const isBuffer = typeof item === 'object' && item !== null && 'type' in item && item.type === 'Buffer';
  return refuseUnknown(isBuffer && Buffer.isBuffer(this[key]) ? this[key] : item);
}

function refuseUnknown(item: unknown): unknown {
  if (typeof item === 'bigint') throw new TypeError('it holds a bigint; return a string or a number.');
  if (typeof item === 'function' || typeof item === 'symbol')
    throw new TypeError(`it holds a ${typeof item}.`);
  if (typeof item !== 'object' || item === null) return item;
  // Node's own errors are of another realm where a test runner makes one.
  if (item instanceof Error || isNativeError(item)) return { name: item.name, message: item.message };
  if (item instanceof Map || item instanceof Set)
    throw new TypeError('it holds a Map or Set; return an object or an array.');
  if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer)
    throw new TypeError('it holds bytes; return base64 text.');
  if (item instanceof Promise) throw new TypeError('it holds a promise; await it.');
  if (Object.keys(item).length === 0 && !hasForm(item)) throw new TypeError(`it holds a ${kindOf(item)}.`);
  return item;
}

/** Whether JSON has a form for a thing without fields of its own, which is not `{}` because what it holds is out of sight. */
function hasForm(item: object): boolean {
  const kind = Object.prototype.toString.call(item).slice(8, -1);
  return kind === 'Object' ? isPlain(item) : HAS_FORM.has(kind);
}

/** Whether an object is no instance of a class; that of another realm has another `Object`. */
function isPlain(item: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function kindOf(item: object): string {
  const kind = Object.prototype.toString.call(item).slice(8, -1);
  if (kind !== 'Object') return kind;
  // A prototype that is made by hand has no constructor.
  const { constructor }: { constructor?: unknown } = item;
  const name = typeof constructor === 'function' ? constructor.name : 'object';
  return `'${name}' without fields of its own; give it toJSON, or return a plain object`;
}

/** What else JSON has a form for. */
const HAS_FORM: ReadonlySet<string> = new Set(['Array', 'String', 'Number', 'Boolean']);
