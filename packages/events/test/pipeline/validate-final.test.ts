import { describe, expect, it } from 'vitest';
import { validateEvent } from '../../src/pipeline/validate.js';

const strict = (data: Record<string, unknown>) => () => validateEvent('final', data, { mode: 'strict' });

describe('a final without a response', () => {
  it.each(['failed', 'cancelled'])('is valid if its status is %s', (status) => {
    expect(strict({ response: '', status })).not.toThrow();
  });
  it.each([undefined, 'completed'])('is malformed if its status is %s', (status) => {
    expect(strict({ response: '', status })).toThrow('missing required fields response');
  });
});
