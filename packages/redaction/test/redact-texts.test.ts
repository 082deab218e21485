import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextRedactor, PIIWhitelist, redactTexts, resolvePlaceholders } from '../src/index.js';

describe('detected data', () => {
  it('is replaced with a placeholder numbered by kind', () => {
    expect(redactTexts(['Mail john@example.com'])).toEqual({
      texts: ['Mail {_{pii_email_1}_}'],
      insertedKeys: ['pii_email_1'],
      addedPrivateData: { pii_email_1: 'john@example.com' },
      redactedTextCount: 1,
      redactedValueCount: 1,
      matchedKnownValues: [],
      unmatchedKnownValues: [],
      whitelisted: [],
    });
  });

  it('gets the same placeholder again, even in a later text', () => {
    const { texts, insertedKeys, redactedTextCount, redactedValueCount } = redactTexts([
      'a@example.com, b@example.com, a@example.com',
      'b@example.com',
      'nothing',
    ]);
    expect(texts).toEqual([
      '{_{pii_email_1}_}, {_{pii_email_2}_}, {_{pii_email_1}_}',
      '{_{pii_email_2}_}',
      'nothing',
    ]);
    expect(insertedKeys).toEqual(['pii_email_1', 'pii_email_2']);
    expect([redactedTextCount, redactedValueCount]).toEqual([2, 2]);
  });

  it('is numbered per kind, skipping names already taken', () => {
    const { texts } = redactTexts(['a@example.com 192.168.1.1 b@example.com'], {
      privateData: { pii_email_1: 'someone@else.example' },
    });
    expect(texts).toEqual(['{_{pii_email_2}_} {_{pii_ip_address_1}_} {_{pii_email_3}_}']);
  });
});

describe('known values', () => {
  it.each([
    ['by their own name', { value: 'Maria Santos', name: 'patient_name' }, 'patient_name'],
    ['by their kind if they have no name', { value: 'Maria Santos', piiType: ' person ' }, 'pii_person_1'],
    ['by a kind with symbols', { value: 'C01X00T47', piiType: 'US / Passport' }, 'pii_us_passport_1'],
    ['by their form if they have neither', { value: 'maria@example.com' }, 'pii_email_1'],
    ['by their form if the kind is blank', { value: 'maria@example.com', piiType: ' ' }, 'pii_email_1'],
    ['as pii_value if they only contain an address', { value: 'Maria <maria@example.com>' }, 'pii_value_1'],
    ['as pii_value if their form is unknown', { value: 'blue elephant' }, 'pii_value_1'],
    ['as pii_value if they are plain strings', 'blue elephant', 'pii_value_1'],
    ['by a name with its braces replaced', { value: 'Maria Santos', name: ' a{_}b ' }, 'a___b'],
  ])('are named %s', (_, known, key) => {
    const value = typeof known === 'string' ? known : known.value;
    const { texts, addedPrivateData, matchedKnownValues } = redactTexts([`about ${value}.`], {
      knownValues: [known],
    });
    expect(texts).toEqual([`about {_{${key}}_}.`]);
    expect(addedPrivateData).toEqual({ [key]: value });
    expect(matchedKnownValues).toEqual([value]);
  });

  it('are found in any letter case and encoding, and added as they were given', () => {
    const { texts, addedPrivateData } = redactTexts(['MARIA%20SANTOS'], {
      knownValues: [{ value: 'Maria Santos', name: 'n' }],
    });
    expect(texts).toEqual(['{_{n}_}']);
    expect(addedPrivateData).toEqual({ n: 'Maria Santos' });
  });

  it('are reported as matched or unmatched, trimmed and without duplicates', () => {
    const { matchedKnownValues, unmatchedKnownValues } = redactTexts(['Mail john@example.com'], {
      knownValues: ['john@example.com', ' john@example.com ', '', '  ', { value: 'x', name: 'n' }],
    });
    expect(matchedKnownValues).toEqual(['john@example.com']);
    expect(unmatchedKnownValues).toEqual(['x']);
  });

  it('under four characters are replaced only as a whole text', () => {
    const { texts, matchedKnownValues } = redactTexts(['123', 'call 123', ' 123\n'], {
      knownValues: [{ value: '123', name: 'pin' }],
    });
    expect(texts).toEqual(['{_{pin}_}', 'call 123', '{_{pin}_}']);
    expect(matchedKnownValues).toEqual(['123']);
  });

  it('with the same name get distinct names', () => {
    const { addedPrivateData } = redactTexts(['Maria Santos, John Doe'], {
      knownValues: [
        { value: 'Maria Santos', name: 'name' },
        { value: 'John Doe', name: 'name' },
      ],
    });
    expect(addedPrivateData).toEqual({ name: 'Maria Santos', name_2: 'John Doe' });
  });

  it('given twice use the first name', () => {
    const { texts } = redactTexts(['Maria Santos'], {
      knownValues: [
        { value: 'Maria Santos', name: 'first' },
        { value: ' Maria Santos', name: 'second' },
      ],
    });
    expect(texts).toEqual(['{_{first}_}']);
  });
});

