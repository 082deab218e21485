import { describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { hasNoBrowser, openBrowser, servePage } from './browser.js';

const waitOptions = { timeout: 10_000 };

describe.skipIf(hasNoBrowser)('in a real browser', () => {
  it('a React page shows a run with all its turns under StrictMode, over one connection', async () => {
    await using server = await servePage(`
      import { StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { useRun } from './src/react.ts';
      let renders = 0;
      function Page() {
        const run = useRun('/svc/events/s1');
        renders += 1;
        window.renders = renders;
        return <pre>{JSON.stringify({ connection: run.connection, turns: run.turns.map(({ status, cards }) =>
          [status, ...cards.map((card) => card.kind === 'message' ? card.text : [card.id, card.status])]) })}</pre>;
      }
      createRoot(document.getElementById('root')).render(<StrictMode><Page /></StrictMode>);
    `);
    await using browser = await openBrowser();
    const bridge = server.bridge('s1');
    const tool = { toolName: 'search', toolId: 't1' };
    await bridge.emitToolEvent({ ...tool, status: 'executing' });
    for (let index = 0; index < 300; index += 1)
      await bridge.emitAssistantChunk({ assistantId: 'a', text: `${index} ` });
    const page = await browser.newPage(server.origin);
    const shown = async () => JSON.parse((await page.textContent('pre')) ?? '') as unknown;
    const text = Array.from({ length: 300 }, (_, index) => `${index} `).join('');
    await vi.waitFor(
      async () =>
        expect(await shown()).toEqual({ connection: 'open', turns: [['running', ['t1', 'running'], text]] }),
      waitOptions,
    );
    expect(server.connections()).toBe(1);
    // The replay was one change, however often React rendered each (StrictMode renders twice).
    expect(await page.evaluate('window.renders')).toBeLessThanOrEqual(8);
    await bridge.emitToolEvent({ ...tool, status: 'completed', result: 1 });
    await bridge.emitFinal('done');
    await vi.waitFor(
      async () =>
        expect(await shown()).toEqual({
          connection: 'waiting',
          turns: [['completed', ['t1', 'completed'], text]],
        }),
      waitOptions,
    );
    await bridge.reopen();
    await bridge.emitAssistantChunk({ assistantId: 'a', text: 'again' });
    await bridge.close();
    await vi.waitFor(
      async () =>
        expect(await shown()).toMatchObject({
          connection: 'closed',
          turns: [
            ['completed', ['t1', 'completed'], text],
            ['running', 'again'],
          ],
        }),
      waitOptions,
    );
  });

  it('tabs share one connection, and the next one takes over when the leader is closed or left', async () => {
    await using server = await servePage(`
      import { openSharedEventStream } from './src/shared.ts';
      window.ids = [];
      (async () => {
        for await (const { id } of openSharedEventStream({ url: '/svc/events/s1', identity: 'me' })) window.ids.push(id);
      })();
    `);
    await using browser = await openBrowser();
    const bridge = server.bridge('s1');
    const pages: Page[] = [];
    for (let tab = 0; tab < 8; tab += 1) pages.push(await browser.newPage(server.origin));
    let count = 0;
    const emitTo = async (tabs: typeof pages) => {
      for (let index = 0; index < 20; index += 1)
        await bridge.emitStatusMessage({ assistantId: 'a', message: `${(count += 1)}` });
      for (const page of tabs) {
        await vi.waitFor(async () => {
          const ids = await page.evaluate<string[]>('window.ids');
          expect(ids.map((id) => Number(id.split('-').at(-1)))).toEqual(
            Array.from({ length: count }, (_, index) => index + 1),
          );
        }, waitOptions);
      }
    };
    await emitTo(pages);
    expect(server.connections()).toBe(1);
    while (pages.length > 5) {
      const [leader] = pages.splice(0, 1);
      await leader?.close();
      await emitTo(pages);
      expect(server.connections()).toBe(1);
    }
    const [left] = pages.splice(0, 1);
    await left?.goto(`${server.origin}/script.js`);
    await emitTo(pages);
    expect(server.connections()).toBe(1);
  });

  it('a page that is left has no connection, and resumes when it is shown again', async () => {
    await using server = await servePage(`
      import { openEventStream } from './src/index.ts';
      window.ids = [];
      (async () => {
        for await (const { id } of openEventStream({ url: '/svc/events/s1' })) window.ids.push(id);
      })();
    `);
    await using browser = await openBrowser();
    const bridge = server.bridge('s1');
    const emit = async (message: string) => bridge.emitStatusMessage({ assistantId: 'a', message });
    const page = await browser.newPage(server.origin);
    const expectCount = async (count: number) =>
      vi.waitFor(async () => expect(await page.evaluate('window.ids')).toHaveLength(count), waitOptions);
    await emit('1');
    await expectCount(1);
    await page.goto(`${server.origin}/script.js`);
    await vi.waitFor(() => expect(server.connections()).toBe(0), waitOptions);
    await emit('2');
    // If the browser had to discard the page, it is loaded again and shows the same.
    await page.goBack({ waitUntil: 'commit' });
    await emit('3');
    await expectCount(3);
    expect(server.connections()).toBe(1);
  });
});
