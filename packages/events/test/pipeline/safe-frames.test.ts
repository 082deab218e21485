import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const options = {
  logger: silentLogger,
  schemaValidation: 'off' as const,
  privateValues: () => [
    { name: 'token', value: 'SECRET-42' },
    { name: 'pin', value: '77' },
  ],
};
const open = (over = {}) => new EventBridge('s', { ...options, audience: 'frontend_safe', ...over });
const seen = async (bridge: EventBridge) =>
  (await readAll(bridge.generateSse({ audience: 'frontend_safe' }))).map(({ type, data }) =>
    type === 'assistant_chunk' || type === 'system_tool_chunk'
      ? `${String(data.assistant_id ?? data.tool_id)}: ${String(data.text)}`
      : type,
  );
const say = (bridge: EventBridge, text: string, assistantId = 'a') =>
  bridge.emitAssistantChunk({ assistantId, text });

describe.each(['frontend_safe', 'internal'] as const)(
  'text in chunks, on a bridge that is %s',
  (audience) => {
    it('is held back only while it may become a private value', async () => {
      const bridge = open({ audience });
      for (const text of ['It is SEC', 'RET-', '42. And ', 'SECOND', ' to none']) await say(bridge, text);
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual([
        'a: It is ',
        'a: {_{token}_}. And ',
        'a: SECOND',
        'a:  to none',
        'final',
      ]);
    });

    it('that is still held back is released before the end of the turn', async () => {
      const bridge = open({ audience });
      await say(bridge, 'one SECR');
      await say(bridge, 'two SE', 'b');
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual(['a: one ', 'b: two ', 'a: SECR', 'b: SE', 'final']);
    });

    it('can be resumed within the text released at the end', async () => {
      const bridge = open({ audience });
      await say(bridge, 'one SECR');
      await say(bridge, 'two SE', 'b');
      await bridge.emitFinal('done');
      const all = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
      expect(new Set(all.map(({ id }) => id)).size).toBe(5);
      for (const [i, { id }] of all.slice(0, -1).entries()) {
        const rest = await readAll(bridge.generateSse({ audience: 'frontend_safe', lastEventId: id }));
        expect(rest).toEqual(all.slice(i + 1));
      }
    });

    it('that is still held back is released when the turn is reopened or the session closed', async () => {
      const log = new MemoryEventLog();
      const bridge = open({ audience, log });
      await say(bridge, 'one SECR');
      const reading = collectEvents(bridge.generateSse({ audience: 'frontend_safe' }), 4);
      await bridge.waitForSubscriber({ timeoutMs: 1000 });
      await bridge.reopen();
      await say(bridge, 'two SE');
      await bridge.close();
      expect((await reading).map(({ data }) => data.text)).toEqual(['one ', 'SECR', 'two ', 'SE']);
    });

    it('is released to a reader that resumes after the release of an earlier turn', async () => {
      const bridge = open({ audience });
      const reading = collectEvents(bridge.generateSse({ audience: 'frontend_safe' }), 2);
      await bridge.waitForSubscriber({ timeoutMs: 1000 });
      await say(bridge, 'one SECR');
      await bridge.reopen();
      const lastEventId = (await reading).at(-1)?.id;
      await say(bridge, 'SE');
      await bridge.emitFinal('done');
      const rest = await readAll(bridge.generateSse({ audience: 'frontend_safe', lastEventId }));
      expect(rest.map(({ type, data }) => data.text ?? type)).toEqual(['SE', 'final']);
    });

    it('is released without an empty chunk if all that is held back was replaced already', async () => {
      // The end of this value may begin another one.
      const privateValues = () => [{ name: 'token', value: 'tok-9f31-tok' }];
      const bridge = open({ audience, privateValues });
      await say(bridge, 'It is tok-9f31-tok');
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual(['a: It is {_{token}_}', 'final']);
    });

    it('that is still held back is dropped when its content is replaced', async () => {
      const bridge = open({ audience });
      await say(bridge, 'one SECR');
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'ET-42 anew', replaceContent: true });
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual(['a: one ', 'a: ET-42 anew', 'final']);
    });

    it('replaces what was shown before even if all of it is held back', async () => {
      const bridge = open({ audience });
      await say(bridge, 'one');
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'SECR', replaceContent: true });
      await say(bridge, 'ET-42 anew');
      await bridge.emitFinal('done');
      const events = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
      expect(events.map(({ data }) => [data.text, data.replace_content])).toEqual([
        ['one', undefined],
        ['', true],
        ['{_{token}_} anew', undefined],
        [undefined, undefined],
      ]);
    });

    it('of a system tool is released when the tool ends', async () => {
      const bridge = open({ audience });
      await bridge.emitSystemToolChunk({ toolId: 't', text: 'reading SECR' });
      await bridge.emitSystemToolChunk({ toolId: 'u', text: 'SE' });
      await bridge.emitSystemToolComplete({ toolId: 't', result: 1 });
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual([
        't: reading ',
        'u: ',
        't: SECR',
        'system_tool_complete',
        'u: SE',
        'final',
      ]);
    });

    it.each(['failed', 'Cancelled'])('of a system tool is released by a tool_event: %s', async (status) => {
      const bridge = open({ audience });
      await bridge.emitSystemToolChunk({ toolId: 't', text: 'reading SECR' });
      await bridge.emitToolEvent({ toolId: 't', toolName: 'web_search', status });
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual(['t: reading ', 't: SECR', 'tool_event', 'final']);
    });

    it('of a system tool stays held back while a tool_event reports that it is running', async () => {
      const bridge = open({ audience });
      const tool = { toolId: 't', toolName: 'web_search', toolType: 'system' };
      await bridge.emitSystemToolChunk({ toolId: 't', text: 'reading SECR' });
      await bridge.emitToolEvent({ ...tool, status: 'executing' });
      await bridge.emitSystemToolChunk({ toolId: 't', text: 'ET-42.' });
      await bridge.emitToolEvent({ ...tool, status: 'completed' });
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual([
        't: reading ',
        'tool_event',
        't: {_{token}_}.',
        'tool_event',
        'final',
      ]);
    });

    it('has a placeholder for a private value in its id', async () => {
      const bridge = open({ audience });
      await say(bridge, 'one SECR', 'by-SECRET-42');
      await bridge.emitSystemToolChunk({ toolId: 'of-SECRET-42', text: 'two SE' });
      await bridge.emitSystemToolComplete({ toolId: 'of-SECRET-42', result: 1 });
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual([
        'by-{_{token}_}: one ',
        'of-{_{token}_}: two ',
        'of-{_{token}_}: SE',
        'system_tool_complete',
        'by-{_{token}_}: SECR',
        'final',
      ]);
    });

    it('is not held back if there are no private values', async () => {
      const bridge = open({ audience, privateValues: () => [] });
      await say(bridge, 'one SECR');
      await bridge.emitFinal('done');
      expect(await seen(bridge)).toEqual(['a: one SECR', 'final']);
    });
  },
);