describe('private data', () => {
  it('is replaced with its name and not added again', () => {
    const { texts, insertedKeys, addedPrivateData } = redactTexts(
      ['token tok_9f31 at Long Lane 5, code 42', '42'],
      {
        privateData: { token: 'tok_9f31', address: { street: 'Long Lane 5' }, code: 42, unused: 'unused' },
      },
    );
    expect(texts).toEqual(['token {_{token}_} at {_{address}_}, code 42', '{_{code}_}']);
    expect(insertedKeys).toEqual(['token', 'address', 'code']);
    expect(addedPrivateData).toEqual({});
  });

  it.each([
    ['a string', ' 42\n'],
    ['a number', 42],
    ['a bigint', 42n],
    ['part of an object', { code: '42' }],
  ])('under four characters, as %s, is replaced only as a whole text', (_, code) => {
    const privateData = { code, same: '42', blank: ' ', none: Number.NaN, pin: '1234' };
    const { texts } = redactTexts(['42', ' 42\n', '42 years', '', '  ', 'NaN', ' 1234 '], { privateData });
    const short = '{_{code}_}';
    expect(texts).toEqual([short, short, '42 years', '', '  ', 'NaN', ' {_{pin}_} ']);
  });

  it.each([
    ['private data', { privateData: { secret: String.raw`a\\\b` } }],
    ['a known value', { knownValues: [{ value: String.raw`a\\\b`, name: 'secret' }] }],
  ])(
    'that is short because its backslashes count as one is replaced as a whole text, as %s',
    (_, options) => {
      const { texts } = redactTexts([String.raw`a\\\b`, String.raw`x a\\\b`], options);
      expect(texts).toEqual(['{_{secret}_}', String.raw`x a\\\b`]);
    },
  );

  it('gives its first name to an equal known value', () => {
    const { texts } = redactTexts(['token tok_9f31'], {
      privateData: { token: 'tok_9f31', copy: 'tok_9f31' },
      knownValues: [{ value: 'tok_9f31', name: 'other' }],
    });
    expect(texts).toEqual(['token {_{token}_}']);
  });

  it('gives its name to an equal known value, which counts as matched', () => {
    const { texts, matchedKnownValues } = redactTexts(['token tok_9f31'], {
      privateData: { token: 'tok_9f31' },
      knownValues: [{ value: 'tok_9f31', name: 'other' }],
    });
    expect(texts).toEqual(['token {_{token}_}']);
    expect(matchedKnownValues).toEqual(['tok_9f31']);
  });
});

describe('overlaps', () => {
  it('a match that contains another is replaced, and the other counts as matched', () => {
    const { texts, matchedKnownValues } = redactTexts(['Mail john@example.com'], {
      knownValues: [{ value: 'john', name: 'first_name' }],
    });
    expect(texts).toEqual(['Mail {_{pii_email_1}_}']);
    expect(matchedKnownValues).toEqual(['john']);
  });

  it.each([
    ['for john', 'john@example.com', 'pii_email_1'],
    ['written to john', 'john@x.io', 'who'],
  ])('partly overlapping matches are replaced together, as the longer one: %s, %s', (known, found, key) => {
    const both = known + found.slice(4);
    const { texts, addedPrivateData } = redactTexts([`It is ${both} now`], {
      knownValues: [{ value: known, name: 'who' }],
    });
    expect(texts).toEqual([`It is {_{${key}}_} now`]);
    expect(addedPrivateData).toEqual({ [key]: both });
  });

  it('adjacent values stay separate, and inserted keys are in text order', () => {
    const { texts, insertedKeys, addedPrivateData } = redactTexts(
      ['Mail john@example.com tok_9f31tok_7c20'],
      {
        knownValues: ['tok_9f31', 'tok_7c20'],
      },
    );
    expect(texts).toEqual(['Mail {_{pii_email_1}_} {_{pii_value_1}_}{_{pii_value_2}_}']);
    expect(insertedKeys).toEqual(['pii_email_1', 'pii_value_1', 'pii_value_2']);
    expect(addedPrivateData).toMatchObject({ pii_value_1: 'tok_9f31', pii_value_2: 'tok_7c20' });
  });

  it('data uncovered by replacing an adjacent value is replaced too', () => {
    const { texts } = redactTexts(['::aaaaa::a'], { knownValues: ['aaaaa'] });
    expect(texts).toEqual(['::{_{pii_value_1}_}{_{pii_ip_address_1}_}']);
  });

  it('placeholders already in the text stay', () => {
    const text = 'Mail {_{pii_email_1}_} or {_{2024-01-31}_} or {_john@example.com_}';
    expect(redactTexts([text], { knownValues: ['pii_email'] }).texts).toEqual([text]);
  });
});

