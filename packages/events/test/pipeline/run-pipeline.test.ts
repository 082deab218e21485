import { expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { noteOf } from '../../src/pipeline/run-pipeline.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

it.each<[string, object, string]>([
  ['session_start', {}, 'missing required fields session_id'],
  ['custom', { nested: { constructor: 1 } }, 'reserved field names present at $.nested.constructor'],
  ['custom', { at: new Date(0), constructor: 1 }, 'reserved field names present at $.constructor'],
])('a strict bridge rejects %s %j and names the problem', async (name, data, problem) => {
  const bridge = new EventBridge('s', { schemaValidation: 'strict', logger: silentLogger });
  await expect(bridge.emit(name, data)).rejects.toMatchObject({
    code: 'EVENT_SCHEMA_INVALID',
    problems: [problem],
  });
});

it('text that was held back is shown once there are no private values any more', async () => {
  const values = [{ name: 'token', value: 'SECRET-42' }];
  const bridge = new EventBridge('s', {
    audience: 'internal',
    logger: silentLogger,
    privateValues: () => values,
  });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'SECR' });
  values.pop();
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'ETS' });
  await bridge.emitFinal('done');
  const shown = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
  expect(shown.map(({ data }) => data.text ?? '').join('')).toBe('SECRETS');
});

it.each(['internal', 'frontend_safe'] as const)(
  'an event without effects leaves no note (%s)',
  (audience) => {
    expect(noteOf([], { audience, matcher: undefined })).toBeUndefined();
  },
);
