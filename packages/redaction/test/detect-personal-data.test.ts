import { describe, expect, it } from 'vitest';
import { detectPersonalData, redactTexts, type PersonalDataType } from '../src/index.js';
import { expectMarked } from './marked-text.js';

/** `[…]` marks what must be found; a text without it contains no personal data. */
type Cases = string[];

const cases = {
  email: [
    'Mail [john@example.com].',
    'to:[first.last+tag@mail.sub.example.co.uk]>',
    '[jürgen@müller.de]',
    "([o'neil@example.ie])",
    'john@',
    '@example.com',
    'john@example',
    'Mail me...[john@example.com], or .[mary.ann@example.com]; john..[doe@example.com]',
    '{[john@example.com]}, [_mary@example.com]_',
    `[${'a'.repeat(60)}.bcd@example.com] and ${'a'.repeat(61)}.[bcd@example.com]`,
    'john.@example.com',
    'john@-example.com',
    'john@example.c',
    `${'a'.repeat(65)}@example.com`,
  ],
  phone: [
    'call [+49 30 1234567] now',
    '[+1 (555) 234-5678]',
    '[(555) 234-5678]',
    '[555-234-5678]',
    '[1-555-234-5678]',
    '[555.234.5678]',
    'call [(555)-123-4567], Telefon: [5552345678]',
    'call [555-123-4567], [(555) 012-3456] or [1 555 123 4567]',
    'Ring me...[555-234-5678]; Santos,[030 12345678],Berlin; home:[030 12345678]',
    '12.555-234-5678, 1,030 12345678 and 12:030 12345678',
    '[030 12345678] oder [0171/1234567], [(030)1234567]',
    '[0044 20 7946 0958] or [00 44 20 7946 0958], [(0044) 20 7946 0958]',
    '[0044-20-7946-0958], [0049 (0)30 1234567], [0049/30/1234567]',
    '[001 212 555 0123] and [00 33 1 23 45 67 89]',
    'phone: [5552345678]',
    'Tel. [12 34 56 78]',
    '555-123-456',
    '155-234-5678',
    '+12345',
    '5552345678',
    'order 555-234-56789',
    'a555-234-5678',
    '0.12345678901',
    '2024-01-05-001',
    'order 0049301234567',
    '10:0044 20 7946 0958, 1.0044 20 7946 0958 and x0044 20 7946 0958',
    '0044 207',
    '0012.3456.7890.1234',
  ],
  fax: ['Fax: [555-234-5678]', 'fax no. [+49 30 99887766]', 'fax me tomorrow'],
  ssn: [
    '[123-45-6789]',
    'SSN [123 45 6789]!',
    'social security number is [123456789]',
    '000-12-3456',
    '666-12-3456',
    '900-12-3456',
    '123-00-4567',
    '123-45-0000',
    '123-45-67890',
    '123-45 6789',
    '123456789',
    'ssn 666123456',
  ],
  credit_card: [
    '[4111111111111111]',
    '[4111 1111 1111 1111] and [5500-0000-0000-0004]',
    '[378282246310005], [3782 822463 10005]',
    '[4111.1111.1111.1111], [3782.822463.10005]. It is 5.[4111 1111 1111 1111]',
    '1234 [4111 1111 1111 1111], ...[4111111111111111], 0.4111111111111111',
    '4111111111111112',
    '4111 1111 1111 1112',
    '1111111111111117',
    '4444444444444444',
    '4111 1111-1111 1111',
    '4111.1111.1111.1112',
    '4111.1111 1111.1111',
    '1.4111.1111.1111.1111, 4111.1111.1111.1111.1 and 4111.1111.1111.1111.1111',
    'x4111111111111111',
    '411111111111111',
  ],
  iban: [
    '[GB82WEST12345698765432]',
    '[GB82 WEST 1234 5698 7654 32] AND MORE',
    'iban: [de89 3704 0044 0532 0130 00].',
    'GB82WEST12345698765433',
    'GB82WEST1234569876543',
    'GB82WEST123456987654321',
    'ZZ82WEST12345698765432',
  ],
  swift: ['SWIFT: [DEUTDEFF]', 'BIC code [COBADEFFXXX]', 'DEUTDEFF', 'swift: DEUTDEF', 'a swift customer'],
  account_id: [
    'account number: [12345678]',
    'Acct # [AB-1234-99] open',
    'account no. [1234 5678 90] is open',
    'routing number [021000021]',
    'account is closed',
    'account: 123',
  ],
  medical_record_number: ['MRN: [12345678]', 'medical record no. [A-12345]', 'mrn unknown', 'MRN 12'],
  health_plan_id: ['Member ID: [ABC123456]', 'policy number is [99-12345]', 'member since long ago'],
  passport: ['passport number [C01X00T47]', 'Passport: [123456789]', 'passport control'],
  license_id: [`driver's license [D1234567]`, 'Licence no: [AB-12345]', 'license agreement'],
  certificate_id: ['certificate number [2020-123456]', 'certificate of birth'],
  biometric_id: ['fingerprint template: [a1b2-c3d4-e5f6]', 'fingerprint taken'],
  vehicle_id: [
    '[1HGCM82633A004352]',
    '[1M8GDM9AXKP042788]',
    'VIN: [WVWZZZ1JZ3W386752]',
    'license plate: [ABC 1234]',
    '1HGCM82634A004352',
    '1HGCM82633A00435',
    'IHGCM82633A004352',
    '11111111111111111',
  ],
  device_id: [
    'IMEI [490154203237518]',
    '[00:1A:2b:3C:4d:5E]',
    'serial number: [C02XL0GTJGH5]',
    'IMEI 490154203237519',
    '00:1A:2b:3C:4d',
    '00:1A-2b:3C-4d:5E',
    'device was lost',
  ],
  ip_address: [
    'from...[192.168.1.10]',
    'from [192.168.1.10], via [2001:db8::8a2e:370:7334] and [::1].',
    '[fe80:0:0:0:202:b3ff:fe1e:8329]',
    '[::ffff:192.0.2.128]',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    'v1.2.3.4',
    '12:30:45',
    '::',
    'a::b::c',
    '1:2:3:4:5:6:7',
    'std::vector',
  ],
  url: [
    'see [https://example.com/a?b=c#d].',
    '([http://example.com/a_(b)])',
    '[www.example.com], too',
    'http:// example',
    'example.com',
    'xhttps://example.com',
  ],
  datetime: ['at [2024-01-31T10:00:00Z]', '[2024-02-29 23:59:59.123+02:00]', '25:00'],
  date: [
    'on [2024-01-31]',
    'born...[2024-01-31], but 1.2024-01-31',
    '[31.01.2024], [1/31/2024] and [12/31/99]',
    'born [2024/01/31], [1990/1/5]. On=[1985/12/31]',
    '[January 5, 1990] and [5th of Jan. 1990]',
    '2023-02-29',
    '2024-13-01',
    '31.02.2024',
    '13/13/2024',
    '1.2.3',
    'May 1990',
    '32 January 1990',
    '2024-01-311',
    '2024/13/01, 2023/02/29 and 1789/07/14',
    'logs/2024/01/31, example.com/2024/01/31/title, 2024/01/31/photo.jpg and 2024/01/31.log',
    '2024/01/311, 2024/01/31_x and 2024/01/31-x',
    '2024.01.31',
  ],
  location: [
    '[12 Long Meadow Lane] is it',
    'Address: [Hauptstraße 5, 10115 Berlin]',
    'ZIP code [94105]',
    'postcode [SW1A 1AA]',
    '3 Red Apples',
    'address: unknown',
    '94105',
  ],
  person: [
    'Dr. [Maria Santos] and Mr [Smith]',
    'Patient: [John Q. Public], waiting',
    'my name is [Zoë]',
    'Maria Santos',
    'Dr. who',
    'name: unknown',
    'Hello World',
  ],
} satisfies Record<PersonalDataType, Cases>;

