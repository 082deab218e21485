import { describe, expect, it } from 'vitest';
import { detectPersonalData } from '../../src/index.js';
import { expectMarked } from '../marked-text.js';

const repeated = (part: string, times: number) => part.repeat(times);

describe('an email address', () => {
  it.each([
    `[${repeated('a', 64)}@example.com]`,
    `[${repeated('a', 30)}.${repeated('b', 33)}@example.com]`,
    `[${Array.from({ length: 32 }, () => 'a').join('.')}@example.com]`,
    `[john@${repeated('b', 63)}.com], john@${repeated('b', 64)}.com`,
    `[john@example.${repeated('x', 24)}], john@example.${repeated('x', 25)}`,
    '[john@a.b.c.d.e.f.g.h.com]',
    "[x!#$%&'*+/=?^_`|~-1@mail-2.example.com], [a.!#$%&'*+/=?^_`|~-2@example.com]",
    '[a@b.cc], [1@2.dd]',
    'john@example.com5',
    '[user=john%40example.com], [a%40b%40example.com] and 5%40x',
    '[नीति@उदाहरण.भारत], [e\u0301ric@exa\u0308mple.com]; \u0301',
    'john@example-.com, john@ex.-ample.com',
  ])('%s', (marked) => expectMarked('email', marked));
});

describe('a phone number', () => {
  it.each([
    '[+1234567], [+123456789012345]; +123456, +1234567890123456',
    '[+49.30.1234567], [+49/30/1234567], [+49 (30) 123-4567]; +49   301234567',
    '[+4930 1234567]x? a+4930 1234567, 1+4930 1234567, ++4930 1234567',
    '[00423 123 4567], [001/23456789012], [0044/(20)7946]; 0044/(20)794',
    '[0044 20 (7946) 0958], [00423/(123)4567], 000 12 3456',
    '[0044 (20) 7946 0958], [0044 2 079 460 958 123]',
    'a/0044 20 7946 0958, -0044 20 7946 0958 and 1,0044 20 7946 0958',
    '0044/(20)7946.1, 0044/(20)7946a',
    '[1.555.234.5678], [1 555 234 5678], [555 234 5678], [200-200-5678], [(200) 200-5678]',
    '[(555)234-5678], [(555)-234-5678], [(555) 234.5678]',
    '/555-234-5678, -555-234-5678, 555-234-5678-1, 555-234-5678a, (155) 234-5678',
    '[01 1234567], [01234 56789], [01234 567890123], [(01234)567890123], [(012)345678]',
    '[030/1234567], [030-1234567], [(030) 1234567], [030 12 34-56 78]; 01 123456',
    '/030 12345678, -030 12345678, 030 12345678a, 030 123456789-1 and 030 12345678.1',
  ])('%s', (marked) => expectMarked('phone', marked));

  it.each(
    'telephone|telphone|telefon|Telefono|teléfono|telefone|tel|phone|mobile|cell|cellphone|Handy|WhatsApp|call at|call me at|call on|call me on|text at|text me at|text on|text me on'.split(
      '|',
    ),
  )('is found after %s', (label) => expectMarked('phone', `my ${label} [5552345], ${label} 555234`));

  it.each([
    'phone: [+(555)2345678]',
    'phone: [55.52/34(5)-6]',
    'phone: [123456789012345], phone: 1234567890123456',
    'phone: [5- 552345], phone: 5 - 552345',
  ])('%s', (marked) => expectMarked('phone', marked));
});

it.each(['fax', 'telefax', 'telfax'])('finds a fax number after %s', (label) => {
  expectMarked('fax', `${label}: [5552345], ${label}: 555234`);
});

describe('a label', () => {
  it.each([
    'phone number',
    'phone numbers',
    'phone num',
    'phone no',
    'phone no.',
    'phone nr',
    'phone id',
    'phone code',
    'phone  number',
    'phone.',
    'phone is',
    'phone was',
    'phone =',
    'phone:',
    'phone #',
    'phone -',
    'phone:  ',
    'PHONE NUMBER   is  ',
    'home_phone:',
    'phone_number =',
    'phoneNumber:',
    'phone-no.',
    'Telefonnummer:',
    'Tel.-Nr.',
    '"phone": "',
    '{\\"phone\\":\\"',
    "phone = '",
    '**Phone:** ',
    '| Phone | ',
    'phone #: ',
    'phone =>',
  ])('is recognized in %j', (label) => expectMarked('phone', `${label} [5552345]!`));

  it.each([
    'microphone 5552345',
    'phones 5552345',
    '1phone 5552345',
    'phone 5552345a',
    'phone: 5552345_',
    'phone will be 5552345',
    'phone    5552345x',
  ])('is not recognized in %j', (text) => expectMarked('phone', text));
});

describe('a web address', () => {
  it.each([
    '[http://ab] [www.ab]',
    '[http://ab], [https://ab], [www.ab]; http://a 1http://ab',
    `<[https://example.com/a]>, "[https://example.com/a]", {[https://example.com/a]}`,
    '[https://example.com/a]`, [https://example.com/a]|, [https://example.com/a]\\, [https://example.com/a]^',
    `[https://${repeated('a', 2048)}]`,
    '(([https://example.com/a_(b)])), ([https://example.com/a(b)c])',
  ])('%s', (marked) => expectMarked('url', marked));

  it.each(Array.from(`.,;:!?'*`))('ends before %s', (sign) =>
    expectMarked('url', `[https://example.com/a]${sign} is it`),
  );

  it.each([
    ['(https://example.com/a_[b])', 'https://example.com/a_[b]'],
    ['[https://example.com/a]', 'https://example.com/a'],
    ['[(https://example.com/(a))].', 'https://example.com/(a)'],
  ])('is found without the brackets around it: %s', (text, address) => {
    const start = text.indexOf('https');
    expect(detectPersonalData(text)).toEqual([{ type: 'url', start, end: start + address.length }]);
  });
});
