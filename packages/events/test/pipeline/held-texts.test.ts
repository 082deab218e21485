import { describe, expect, it } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MOST_REMEMBERED } from '../../src/bounded-map.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const open = (options: EventBridgeOptions) =>
  new EventBridge('s', { logger: silentLogger, schemaValidation: 'off', ...options });
const say = (bridge: EventBridge, text: string) => bridge.emitAssistantChunk({ assistantId: 'a', text });
const seen = async (bridge: EventBridge) => readAll(bridge.generateSse({ audience: 'frontend_safe' }));

describe('private values in chunks', () => {
  it('are noted chunk by chunk while they are held back, so that another bridge can continue', async () => {
    const value = Array.from({ length: 500 }, (_, n) => `word ${n * n}`).join(' ');
    const log = new MemoryEventLog();
    const over = { audience: 'internal' as const, log, privateValues: () => [{ name: 'letter', value }] };
    const bridge = open(over);
    const chunks = value.match(/.{1,16}/g) ?? [];
    await say(bridge, 'So: ');
    for (const text of chunks.slice(0, -1)) await say(bridge, text);
    const { notes } = await log.open('s');
    expect(JSON.stringify(notes).length).toBeLessThan(value.length * 8);
    await say(open(over), `${chunks.at(-1)}.`);
    expect((await bridge.history()).map(({ data }) => data.text).join('')).toBe(`So: ${value}.`);
    const frames = open(over).generateSse({ audience: 'frontend_safe' });
    expect((await collectEvents(frames, 2)).map(({ data }) => data.text)).toEqual(['So: ', '{_{letter}_}.']);
  });

  it.each(['internal', 'frontend_safe'] as const)(
    'are hidden in the descriptor of a chunk too, whose other fields are kept (%s)',
    async (audience) => {
      const bridge = open({ audience, privateValues: () => [{ name: 'token', value: 'SECRET-42' }] });
      for (const text of ['on SECR', 'ET-42!']) {
        await say(bridge, text);
        await bridge.emitSystemToolChunk({ toolId: 't', text, progress: 0.5 });
      }
      await bridge.emitFinal('done');
      const chunks = (await seen(bridge)).map(({ data }) => data.assistant ?? data.chunk);
      expect(chunks.slice(0, -1)).toEqual(
        ['on ', '{_{token}_}!'].flatMap((text) => [
          { id: 'a', delta: text },
          { text, progress: 0.5 },
        ]),
      );
    },
  );

  it('are shown as <redacted> only once if text held back was lost in a takeover', async () => {
    const log = new MemoryEventLog();
    const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
    const next = (audience: Audience) => open({ audience, log, privateValues });
    await say(next('frontend_safe'), 'SECRE');
    await say(next('internal'), 'SEC');
    const last = next('internal');
    await say(last, 'ONDS');
    await last.emitFinal('done');
    expect((await seen(last)).map(({ data }) => data.text ?? '').join('')).toBe('<redacted>SECONDS');
  });

  it.each(['internal', 'frontend_safe'] as const)(
    'stay hidden wherever another bridge takes over (%s)',
    async (audience) => {
      const privateValues = () =>
        ['SECRET-42', 'T-42 more', 'ore'].map((value) => ({ name: value.slice(-2), value }));
      const chunks = ['SECR', 'x SEC', 'RET-42 m', 'o', 're SECRET-4', '2', ' mo', 'on'];
      const shown = async (cut: number) => {
        const log = new MemoryEventLog();
        const over = { audience, log, privateValues };
        const [first, second] = [open(over), open(over)];
        for (const [at, text] of chunks.entries()) await say(at < cut ? first : second, text);
        await second.emitFinal('done');
        return (await seen(second)).map(({ data }) => data.text ?? '').join('');
      };
      const whole = await shown(0);
      expect(whole).not.toMatch(/SECRET-|T-42/);
      for (const cut of chunks.keys()) {
        const other = await shown(cut);
        // A bridge that may not store what it held back hides more of it.
        if (audience === 'internal') expect(other).toBe(whole);
        else expect(other).not.toMatch(/SECRET-|T-42/);
      }
    },
  );

  it.each(['internal', 'frontend_safe'] as const)(
    'are not held back of ever more texts: beyond a bound, further texts of the turn are hidden (%s)',
    async (audience) => {
      const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
      const log = new MemoryEventLog();
      let bridge = open({ audience, log, privateValues });
      const saidBy = (assistantId: string, text: string) => bridge.emitAssistantChunk({ assistantId, text });
      await bridge.emitSystemToolChunk({ toolId: 't', text: 'SE' });
      for (let n = 1; n < MOST_REMEMBERED; n += 1) await saidBy(`a${n}`, 'SE');
      await saidBy('new', 'SECR');
      await saidBy('a1', 'CONE');
      await bridge.emitSystemToolComplete({ toolId: 't', result: 1 });
      bridge = open({ audience, log, privateValues });
      await saidBy('new', 'ET-42');
      await saidBy('a1', '!');
      await bridge.emitFinal('done');
      const texts = async (id: string) =>
        (await seen(bridge)).flatMap(({ data }) => (data.assistant_id === id ? [data.text] : []));
      expect(await texts('new')).toEqual(['<redacted>', '<redacted>']);
      expect((await texts('a1')).at(-1)).toBe('!');
      expect(await texts('a9999')).toEqual(['SE']);
      await bridge.reopen();
      await saidBy('new', 'shown');
      await bridge.emitFinal('done');
      expect(await texts('new')).toEqual(['shown']);
    },
  );

  it('are held back of any number of texts that end one after the other', async () => {
    const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
    const bridge = open({ audience: 'frontend_safe', privateValues });
    for (let n = 0; n < MOST_REMEMBERED; n += 1) {
      await bridge.emitSystemToolChunk({ toolId: `t${n}`, text: 'SE' });
      await bridge.emitSystemToolComplete({ toolId: `t${n}`, result: 1 });
    }
    await say(bridge, 'shown');
    const [last] = (await bridge.history()).slice(-1);
    expect(last?.data.text).toBe('shown');
  });
});
