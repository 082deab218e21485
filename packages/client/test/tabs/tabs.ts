import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { EventStream } from '../../src/connection/event-stream.js';
import { openSharedEventStream } from '../../src/tabs/open-shared-event-stream.js';
import type { SharedStreamOptions } from '../../src/tabs/shared-stream-options.js';
import type { TabMessage } from '../../src/tabs/tab-message.js';
import { frame, streamServer } from '../stream-server.js';

/** Starts a server that stores events, replays those after a cursor, and then sends new ones. */
export async function sessionServer() {
  const stored: [string, string][] = [];
  const open = new Set<ServerResponse>();
  const server = await streamServer((response, request) => {
    const cursor = String(request.headers['last-event-id'] ?? '');
    const from = stored.findIndex(([id]) => id === cursor) + 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `retry: 1\n\n: live\n\n${stored
        .slice(from)
        .map(([, text]) => text)
        .join('')}`,
    );
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  return {
    server,
    open,
    emit(id: string, type = 'a', text = frame(id, type)) {
      stored.push([id, text]);
      for (const response of open) response.write(text);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Opens a tab: `ids` is what it has read so far, `ended` how it ended. */
export function tab(options: SharedStreamOptions) {
  const stream = openSharedEventStream(options);
  const ids: string[] = [];
  const ended = (async () => {
    for await (const { id } of stream) ids.push(id);
    return 'ended' as const;
  })().catch((error: unknown) => error);
  return { stream, ids, ended };
}

/** A frame that can be read, but is nested too deeply for a channel. */
export const deepFrame = (id: string) =>
  frame(id, 'a', { deep: '?' }).replace('"?"', '['.repeat(20_000) + ']'.repeat(20_000));
/** The ids from 1 to `count`. */
export const idsTo = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);
/** Waits until each tab has read exactly these ids. */
export const expectIds = (tabs: { ids: string[] }[], ids: string[]) =>
  expect.poll(() => tabs.map((each) => each.ids)).toEqual(tabs.map(() => ids));
/** Closes these streams. */
export const close = (...streams: { stream: EventStream }[]) => {
  for (const { stream } of streams) stream.close();
};

/** Joins the channel of the tabs that read this URL as `me`. */
export function joinChannel(url: string) {
  const channel = new BroadcastChannel(`svc-events:1:me:${url}`);
  const send: (message: TabMessage) => void = channel.postMessage.bind(channel);
  const messages: TabMessage[] = [];
  channel.onmessage = ({ data }: { data: TabMessage }) => void messages.push(data);
  return {
    received: <Kind extends TabMessage['kind']>(kind: Kind) =>
      messages.filter((message): message is Extract<TabMessage, { kind: Kind }> => message.kind === kind),
    send,
    [Symbol.dispose]: () => channel.close(),
  };
}

/** Takes the leader lock of this URL. Returns a function that releases it. */
function takeLead(url: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(`svc-events:1:me:${url}`, () => promise);
  return resolve;
}

/** A session whose reading tab the test plays, on this channel. */
export async function ledSession() {
  const session = await sessionServer();
  const { url } = session.server;
  const release = takeLead(url);
  const other = joinChannel(url);
  return {
    session,
    url,
    other,
    release,
    async [Symbol.asyncDispose]() {
      release();
      other[Symbol.dispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}
