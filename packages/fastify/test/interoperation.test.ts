import { fetchEventSource } from '@microsoft/fetch-event-source';
import { EventSource as FetchEventSource } from 'eventsource';
import { EventSource as UndiciEventSource } from 'undici';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from './app.js';

const names = ['assistant_chunk', 'tool_event', 'status_message', 'final', 'order placed: ünïcode'];
const texts = [
  'plain',
  '',
  'two\nlines',
  'cr\rlf\r\n',
  ' leading',
  ': colon',
  'data: x\n\nid: forged',
  '\u2028\u2029',
  '😀',
  '\u0000',
];

type Received = [name: string, id: string, data: unknown];

/** Readers, most of them third-party: each resolves to the events it has received when `final` arrives. */
const readers: Record<string, (url: string) => Promise<Received[]>> = {
  eventsource: (url) => listenTo(new FetchEventSource(url)),
  "undici's EventSource": (url) => listenTo(new UndiciEventSource(url)),
  'fetch-event-source': async (url) => {
    const received: Received[] = [];
    await fetchEventSource(url, {
      openWhenHidden: true,
      onmessage({ event, id, data }) {
        // It reports an empty message for every comment.
        if (event !== '') received.push([event, id, JSON.parse(data).data]);
      },
    });
    return received;
  },
  'a plain line reader': async (url) => {
    const received: Received[] = [];
    let fields: Record<string, string> = {};
    for (const line of (await (await fetch(url)).text()).split('\n')) {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
      if (line === '' && fields['data']) {
        received.push([fields['event'] ?? '', fields['id'] ?? '', JSON.parse(fields['data']).data]);
      }
      fields = line === '' ? {} : { ...fields, [name]: value };
    }
    return received;
  },
};

interface Source {
  addEventListener(name: string, listener: (event: { lastEventId: string; data: string }) => void): void;
  close(): void;
}

function listenTo(source: Source): Promise<Received[]> {
  const received: Received[] = [];
  return new Promise((resolve) => {
    for (const name of names) {
      source.addEventListener(name, ({ lastEventId, data }) => {
        received.push([name, lastEventId, JSON.parse(data).data]);
        if (name !== 'final') return;
        source.close();
        resolve(received);
      });
    }
  });
}

// One of the readers expects to run in a page.
beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', new EventTarget());
});
afterEach(() => void vi.unstubAllGlobals());

it.each(Object.keys(readers))('the stream is read by %s, whatever its texts contain', async (name) => {
  await using server = await listen();
  const bridge = server.bridge('s1', { schemaValidation: 'off', audience: 'internal' });
  const reading = readers[name]?.(server.url());
  await bridge.waitForSubscriber({ timeoutMs: 10_000 });
  for (const text of texts) await bridge.emitAssistantChunk({ assistantId: 'a', text });
  await bridge.emit('order placed: ünïcode', { note: 'ours' });
  await bridge.emitToolEvent({
    toolName: 't',
    toolId: 't1',
    status: 'executing',
    args: { a: [1, null, { b: 'x\ny' }] },
  });
  await bridge.emitFinal('done');
  const received = (await reading) ?? [];
  const history = await bridge.history();
  expect(received).toEqual(history.map(({ type, id, data }) => [type, id, data]));
  expect(received.slice(0, texts.length).map(([, , data]) => (data as { text: string }).text)).toEqual(texts);
});
