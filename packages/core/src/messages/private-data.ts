import { inspect } from 'node:util';
import { parseText, refuseUnknownOptions } from '../config/options.js';

/** A private value and its description. Planners see the description, never the value. */
export interface PrivateDataInput<Value = unknown> {
  /** The value itself; it stays in this process. */
  value: Value;
  /** The name by which tools request it. */
  name?: string | undefined;
  /** The kind of value, such as `email` or `account_id`. */
  piiType?: string | undefined;
  /** A human-readable name. */
  label?: string | undefined;
  /** A description for planners. */
  description?: string | undefined;
  /** The format, such as `XX-000000`; not the value itself. */
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

/** A private value with its description. Printing or serializing it does not reveal the value. */
export class PrivateData<Value = unknown> {
  readonly #value: Value;
  readonly name: string | undefined;
  readonly piiType: string | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly format: string | undefined;

  /** @throws ConfigurationError for an unknown option, or a descriptive one that is not a string. */
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

/** Returns the value itself, without its description. */
export function bareValue(value: unknown): unknown {
  return value instanceof PrivateData ? value.value : value;
}
