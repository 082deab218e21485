import { describe, expect, it } from 'vitest';
import { createTextRedactor, PIIWhitelist } from '../src/index.js';

const justification = 'it may be shown here';

describe('texts redacted one after the other', () => {
  it('reuse the placeholder of a value found earlier, in any encoding', () => {
    const redactor = createTextRedactor({ card: 'tok_9f31' });
    const first = redactor.redact(['Mail john@example.com']);
    expect(first.addedPrivateData).toEqual({ pii_email_1: 'john@example.com' });
    const second = redactor.redact([`${encodeURIComponent('john@example.com')} tok_9f31`, 'ann@example.com']);
    expect(second.texts).toEqual(['{_{pii_email_1}_} {_{card}_}', '{_{pii_email_2}_}']);
    expect(second.insertedKeys).toEqual(['pii_email_1', 'card', 'pii_email_2']);
    expect(second.addedPrivateData).toEqual({ pii_email_2: 'ann@example.com' });
  });

  it('replace a short value found earlier only as a whole text', () => {
    const redactor = createTextRedactor();
    redactor.redact(['42'], { knownValues: [{ value: '42', name: 'age' }] });
    expect(redactor.redact(['42', '42 years']).texts).toEqual(['{_{age}_}', '42 years']);
  });

  it('do not reuse the number of a placeholder in an earlier text', () => {
    const redactor = createTextRedactor();
    redactor.redact(['about {_{pii_email_1}_}']);
    expect(redactor.redact(['john@example.com']).texts).toEqual(['{_{pii_email_2}_}']);
  });

  it('give each value its own name, and follow only their own rules', () => {
    const redactor = createTextRedactor();
    const named = (value: string) => ({ knownValues: [{ value, name: 'patient' }] });
    expect(redactor.redact(['Maria Santos'], named('Maria Santos')).texts).toEqual(['{_{patient}_}']);
    expect(redactor.redact(['John Miller'], named('John Miller')).texts).toEqual(['{_{patient_2}_}']);
    const whitelist = new PIIWhitelist({ entries: [{ value: 'ann@example.com', justification }] });
    expect(redactor.redact(['ann@example.com'], { whitelist }).texts).toEqual(['ann@example.com']);
    expect(redactor.redact(['ann@example.com']).texts).toEqual(['{_{pii_email_1}_}']);
  });
});

describe('whitelist patterns', () => {
  const addresses = (count: number) =>
    Array.from({ length: count }, (_, i) => `https://x.example/${'a'.repeat(200)}${i}`).join(' ');
  const whitelist = (pattern: string) => new PIIWhitelist({ entries: [{ pattern, justification }] });

  it('that could take very long on all detected data together are refused', () => {
    const costly = whitelist(`https://x\\.example/${'a?'.repeat(24)}!`);
    const error = expect.objectContaining({ name: 'RedactionError', code: 'WHITELIST_TOO_COSTLY' });
    expect(() => createTextRedactor().redact([addresses(20)], { whitelist: costly })).toThrow(error);
    const redactor = createTextRedactor();
    for (let i = 0; i < 2; i += 1) redactor.redact([addresses(5)], { whitelist: costly });
    expect(() => {
      for (let i = 0; i < 2; i += 1) redactor.redact([addresses(5)], { whitelist: costly });
    }).toThrow(error);
  });

  it('that are fast are tried on thousands of detections', () => {
    const { whitelisted } = createTextRedactor().redact([addresses(5_000)], {
      whitelist: whitelist('https://x\\.example/[a-z]*\\d+'),
    });
    expect(whitelisted).toHaveLength(5_000);
  });
});