describe('text held back when another process takes over the session', () => {
  it.each([
    ['the log', 0],
    ['its checkpoint', 700],
  ])('is continued from %s', async (_, later) => {
    const log = new MemoryEventLog();
    const first = open({ audience: 'internal', log });
    await say(first, 'It is SECR');
    for (let n = 0; n < later; n += 1) await first.emit('custom', { n });
    const second = open({ audience: 'internal', log });
    await say(second, 'ET-42.');
    await second.emitFinal('done');
    const chunks = (await seen(second)).filter((line) => line.startsWith('a:'));
    expect(chunks.at(-1)).toBe('a: {_{token}_}.');
  });

  it.each([
    ['stays hidden with the rest of its value', 'It is SECR', ['ET-', '42.'], 'It is {_{token}_}.'],
    ['becomes <redacted> if other text follows', 'It is SECR', ['ETARY.'], 'It is <redacted>ETARY.'],
    ['becomes <redacted> at the end of the turn', 'It is SECR', [], 'It is <redacted>'],
    ['stays hidden if an empty chunk precedes the rest', 'It is SECR', ['', 'ET-42.'], 'It is {_{token}_}.'],
    ['is kept if it does not reveal a value', 'It is SE', ['E.'], 'It is SEE.'],
  ])('%s, on a frontend_safe bridge', async (_, before, after, shown) => {
    for (const later of [0, 700]) {
      const log = new MemoryEventLog();
      const first = open({ log });
      const reading = collectEvents(first.generateSse(), 1);
      await say(first, before);
      const [visible] = await reading;
      for (let n = 0; n < later; n += 1) await first.emit('custom', { n });
      const second = open({ log });
      for (const text of after) await say(second, text);
      await second.emitFinal('done');
      const rest = (await readAll(second.generateSse())).filter(({ type }) => type === 'assistant_chunk');
      const texts = [visible, ...rest.filter(({ id }) => id !== visible?.id)].map(
        (event) => event?.data.text,
      );
      expect(texts.join('')).toBe(shown);
    }
  });
});

