import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { EventStream } from '../../src/connection/event-stream.js';
import { openSharedEventStream } from '../../src/tabs/open-shared-event-stream.js';
import type { SharedStreamOptions } from '../../src/tabs/shared-stream-options.js';
import type { TabMessage } from '../../src/tabs/tab-message.js';
import { frame, streamServer } from '../stream-server.js';

/** A server that holds events, replays them after a cursor, and goes on live. */
export async function sessionServer() {
  const held: [string, string][] = [];
  const open = new Set<ServerResponse>();
  const server = await streamServer((response, request) => {
    const cursor = String(request.headers['last-event-id'] ?? '');
    const from = held.findIndex(([id]) => id === cursor) + 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `retry: 1\n\n: live\n\n${held
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
    emit(id: string, type = 'a') {
      const text = frame(id, type);
      held.push([id, text]);
      for (const response of open) response.write(text);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A tab: what it has read so far, and how it ended. */
export function tab(options: SharedStreamOptions) {
  const stream = openSharedEventStream(options);
  const ids: string[] = [];
  const ended = (async () => {
    for await (const { id } of stream) ids.push(id);
    return 'ended' as const;
  })().catch((error: unknown) => error);
  return { stream, ids, ended };
}

/** The ids from 1 on. */
export const all = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);
/** Waits until each tab has read just these. */
export const has = (tabs: { ids: string[] }[], ids: string[]) =>
  expect.poll(() => tabs.map((each) => each.ids)).toEqual(tabs.map(() => ids));
/** Closes them. */
export const close = (...streams: { stream: EventStream }[]) => {
  for (const { stream } of streams) stream.close();
};

/** What the tabs that read this address as `me` say to one another. */
export function listen(url: string) {
  const channel = new BroadcastChannel(`svc-events:1:me:${url}`);
  const say: (message: TabMessage) => void = channel.postMessage.bind(channel);
  const heard: TabMessage[] = [];
  channel.onmessage = ({ data }: { data: TabMessage }) => void heard.push(data);
  return {
    of: <Kind extends TabMessage['kind']>(kind: Kind) =>
      heard.filter((message): message is Extract<TabMessage, { kind: Kind }> => message.kind === kind),
    say,
    [Symbol.dispose]: () => channel.close(),
  };
}

/** Takes the lead of this address until it is told to let go. */
export function lead(url: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(`svc-events:1:me:${url}`, () => promise);
  return resolve;
}
