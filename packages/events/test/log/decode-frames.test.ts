import { expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

const frameOf = (data: string) => `id: a-1\nevent: custom\ndata: ${data}\n\n`;
const malformed = [
  '{"id": secret-4711',
  'null',
  '[]',
  '"secret-4711"',
  '{}',
  '{"type":"custom","data":null}',
];
const failure = expect.objectContaining({
  code: 'EVENT_LOG_UNAVAILABLE',
  message: expect.stringMatching(/^(?!.*4711).*an event of the session is malformed/),
});

it.each(malformed)('refuses a frame with the data %s, without repeating it', (data) => {
  expect(() => decodeFrames(frameOf(data))).toThrow(failure);
});

it.each(malformed)(
  'a reader of a log that contains an event with the data %s gets the reason',
  async (data) => {
    const log = new MemoryEventLog();
    const { epoch } = await log.open('s');
    await log.append({ sessionId: 's', seq: 1, kind: 'event', frames: frameOf(data) }, { epoch });
    const bridge = new EventBridge('s', { audience: 'frontend_safe', log, logger: silentLogger });
    await expect(bridge.generateSse()[Symbol.asyncIterator]().next()).rejects.toThrow(failure);
    await bridge.close();
  },
);