describe('private values', () => {
  it('are replaced by placeholders anywhere, short ones only as whole values', async () => {
    const bridge = open();
    await bridge.emit('card:SECRET-42', { list: ['x SECRET-42', 77, '77', '177'], 'key SECRET-42': true });
    const [event] = await bridge.history();
    expect(event?.type).toBe('card:{_{token}_}');
    expect(event?.data).toEqual({
      list: ['x {_{token}_}', '{_{pin}_}', '{_{pin}_}', '177'],
      'key {_{token}_}': true,
    });
  });

  it.each(['internal', 'frontend_safe'] as const)(
    'are replaced even in an event with only a short one (%s)',
    async (audience) => {
      const bridge = open({ audience });
      await bridge.emit('custom', { pins: ['77', 77] });
      await bridge.emitFinal('done');
      const [event] = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
      expect(event?.data.pins).toEqual(['{_{pin}_}', '{_{pin}_}']);
    },
  );

  it.each(['frontend_safe', 'internal'] as const)(
    'do not break a frame if their name contains line breaks (%s)',
    async (audience) => {
      const name = 'tok\r\n\ren\n\ndata: 1\0';
      const bridge = open({ audience, privateValues: () => [{ name, value: 'SECRET-42' }] });
      await bridge.emit('card:SECRET-42', { text: 'SECRET-42' });
      await bridge.emitFinal('done');
      const frames: string[] = [];
      for await (const frame of bridge.generateSse({ audience: 'frontend_safe' })) frames.push(frame);
      const [first = ''] = frames.join('').split('\n\n');
      expect(first.split('\n')).toEqual([
        expect.stringMatching(/^id: /),
        'event: card:{_{tok   en  data: 1 }_}',
        expect.stringMatching(/^data: .*"type":"card:/),
      ]);
      expect(frames.join('')).not.toMatch(/[\r\0]/);
    },
  );

  it('apply from the next event on when privateValues returns others', async () => {
    const values = [{ name: 'a', value: 'first-value' }];
    const bridge = open({ privateValues: () => values });
    await bridge.emit('custom', { text: 'first-value second-value' });
    values.push({ name: 'b', value: 'second-value' });
    await bridge.emit('custom', { text: 'first-value second-value' });
    values.splice(0);
    await bridge.emit('custom', { text: 'first-value second-value' });
    expect((await bridge.history()).map(({ data }) => data.text)).toEqual([
      '{_{a}_} second-value',
      '{_{a}_} {_{b}_}',
      'first-value second-value',
    ]);
  });

  it('are in the log of an internal bridge, and never in that of a frontend_safe one', async () => {
    const secrets = {
      toolName: 'SECRET-42',
      toolId: 'SECRET-42',
      status: 'executing',
      args: { q: 'SECRET-42' },
    };
    const held = async (audience: 'internal' | 'frontend_safe', later: number) => {
      const log = new MemoryEventLog();
      const bridge = open({ audience, log });
      await bridge.emitToolEvent(secrets);
      await say(bridge, 'SECRET-4');
      await bridge.emitInterruptRequired({ interruptId: 'SECRET-42', dataKey: 'k', prompt: 'SECRET-42?' });
      for (let n = 0; n < later; n += 1) await bridge.emit('custom', { n });
      const page = await log.readAfter('s', { afterSeq: 0 });
      const { notes, checkpoint } = await log.open('s');
      return Buffer.from(page.bytes).toString() + JSON.stringify([notes, checkpoint]);
    };
    // The second time the events have been trimmed, and a checkpoint contains what the turn remembers of them.
    for (const later of [0, 700]) {
      expect(await held('internal', later)).toContain('SECRET-42');
      expect(await held('frontend_safe', later)).not.toContain('SECRET-4');
    }
  });

  it('are not in a checkpoint written after privateValues has stopped returning them', async () => {
    const log = new MemoryEventLog();
    const values = [{ name: 'token', value: 'SECRET-42' }];
    const bridge = open({ log, privateValues: () => values });
    await bridge.emitToolEvent({ toolName: 'a', toolId: 'by SECRET-42', status: 'executing' });
    await bridge.emitToolEvent({ toolName: 'SECRET-42', toolId: 'b', status: 'executing' });
    await bridge.emitAgentAssignment({ agentName: 'SECRET-42', status: 'in_progress' });
    await bridge.emitAgentAssignment({ agentName: 'c', swarmName: 'SECRET-42', status: 'in_progress' });
    await bridge.emitEnrichment({ phase: 'x', message: 'm', scopeName: 'SECRET-42', scopeType: 'SECRET-42' });
    values.splice(0);
    for (let n = 0; n < 700; n += 1) await bridge.emit('custom', { n });
    expect(JSON.stringify(await log.open('s'))).not.toMatch(/secret-42/i);
  });

  it.each(['frontend_safe', 'internal'] as const)(
    'are hidden in ids derived from them (%s)',
    async (audience) => {
      const bridge = open({ audience, privateValues: () => [{ name: 'client', value: 'Anna  Berg' }] });
      const name = 'Anna  Berg';
      await bridge.emit('tool_event', { tool_name: `call ${name}`, status: 'executing' });
      await bridge.emit('system_tool_start', { tool_type: name });
      await bridge.emitAgentAssignment({ agentName: name, swarmName: name, status: 'in_progress' });
      await bridge.emitEnrichment({ phase: 'p', message: 'm', scopeName: name, scopeType: 'agent' });
      await bridge.emitFinal('done');
      const events = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
      const data = events.slice(0, -1).map((event) => event.data);
      expect(JSON.stringify(data)).not.toMatch(/anna|berg/i);
      expect(data.map((d) => d.tool_id ?? d.assignment_id ?? d.scope_id)).toEqual([
        'tool:call_{_{client}_}',
        'system_tool:{_{client}_}',
        'agent:{_{client}_}:{_{client}_}',
        'agent:{_{client}_}',
      ]);
    },
  );

  it('that equal strings in the notes of a turn do not corrupt the notes', async () => {
    const values = ['tool_alias', 'member', 'isFinished', '1', '2'];
    const privateValues = () => values.map((value, i) => ({ name: `n${i}`, value }));
    const log = new MemoryEventLog();
    const status = ['in_progress', 'completed', 'in_progress', 'completed', 'in_progress'];
    const ids: unknown[] = [];
    for (const each of status) {
      const bridge = open({ privateValues, log });
      await bridge.emitAgentAssignment({ agentName: 'Analyst', status: each });
      ids.push((await bridge.history()).at(-1)?.data.assignment_id);
    }
    const [first, second, third] = [ids[0], ids[2], ids[4]];
    expect(ids).toEqual([first, first, second, second, third]);
    expect(new Set([first, second, third]).size).toBe(3);
  });
});
