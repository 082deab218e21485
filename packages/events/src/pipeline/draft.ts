import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** An event on its way into the log. */
export interface Draft {
  /** The event name, in canonical spelling if it is one of the contract. */
  readonly type: string;
  /** The payload: our copy, so the stages may change its own fields and descriptors, but nothing deeper. */
  readonly payload: JsonRecord;
  /** The unchanged scope of an enrichment: the payload only keeps scope types of the contract. */
  readonly scope?: EnrichmentScope;
  /** Whether it came as a complete event of the contract, whose tool id is that of one invocation. */
  readonly isComplete?: boolean;
  /** Whether its tool id was derived from the tool's name, because the event had none. */
  readonly hasDerivedId?: boolean;
  /** Why there is no payload: the input threw when it was read. */
  readonly failure?: Error;
}

/** The scope of an enrichment, as given. */
export interface EnrichmentScope {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly type?: string | null | undefined;
}

/**
 * Creates a draft of the caller's input. If reading the input throws, the draft contains the failure.
 *
 * @throws TypeError if the input is not an object, which is the caller's mistake.
 */
export function draftOf<Input>(type: string, input: Input, build: (input: Input) => Draft): Draft {
  const draft = draftOfRecord(type, input, build);
  if (draft !== undefined) return draft;
  throw new TypeError(`The ${type} event must be an object, got ${describeType(input)}`);
}

/** Creates a draft as `draftOf` does; undefined if the input is not an object. */
export function draftOfRecord<Input>(
  type: string,
  input: Input,
  build: (input: Input & JsonRecord) => Draft,
): Draft | undefined {
  try {
    // Even telling a revoked proxy from an array throws.
    return isRecord(input) ? build(input) : undefined;
  } catch (error) {
    return {
      type,
      payload: {},
      failure: error instanceof Error ? error : new Error('The data cannot be read', { cause: error }),
    };
  }
}

/** Describes a value of the wrong type in an error. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