describe('a name already used by a placeholder in the texts', () => {
  it('is not given to another value', () => {
    const { texts, addedPrivateData } = redactTexts([
      'Mail ann@example.com',
      'and {_{pii_email_1}_}, {_pii_email_2_}',
    ]);
    expect(texts).toEqual(['Mail {_{pii_email_3}_}', 'and {_{pii_email_1}_}, {_pii_email_2_}']);
    expect(addedPrivateData).toEqual({ pii_email_3: 'ann@example.com' });
  });

  it('is still given to the known value with that name', () => {
    const { texts } = redactTexts(['{_{patient}_}: Maria Santos'], {
      knownValues: [{ value: 'Maria Santos', name: 'patient' }],
    });
    expect(texts).toEqual(['{_{patient}_}: {_{patient}_}']);
  });
});

describe('options', () => {
  it('number new names after countAfter, per kind', () => {
    const options = { countAfter: 40, knownValues: [{ value: 'Robert', name: 'friend' }] };
    expect(redactTexts(['a@example.com, b@example.com, 192.0.2.7, Robert'], options).texts).toEqual([
      '{_{pii_email_41}_}, {_{pii_email_42}_}, {_{pii_ip_address_41}_}, {_{friend}_}',
    ]);
  });

  it('allow a countAfter of 999,999,999', () => {
    const { insertedKeys } = redactTexts(['a@example.com'], { countAfter: 999_999_999 });
    expect(insertedKeys).toEqual(['pii_email_1000000000']);
  });

  it.each([-1, 0.5, 1e9, Number.NaN, '7'])('with a countAfter of %s are refused', (countAfter) => {
    expect(() => redactTexts([], { countAfter } as never)).toThrow(RangeError);
  });

  it('that are unknown are refused, because their values would stay in clear', () => {
    const options = { knownValue: ['Maria Santos'] } as object;
    expect(() => redactTexts(['Maria Santos'], options)).toThrow(
      new TypeError(
        "redactTexts: unknown option 'knownValue'. Known options: knownValues, whitelist, countAfter, privateData.",
      ),
    );
    expect(() => createTextRedactor().redact(['Maria Santos'], { privateData: {} } as object)).toThrow(
      new TypeError(
        "redact: unknown option 'privateData'. Known options: knownValues, whitelist, countAfter.",
      ),
    );
  });

  it('that are null count as absent', () => {
    const options = { knownValues: null, privateData: null, whitelist: null, countAfter: null } as object;
    expect(redactTexts(['a@example.com'], options).texts).toEqual(['{_{pii_email_1}_}']);
  });

  it('with a known value that is not a string are refused, without showing it', () => {
    const options = { knownValues: ['Maria', { name: 'pin', value: 4711 }] } as object;
    expect(() => redactTexts(['4711'], options)).toThrow(
      new TypeError('Known value 2 must be a string or { value, name, piiType } with a string as its value'),
    );
  });
});

describe('a whitelist', () => {
  const whitelist = new PIIWhitelist({
    entries: [{ entityType: 'email', justification: 'public addresses', label: 'mail' }],
  });

  it('leaves what it allows in clear, and reports it', () => {
    const { texts, whitelisted } = redactTexts(['john@example.com 192.168.1.1'], { whitelist });
    expect(texts).toEqual(['john@example.com {_{pii_ip_address_1}_}']);
    expect(whitelisted).toEqual([{ type: 'email', entry: whitelist.entries[0] }]);
  });

  it('does not apply to known or private values', () => {
    const { texts } = redactTexts(['john@example.com jane@example.com'], {
      whitelist,
      knownValues: ['john@example.com'],
      privateData: { jane: 'jane@example.com' },
    });
    expect(texts).toEqual(['{_{pii_email_1}_} {_{jane}_}']);
  });
});

describe('properties', () => {
  const known = fc.string({ minLength: 5, maxLength: 20, unit: fc.constantFrom(...'abcXYZ019 @.-') });
  const values = fc.array(
    known.map((value) => value.trim()).filter((value) => value.length >= 4),
    { maxLength: 3 },
  );
  const text = fc.string({ maxLength: 40, unit: fc.constantFrom(...'abc @.-019\n:') });

  it('no known value is left, the texts can be restored, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(values, fc.array(text, { maxLength: 3 }), (knownValues, around) => {
        const texts = around.map((part, i) => part + (knownValues[i] ?? '') + part);
        const result = redactTexts(texts, { knownValues });
        for (const redacted of result.texts) {
          for (const value of knownValues) {
            expect(redacted.replaceAll(/\{_\{[^}]*\}_\}/g, '\0').toLowerCase()).not.toContain(
              value.toLowerCase(),
            );
          }
        }
        const lookup = (name: string) => result.addedPrivateData[name];
        const restored = result.texts.map((redacted) => resolvePlaceholders(redacted, lookup));
        expect(restored.join('|').toLowerCase()).toBe(texts.join('|').toLowerCase());
        expect(redactTexts(result.texts, { knownValues }).texts).toEqual(result.texts);
      }),
    );
  });
});

it('reports any number of whitelisted detections', () => {
  const whitelist = PIIWhitelist.fromData({
    entries: [{ value: 'a@b.com', justification: 'our own address' }],
  });
  const count = 150_000;
  expect(redactTexts(['a@b.com '.repeat(count)], { whitelist }).whitelisted).toHaveLength(count);
});
