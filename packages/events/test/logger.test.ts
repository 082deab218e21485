import { expect, it } from 'vitest';
import { EventBridge } from '../src/bridge/event-bridge.js';

it('a bridge logs each message on one line, whatever it quotes', async () => {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  await using bridge = new EventBridge('s\nERROR forged', {
    logger: { debug: log, info: log, warn: log, error: log },
  });
  await bridge.emit('custom', JSON.parse('{"x\\nERROR forged line":{"__proto__":1}}'));
  await bridge.emitFinal('done');
  await bridge.emit('late\u2028', {});
  expect(messages).toEqual([
    expect.stringContaining('$.x\\u000aERROR forged line.__proto__'),
    expect.stringContaining("'late\\u2028' of session 's\\u000aERROR forged'"),
  ]);
});
