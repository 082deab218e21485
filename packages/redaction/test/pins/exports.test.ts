import { expect, it } from 'vitest';
import * as root from '../../src/index.js';

it('@svc/redaction exports its public API and nothing else', () => {
  expect(Object.keys(root).toSorted()).toEqual([
    'PIIWhitelist',
    'RedactionError',
    'createHeldBackText',
    'createTextRedactor',
    'createValueMatcher',
    'detectPersonalData',
    'knownTexts',
    'placeholder',
    'redactTexts',
    'resolvePlaceholders',
    'withoutHeldText',
  ]);
});
