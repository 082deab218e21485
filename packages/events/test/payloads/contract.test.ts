import { FAMILY_PAYLOAD_SCHEMAS, isKnownFamilyName } from '@svc/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { corpus } from '../../../contracts/test/fixtures/corpus.ts';
import { rebuildPayload } from '../../src/payloads/rebuild-payload.js';
import { isOfOtherVersion } from '../../src/payloads/other-version.js';
import { arbitraryFamily, arbitraryPayload } from './arbitrary-payload.ts';

describe('a rebuilt payload', () => {
  test('is valid, whatever payload of this version it was built from', () => {
    fc.assert(
      fc.property(arbitraryFamily, arbitraryPayload, (family, payload) => {
        fc.pre(!isOfOtherVersion(payload));
        const parsed = FAMILY_PAYLOAD_SCHEMAS[family].safeParse(rebuildPayload(family, payload));
        expect(parsed.error).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  const typical = corpus.filter(
    ({ subject, file }) => isKnownFamilyName(subject) && /^accepted-(typical|newer)/.test(file),
  );
  test.each(typical)('of $subject/$file equals the original payload', ({ subject, payload }) => {
    const read: Record<string, unknown> = Object(payload);
    expect(rebuildPayload(subject, read)).toEqual(payload);
  });
});
