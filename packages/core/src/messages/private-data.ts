import { inspect } from 'node:util';
import { parseText, refuseUnknownOptions } from '../config/options.js';

/** A private value and what may be told of it. The description travels, the value never does. */
export interface PrivateDataInput<Value = unknown> {
  /** The value itself; it stays in this process. */
  value: Value;
  /** The name under which tools ask for it. */
  name?: string | undefined;
  /** What it is, such as `email` or `account_id`. */
  piiType?: string | undefined;
  /** What people call it. */
  label?: string | undefined;
  /** What planners are told of it. */
  description?: string | undefined;
  /** Its form, such as `XX-000000`; not the value. */
  format?: string | undefined;
}

const KNOWN = [
  'value',
  'name',
  'piiType',
  'label',
  'description',
  'format',
] satisfies (keyof PrivateDataInput)[];

/** A private value with its description. Printing or serializing it does not show the value. */
export class PrivateData<Value = unknown> {
  readonly #value: Value;
  readonly name: string | undefined;
  readonly piiType: string | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly format: string | undefined;

  /** An option that does not exist, or is no text where it has to be, is a `ConfigurationError`. */
  constructor(input: PrivateDataInput<Value>) {
    const owner = 'PrivateData';
    refuseUnknownOptions(input, KNOWN, owner);
    this.#value = input.value;
    this.name = parseText(input.name, 'name', owner);
    this.piiType = parseText(input.piiType, 'piiType', owner);
    this.label = parseText(input.label, 'label', owner);
    this.description = parseText(input.description, 'description', owner);
    this.format = parseText(input.format, 'format', owner);
  }

  /** The value itself. */
  get value(): Value {
    return this.#value;
  }

  [inspect.custom](): string {
    return `PrivateData { name: ${inspect(this.name)}, value: [hidden] }`;
  }
}

/** The value itself, of one with a description. */
export function bareValue(value: unknown): unknown {
  return value instanceof PrivateData ? value.value : value;
}
