import { PIIWhitelist } from '@svc/redaction';
import { invalidOption, invalidValue, parseList } from '../config/options.js';
import { PrivateData } from './private-data.js';

/** Options that say which values in a text are personal. */
export interface RedactionOptions {
  /** Values known to be personal; they are replaced wherever they occur in the texts that are redacted. */
  knownPiiValues?: readonly (string | PrivateData)[] | undefined;
  /** Justified exceptions from redaction; they replace those of the run, the agent or the swarm. */
  piiWhitelist?: PIIWhitelist | undefined;
}

/**
 * Validates the options: a known value that cannot be searched for would stay in clear. Errors contain none of the
 * values.
 */
export function parseRedactionOptions({ knownPiiValues, piiWhitelist }: RedactionOptions, owner: string) {
  const known = parseList(knownPiiValues, 'knownPiiValues', owner);
  if (!known.every(isKnownValue)) {
    throw invalidOption(
      `${owner}:`,
      'knownPiiValues must contain only strings and PrivateData with a string or a number',
      ['knownPiiValues'],
    );
  }
  const whitelist = piiWhitelist ?? undefined;
  if (whitelist !== undefined && !(whitelist instanceof PIIWhitelist)) {
    throw invalidValue(owner, 'piiWhitelist', 'a PIIWhitelist', whitelist);
  }
  return { knownPiiValues: known, piiWhitelist: whitelist };
}

/** An absent value counts as a blank one, which is skipped. */
function isKnownValue(known: unknown): boolean {
  if (!(known instanceof PrivateData)) return typeof known === 'string';
  return ['string', 'number', 'bigint'].includes(typeof (known.value ?? ''));
}