describe.each(Object.entries(cases))('%s', (type, markedTexts) => {
  it.each(markedTexts)('%s', (marked) => expectMarked(type as PersonalDataType, marked));
});

describe('in Unicode text', () => {
  it.each([
    ['phone', '+49\u00a030\u00a01234567'],
    ['phone', '+33\u202f1\u202f23\u202f45\u202f67\u202f89'],
    ['phone', '555\u2011234\u20115678'],
    ['phone', '555\u2012234\u20125678'],
    ['ssn', '123\u201045\u20106789'],
    ['credit_card', '4111\u00a01111\u00a01111\u00a01111'],
    ['iban', 'DE89\u20073704\u20070044\u20070532\u20070130\u200700'],
  ])('a %s with special spaces or hyphens is found: %j', (type, value) => {
    const text = `is\u00a0${value}\u00a0now`;
    expect(detectPersonalData(text)).toEqual([{ type, start: 3, end: 3 + value.length }]);
    expect(redactTexts([text]).texts).toEqual([`is\u00a0{_{pii_${type}_1}_}\u00a0now`]);
  });

  it.each([
    ['phone', '０３－１２３４－５６７８'],
    ['phone', '090−１２３４−５６７８'],
    ['phone', '（０３）１２３４－５６７８'],
    ['phone', '（０３）－１２３４－５６７８'],
    ['phone', '+81 3（１２３４）5678'],
    ['phone', '０９０ー１２３４ー５６７８'],
    ['date', '2024－０１－31'],
    ['date', '1990／１／31'],
    ['phone', '＋８１\u3000３\u3000１２３４\u3000５６７８'],
    ['credit_card', '４１１１\u3000１１１１\u3000１１１１\u3000１１１１'],
    ['credit_card', '４１１１．１１１１．１１１１．１１１１'],
    ['date', '１９９０／１２／３１'],
    ['ip_address', '１９２．１６８．１．１'],
  ])('a %s in full-width characters is found: %s', (type, value) => {
    const text = `は${value}です`;
    expect(detectPersonalData(text)).toEqual([{ type, start: 1, end: 1 + value.length }]);
    expect(redactTexts([text]).texts).toEqual([`は{_{pii_${type}_1}_}です`]);
  });

  it.each(['全部で１２３４５件', '第１．２．３章', '１００−２００', '１／２', '１２：３０'])(
    'the numbers in %s are not personal data',
    (text) => expect(detectPersonalData(text)).toEqual([]),
  );

  it.each([
    ['credit_card', '卡号', '4111111111111111', '请'],
    ['phone', 'フリーダイヤルー', '0120-444-444', 'です'],
    ['phone', '전화는', '010-1234-5678', '입니다'],
    ['date', '于', '1990-01-31', '出生'],
    ['ssn', '\u{20000}', '123-45-6789', '\u{20000}'],
    ['iban', '口座', 'DE89370400440532013000', 'です'],
    ['iban', '账号', 'GB82 WEST 1234 5698 7654 32', '。'],
    ['url', '访问', 'https://example.com/a?b=c', ' 看看'],
    ['device_id', '주소는', 'aa:bb:cc:dd:ee:ff', '입니다'],
    ['ip_address', '地址', 'fe80::1ff:fe23:4567:890a', '是'],
    ['vehicle_id', '车架号', '1HGCM82633A004352', '的'],
    ['date', '于', 'May 5, 1990', '出生'],
    ['ssn', '我的SSN: ', '123456789', '。'],
    ['person', '患者はDr. ', 'Maria Santos', 'さん、'],
    ['phone', 'Tel：', '5552345678', '。'],
    ['person', 'Patient：', 'Maria Santos', '、'],
    ['email', '', '田中1@example.com', ' へ'],
    ['email', 'メール ', 'user@日本1.jp', ''],
    ['email', '', 'דני5@example.com', ''],
    ['location', 'Address: ', '港区1-2-3', ''],
    ['location', 'Address：', '千代田区１丁目２番３号', ''],
    ['phone', 'TEL1：', '03-1234-5678', ''],
    ['phone', '電話１：', '０３－１２３４－５６７８', ''],
    ['phone', '電話１．', '03-1234-5678', ''],
  ])('a %s is found without spaces around it: %s%s%s', (type, before, value, after) => {
    const start = before.length;
    expect(detectPersonalData(before + value + after)).toEqual([{ type, start, end: start + value.length }]);
  });

  it('a dash between two dates is part of neither', () => {
    const text = '31.01.2024\u201305.02.2024';
    expect(detectPersonalData(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '31.01.2024',
      '05.02.2024',
    ]);
  });
});

describe('overlaps', () => {
  it('the longest match is kept', () => {
    const text = 'https://example.com/?mail=john@example.com';
    expect(detectPersonalData(text)).toEqual([{ type: 'url', start: 0, end: text.length }]);
  });

  it.each([
    ['+49 30 1234567 2024-01-31', 'phone', 0, 25],
    ['tel 12 34 56 4111 1111 1111 1111', 'credit_card', 4, 32],
    ['tel 12 34 56 4111 1111 1111 1111 and 5', 'credit_card', 4, 32],
  ])('matches that overlap in part are joined, as the kind of the longest: %s', (text, type, start, end) => {
    expect(detectPersonalData(text)).toEqual([{ type, start, end }]);
  });

  it('adjacent matches are all kept', () => {
    expect(detectPersonalData('192.168.1.1,john@example.com;1990-01-31').map(({ type }) => type)).toEqual([
      'ip_address',
      'email',
      'date',
    ]);
  });

  it('matches are returned from left to right', () => {
    const text = '2024-01-31 john@example.com 192.168.1.1';
    expect(detectPersonalData(text).map(({ type }) => type)).toEqual(['date', 'email', 'ip_address']);
  });
});
