import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { HumanMessage, RedactedMessage } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { createPrivateDataMap, readPrivateValue } from '../../src/privacy/private-data-map.js';
import { redactMessages } from '../../src/privacy/redact-messages.js';

const redact = (message: RedactedMessage) => {
  const { messages, redactedValues } = redactMessages([message], { privateData: createPrivateDataMap() });
  return { message: messages[0] as HumanMessage, added: { ...redactedValues } };
};

it('a redacted message keeps its parts and attachments that are not text', () => {
  const image = { type: 'image', url: 'https://x.example/a.png' };
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
  const options = { id: 'm-1', attachments: [{ name: 'a.png', bytes, mimeType: 'image/png' }] };
  const { message } = redact(
    new RedactedMessage([image, { type: 'text', text: 'I am ann@example.com' }], options),
  );
  expect(message).toBeInstanceOf(HumanMessage);
  expect(message.id).toBe('m-1');
  expect(message.content).toEqual([image, { type: 'text', text: 'I am {_{pii_email_1}_}' }]);
  expect(message.attachments).toEqual([
    { name: 'a.png', mimeType: 'image/png', contentBase64: bytes.toString('base64') },
  ]);
});

it.each([
  ['its own name', { value: 'Robert', name: 'who', piiType: 'customer' }, { who: 'Robert' }],
  ['a name from its type', { value: 'Robert', piiType: 'customer' }, { pii_customer_1: 'Robert' }],
  ['its own name, and becomes a string if it is a BigInt', { value: 4711n, name: 'no' }, { no: '4711' }],
])('a known value gets %s', (_what, known, expected) => {
  const knownPiiValues = [new PrivateData<unknown>(known)];
  expect(redact(new RedactedMessage('For Robert, 4711', { knownPiiValues })).added).toEqual(expected);
});

it('a value known both as a number and as a string can be restored as either', () => {
  const knownPiiValues = ['4711', new PrivateData({ value: 4711 })];
  const { added } = redact(new RedactedMessage('For 4711', { knownPiiValues }));
  expect(Object.keys(added).map((name) => readPrivateValue(added, name))).toEqual([
    { value: 4711, text: '4711' },
  ]);
});
