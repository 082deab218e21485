import { describe, expect, it } from 'vitest';
import { PIIWhitelist, type PIIWhitelistEntry, RedactionError } from '../src/index.js';

const justification = 'agreed with the customer';
const whitelist = (entry: Partial<PIIWhitelistEntry>, phiMode = false) =>
  new PIIWhitelist({ entries: [{ justification, ...entry }], phiMode });

describe('a whitelist is refused', () => {
  it.each([
    [
      'a justification of 7 characters',
      { value: 'abc', justification: 'x'.repeat(7) },
      'WHITELIST_JUSTIFICATION_INVALID',
    ],
    [
      'a blank justification',
      { value: 'abc', justification: ' '.repeat(20) },
      'WHITELIST_JUSTIFICATION_INVALID',
    ],
    [
      'a justification of 513 characters',
      { value: 'abc', justification: 'x'.repeat(513) },
      'WHITELIST_JUSTIFICATION_INVALID',
    ],
    ['a value of two characters', { value: 'ab' }, 'WHITELIST_VALUE_TOO_SHORT'],
    ['two selectors', { value: 'abc', entityType: 'email' }, 'WHITELIST_SELECTOR_INVALID'],
    ['three selectors', { value: 'abc', entityType: 'email', pattern: 'abc' }, 'WHITELIST_SELECTOR_INVALID'],
    ['no selector', {}, 'WHITELIST_SELECTOR_INVALID'],
    ['a blank selector', { entityType: ' ' }, 'WHITELIST_SELECTOR_INVALID'],
    ['a pattern that allows anything', { pattern: '.*' }, 'WHITELIST_PATTERN_TOO_PERMISSIVE'],
    ['a pattern of one optional letter', { pattern: '[a-z]?' }, 'WHITELIST_PATTERN_TOO_PERMISSIVE'],
    ['a pattern that allows any non-empty text', { pattern: '.+' }, 'WHITELIST_PATTERN_TOO_PERMISSIVE'],
    ['a pattern that does not compile', { pattern: '(' }, 'WHITELIST_PATTERN_INVALID'],
    ['a pattern that closes the group around it', { pattern: 'foo)|(?:bar' }, 'WHITELIST_PATTERN_INVALID'],
    ['nested repetitions after closing that group', { pattern: 'x)|(?:(a+)+b' }, 'WHITELIST_PATTERN_INVALID'],
    [
      'thousands of nested groups',
      { pattern: `${'('.repeat(3_000)}abc${')'.repeat(3_000)}` },
      'WHITELIST_PATTERN_TOO_COSTLY',
    ],
    ['a pattern of 4,097 characters', { pattern: 'x'.repeat(4_097) }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['a million alternatives', { pattern: `${'x|'.repeat(1_000_000)}y` }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['nested repetitions', { pattern: '(a+)+x' }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['repeated alternatives', { pattern: '(a|b)*x' }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['many unbounded repetitions', { pattern: 'a*b*c*d*e*f*x' }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['26 optional letters', { pattern: `${'a?'.repeat(26)}x` }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['a back-reference', { pattern: String.raw`(a)\1` }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['a look-ahead', { pattern: '(?=a)abc' }, 'WHITELIST_PATTERN_TOO_COSTLY'],
    ['a label of 129 characters', { value: 'abc', label: 'x'.repeat(129) }, 'WHITELIST_LABEL_TOO_LONG'],
  ])('with %s', (_, entry, code) => {
    expect(() => whitelist(entry)).toThrow(expect.objectContaining({ code, name: 'RedactionError' }));
  });

  it.each<[string, unknown]>([
    ['a typo in the options', { phimode: true }],
    ['null as its options', null],
    ['one entry instead of an array', { entries: { value: 'abc', justification } }],
    ['a string instead of an array', { entries: 'abc' }],
    ['a string as phiMode', { phiMode: 'false' }],
    ['an entry that is a string', { entries: ['abc'] }],
    ['a field under its wire name', { entries: [{ entity_type: 'email', justification }] }],
    ['an unknown field', { entries: [{ value: 'abc', justification, lable: 'x' }] }],
    ['a value that is not a string', { entries: [{ value: 12345, justification }] }],
    ['a pattern that is not a string', { entries: [{ pattern: /abc/, justification }] }],
    ['a justification that is not a string', { entries: [{ value: 'abc', justification: 12345678 }] }],
  ])('with %s', (_, options) => {
    expect(() => new PIIWhitelist(options as never)).toThrow(
      expect.objectContaining({ code: 'WHITELIST_OPTION_INVALID', name: 'RedactionError' }),
    );
  });

  it('without a justification', () => {
    expect(() => new PIIWhitelist({ entries: [{ value: 'abc' }] } as never)).toThrow(
      expect.objectContaining({ code: 'WHITELIST_JUSTIFICATION_INVALID' }),
    );
  });

  it.each(['email', 'PERSON', 'date', 'ip_address'])(
    'with a Safe Harbor entity type in phiMode: %s',
    (entityType) => {
      expect(() => whitelist({ entityType }, true)).toThrow(
        expect.objectContaining({ code: 'WHITELIST_PHI_TYPE_FORBIDDEN' }),
      );
      expect(() => whitelist({ entityType })).not.toThrow();
    },
  );

  it.each<[Partial<PIIWhitelistEntry>, string]>([
    [{ value: 5 as never }, 'Whitelist entry 2: value must be a string, got number.'],
    [{ value: 'ab' }, 'Whitelist entry 2: value must be at least 3 characters, got 2.'],
  ])('with an error that names the entry by number: %j', (second, message) => {
    const entries = [
      { value: 'abc', justification },
      { justification, ...second },
    ];
    expect(() => new PIIWhitelist({ entries })).toThrow(message);
  });

  it('with the SyntaxError of an invalid pattern as the cause', () => {
    const cause = expect.any(SyntaxError);
    expect(() => whitelist({ pattern: '(' })).toThrow(expect.objectContaining({ cause }));
  });
});

describe('an entry is accepted', () => {
  it.each([
    ['a justification of 8 characters', { value: 'abc', justification: 'x'.repeat(8) }],
    ['a justification of 512 characters', { value: 'abc', justification: 'x'.repeat(512) }],
    ['a label of 128 characters', { value: 'abc', label: 'x'.repeat(128) }],
    ['a value in phiMode', { value: 'john@example.com' }],
    ['another entity type in phiMode', { entityType: 'passport' }],
    ['a pattern of groups', { pattern: String.raw`(?:\d{1,3}\.){3}\d{1,3}` }],
    [
      'a pattern of classes and alternatives',
      { pattern: String.raw`[^@\]]+@(?:corp|(?<sub>dev)\.corp)\.example` },
    ],
    ['25 optional letters', { pattern: `${'a?'.repeat(25)}x` }],
    ['a pattern of letters', { pattern: '[a-z]+' }],
    ['a pattern of any number of digits', { pattern: String.raw`\d*` }],
    ['a pattern of everything but one letter', { pattern: '[^a]+' }],
    ['a pattern of everything but one digit', { pattern: '[^7]+' }],
    ['a pattern of everything but one symbol', { pattern: '[^@]+' }],
    ['a pattern of everything but white space', { pattern: String.raw`\S+` }],
    ['a pattern of property escapes', { pattern: String.raw`\p{L}+\u{41}` }],
  ])('with %s', (_, entry) => {
    expect(() => whitelist(entry, true)).not.toThrow();
  });
});

describe('an entry allows', () => {
  it.each([
    ['its entity type', { entityType: ' Email ' }, 'email', 'a@b.example', true],
    ['no other entity type', { entityType: 'email' }, 'phone', 'a@b.example', false],
    ['its value in any letter case', { value: ' John@Example.com' }, 'email', 'john@example.COM', true],
    [
      'no longer text that contains its value',
      { value: 'john@example.com' },
      'email',
      'xjohn@example.com',
      false,
    ],
    [
      'what its pattern matches as a whole',
      { pattern: String.raw`.+@corp\.example` },
      'email',
      'A@CORP.example',
      true,
    ],
    [
      'nothing that its pattern matches only in part',
      { pattern: String.raw`.+@corp\.example` },
      'email',
      'a@corp.example.com',
      false,
    ],
    ['a text of 256 characters by a pattern', { pattern: 'a+' }, 'email', 'a'.repeat(256), true],
    ['no text of 257 characters by a pattern', { pattern: 'a+' }, 'email', 'a'.repeat(257), false],
    ['nothing that an alternative matches only at its start', { pattern: 'abc|xyz' }, 'email', 'abcd', false],
  ])('%s', (_, entry, type, text, isAllowed) => {
    expect(whitelist(entry).find(type, text) !== undefined).toBe(isAllowed);
  });

  it('data, and is returned as the reason', () => {
    const entry = { value: 'abc', justification, label: 'test' };
    expect(whitelist(entry).find('email', 'abc')).toEqual(entry);
  });
});

it.each([
  [['pattern', 'type', 'value'], 'pattern'],
  [['type', 'pattern', 'value'], 'type'],
  [['value', 'pattern', 'type'], 'value'],
  [['other', 'pattern', 'value'], 'pattern'],
  [['value', 'sameValue', 'type'], 'value'],
  [['type', 'sameType'], 'type'],
])('returns the first entry that allows the data: of %j, %s', (order, first) => {
  const entries = {
    pattern: { pattern: '[^@]+@example\\.com', justification },
    type: { entityType: 'email', justification },
    value: { value: 'john@example.com', justification },
    other: { entityType: 'phone', justification },
    sameValue: { value: 'John@example.com', justification, label: 'again' },
    sameType: { entityType: 'EMAIL', justification, label: 'again' },
  };
  const list = new PIIWhitelist({ entries: order.map((name) => Object(Reflect.get(entries, name))) });
  expect(list.find('email', 'john@example.com')).toEqual(Reflect.get(entries, first));
});

it('treats null entries and phiMode as absent', () => {
  const { entries, phiMode } = new PIIWhitelist({ entries: null, phiMode: null } as never);
  expect({ entries, phiMode }).toEqual({ entries: [], phiMode: false });
  expect(PIIWhitelist.fromData({ entries: null, phi_mode: null }).toJSON()).toEqual({
    entries: [],
    phi_mode: false,
  });
});

it('survives a round trip through JSON', () => {
  const list = new PIIWhitelist({
    entries: [
      { entityType: ' Passport ', justification, label: 'l' },
      { value: 'abc', justification },
      { pattern: 'abc', justification },
    ],
    phiMode: true,
  });
  const data = JSON.parse(JSON.stringify(list));
  expect(data).toEqual({
    entries: [
      { entity_type: 'passport', justification, label: 'l' },
      { value: 'abc', justification },
      { pattern: 'abc', justification },
    ],
    phi_mode: true,
  });
  expect(PIIWhitelist.fromData(data).toJSON()).toEqual(data);
  expect(PIIWhitelist.fromData({}).toJSON()).toEqual({ entries: [], phi_mode: false });
});

it('does not change when the entry it was created from changes', () => {
  const entry: PIIWhitelistEntry = { value: 'abc', justification };
  const list = new PIIWhitelist({ entries: [entry] });
  entry.value = 'xyz';
  expect(list.toJSON().entries[0]?.value).toBe('abc');
});

it('RedactionError is an SDK error by its brand, string and JSON', () => {
  const error = new RedactionError('m', { code: 'WHITELIST_VALUE_TOO_SHORT', cause: 'c' });
  expect(Symbol.for('svc.sdk-error') in error).toBe(true);
  expect(String(error)).toBe('RedactionError [WHITELIST_VALUE_TOO_SHORT]: m');
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'RedactionError',
    code: 'WHITELIST_VALUE_TOO_SHORT',
    message: 'm',
  });
  expect(error.cause).toBe('c');
});
