import { PIIWhitelist } from '@svc/redaction';
import { invalidOption, parseList } from '../config/options.js';
import { PrivateData } from './private-data.js';

/** What says, besides a text, which values are personal in it. */
export interface RedactionOptions {
  /** Values that are personal for certain; they are replaced wherever they stand. */
  knownPiiValues?: readonly (string | PrivateData)[] | undefined;
  /** Justified exceptions; they replace those of the run or the scope. */
  piiWhitelist?: PIIWhitelist | undefined;
}

/** Checks them: a known value that cannot be found would stay in clear. None of them stands in the error. */
export function parseRedactionOptions({ knownPiiValues, piiWhitelist }: RedactionOptions, owner: string) {
  const known = parseList(knownPiiValues, 'knownPiiValues', owner);
  if (!known.every(isKnownValue)) {
    throw invalidOption(owner, 'takes texts, and PrivateData of a text or a number, as knownPiiValues', [
      'knownPiiValues',
    ]);
  }
  const whitelist = piiWhitelist ?? undefined;
  if (whitelist !== undefined && !(whitelist instanceof PIIWhitelist)) {
    throw invalidOption(owner, 'takes a PIIWhitelist as piiWhitelist', ['piiWhitelist']);
  }
  return { knownPiiValues: known, piiWhitelist: whitelist };
}

/** An absent value is as a blank one, which is passed over. */
function isKnownValue(known: unknown): boolean {
  if (!(known instanceof PrivateData)) return typeof known === 'string';
  return ['string', 'number', 'bigint'].includes(typeof (known.value ?? ''));
}
