import { describe, expect, it } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { isWrittenBy, projectPage, safePage } from '../../src/delivery/project-page.js';
import { createLogPage, type PageEntry } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const privateValues = () => [{ name: 'token', value: 'sk-live-123' }];

/** Two processes that share a log and a session. */
function twoProcesses() {
  const log = new MemoryEventLog();
  const inProcess = (audience: Audience) =>
    new EventBridge('s', { audience, log, logger: silentLogger, privateValues });
  return { internal: inProcess('internal'), safe: inProcess('frontend_safe') };
}

async function textOf(frames: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const frame of frames) text += frame;
  return text;
}

describe('a frontend_safe bridge of a session that an internal one writes', () => {
  it('shows only what frontend_safe readers may see, stored or live', async () => {
    const { internal, safe } = twoProcesses();
    await internal.emit('custom', { private_data_injected: { token: 'x' }, text: 'sk-live-123' });
    const frames = safe.generateSse();
    const held = await frames.next();
    await internal.emitAssistantChunk({ assistantId: 'a', text: 'on sk-live' });
    await internal.emitError({ error: 'Traceback: /srv/charge.ts', details: { host: 'db-1' } });
    const seen = (held.value ?? '') + (await textOf(frames));
    const asked = await textOf(internal.generateSse({ audience: 'frontend_safe' }));
    expect(seen).toBe(asked);
    expect(seen).toContain('{_{token}_}');
    expect(seen).not.toMatch(/sk-live-123|srv|db-1/);
    expect((await safe.history()).map(({ data }) => data)).toEqual(
      (await readAll(internal.generateSse({ audience: 'frontend_safe' }))).map(({ data }) => data),
    );
  });

  it('hides private data even after it has written events itself and been taken over', async () => {
    const { internal, safe } = twoProcesses();
    await safe.emit('custom', { n: 1 });
    await internal.emit('custom', { n: 2, merged_private_data: { token: 'x' } });
    const takenOver = safe.emit('custom', { n: 3 });
    await expect(takenOver).rejects.toMatchObject({ code: 'EVENT_LOG_STALE_EPOCH' });
    const all = await collectEvents(safe.generateSse(), 2);
    expect(all.map(({ data }) => data)).toEqual([
      { n: 1 },
      { n: 2, merged_private_data: { token: '<redacted>' } },
    ]);
    expect((await safe.history()).map(({ data }) => data)).toEqual(all.map(({ data }) => data));
  });

  it('projects entries once for all readers that replay them', async () => {
    const { internal, safe } = twoProcesses();
    for (const n of [1, 2]) await internal.emit('custom', { n });
    const readers = await Promise.all([safe.openReader(), safe.openReader()]);
    readers.push(await safe.openReader());
    const bytes = readers.map((reader) => reader.read());
    for (const each of bytes) {
      expect(each?.length).toBeGreaterThan(0);
      expect(each?.buffer === bytes[0]?.buffer && each?.byteOffset === bytes[0]?.byteOffset).toBe(true);
    }
    for (const reader of readers) reader.close();
  });

  it('does not project pages that it wrote itself', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { audience: 'frontend_safe', log, logger: silentLogger });
    for (const n of [1, 2]) await bridge.emit('custom', { n });
    const page = await log.readAfter('s', { afterSeq: 0 });
    const epoch = (await log.inspect('s'))?.epochs.at(-1)?.epoch;
    expect(safePage(page, epoch)).toBe(page);
    expect(safePage(page, 'another')).not.toBe(page);
    expect(safePage(page, 'another')).toEqual({ ...page, bytes: Buffer.from(page.bytes) });
  });
});

describe('a page', () => {
  const page = (...entries: Omit<PageEntry, 'seq'>[]) =>
    createLogPage(entries.map((entry, i) => ({ seq: i + 1, ...entry })));
  const by = (writer: string, seq: number) => ({
    kind: 'event' as const,
    frames: `id: ${writer}-${seq}\ndata: 1\n\n`,
  });

  it('counts as written by one writer if its first and last frames are', () => {
    expect(isWrittenBy(page(by('a', 1), by('a', 2)), 'a')).toBe(true);
    expect(isWrittenBy(page(by('a', 1), by('b', 2)), 'a')).toBe(false);
    expect(isWrittenBy(page(by('a', 1), by('b', 2)), 'b')).toBe(false);
    expect(isWrittenBy(page(by('a', 1)), undefined)).toBe(false);
    expect(isWrittenBy(page({ kind: 'turn_end', frames: '' }), undefined)).toBe(true);
  });

  it('with separate safe frames does not count as written for frontend_safe readers', () => {
    expect(isWrittenBy(page({ ...by('a', 1), safeFrames: '' }), 'a')).toBe(false);
  });

  it('is projected to its separate safe frames, even where those are empty', () => {
    const safe = projectPage(
      page(
        { kind: 'turn_start', frames: 'data: "sk-1"\n\n', safeFrames: '' },
        { kind: 'event', frames: 'data: "sk-2"\n\n', safeFrames: 'data: safe\n\n' },
        { kind: 'turn_end', frames: 'data: "sk-3"\n\n', safeFrames: '' },
      ),
    );
    expect(Buffer.from(safe.bytes).toString()).toBe('data: safe\n\n');
    expect(safe).toMatchObject({ ends: [0, 12, 12], marks: [{ seq: 1 }, { seq: 3, kind: 'turn_end' }] });
    expect(safe).not.toHaveProperty('safeFrames');
  });
});
