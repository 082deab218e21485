import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { forwardNormalizedStream } from '../../src/forward/forward.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { validateEvent } from '../../src/pipeline/validate.js';

const strict = (data: Record<string, unknown>) => () => validateEvent('final', data, { mode: 'strict' });

describe('a final without a response', () => {
  it.each(['failed', 'cancelled'])('is valid if its status is %s', (status) => {
    expect(strict({ response: '', status })).not.toThrow();
  });
  it.each([[{ total: 12.5 }], [0], [false], [[]]])('is valid if its result is %j', (result) => {
    expect(strict({ response: '', result })).not.toThrow();
  });
  it('ends the turn of a strict bridge if the run answered with a result alone', async () => {
    const bridge = new EventBridge('s', { schemaValidation: 'strict' });
    const raw = { name: 'final', payload: { status: 'completed', responses: [], result: { total: 12.5 } } };
    await forwardNormalizedStream(normalizeStream([raw]), { bridge });
    expect(bridge.closed).toBe(true);
    expect((await bridge.history())[0]?.data).toMatchObject({ response: '', result: { total: 12.5 } });
  });
  it.each([null, undefined, ''])('is malformed if its result is %j', (result) => {
    expect(strict({ response: '', result })).toThrow('missing required fields response');
  });
  it.each([undefined, 'completed'])('is malformed if its status is %s', (status) => {
    expect(strict({ response: '', status })).toThrow('missing required fields response');
  });
});
