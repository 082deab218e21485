import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { hidePrivateData } from '../../src/ingress/hide-private-data.js';

const hide = (state: object) => hidePrivateData(SessionRequestSchema.parse(state));
const redacted = (content: unknown, rest: object = {}) => ({ type: 'redacted', content, ...rest });

function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

describe('a request of many messages', () => {
  const withCount = (count: number) =>
    Array.from({ length: count }, (_, i) => redacted(`mail user${i}@example.com`));

  it('takes CPU time that grows far slower than the square of their number', () => {
    const [few, many] = [withCount(250), withCount(2_000)];
    hide({ messages: few });
    // Eight times as many: 64 times the work, were it to grow with the square.
    expect(cpuOf(() => hide({ messages: many }))).toBeLessThan(cpuOf(() => hide({ messages: few })) * 40);
  });

  it('hides in every message the known values of any message', () => {
    const { request, values } = hide({
      messages: [
        redacted('ask about XK-2291'),
        redacted('it is XK-2291', { known_pii_values: [{ value: 'XK-2291', name: '__proto__' }] }),
        redacted('again: xk-2291'),
      ],
    });
    expect(request.messages.map(({ content }) => content)).toEqual([
      'ask about {_{__proto__}_}',
      'it is {_{__proto__}_}',
      'again: {_{__proto__}_}',
    ]);
    expect(values?.matcher.has('xk-2291')).toBe(true);
  });

  it('is rejected when its whitelist could take too long on all of them', () => {
    const pattern = `https://x\\.example/${'a?'.repeat(24)}!`;
    const pii_whitelist = { entries: [{ pattern, justification: 'our own addresses' }] };
    const message = redacted(`https://x.example/${'a'.repeat(200)}`);
    expect(() => hide({ pii_whitelist, messages: [message] })).not.toThrow();
    expect(() => hide({ pii_whitelist, messages: Array.from({ length: 40 }, () => message) })).toThrow(
      expect.objectContaining({ code: 'INVALID_WHITELIST', details: { problem: 'WHITELIST_TOO_COSTLY' } }),
    );
  });

  it('is rejected when the patterns of its whitelists are too many to compile', () => {
    const withPattern = (length: number) =>
      redacted('x', {
        pii_whitelist: { entries: [{ pattern: 'a'.repeat(length), justification: 'our own pages' }] },
      });
    const messages = Array.from({ length: 4 }, () => withPattern(4_096));
    expect(() => hide({ messages })).not.toThrow();
    expect(() => hide({ messages: [...messages, withPattern(1)] })).toThrow(
      expect.objectContaining({ code: 'INVALID_WHITELIST', details: { problem: 'WHITELIST_TOO_COSTLY' } }),
    );
  });

  it('is rejected when its private and known values are too many to compile', () => {
    const private_data = { list: Array.from({ length: 2_499 }, (_, i) => `value-${i}`) };
    const withKnown = (count: number) =>
      redacted('x', { known_pii_values: Array.from({ length: count }, (_, i) => `known-${i}`) });
    const start = (...messages: object[]) => hide({ private_data, messages });
    expect(() => start(withKnown(2_000), withKnown(500))).not.toThrow();
    expect(() => start(withKnown(2_000), withKnown(501))).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', details: { limit: 5000 } }),
    );
  });
});
