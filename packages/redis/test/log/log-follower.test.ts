import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { LogPage } from '@svc/events';
import { redisError } from '../../src/errors.js';
import { LogFollower, type SessionRead } from '../../src/log/log-follower.js';
import { decodeNews } from '../../src/log/page-codec.js';
import { Subscriptions } from '../../src/subscriptions.js';

const status = (headSeq: number, epoch = 'a') => ({
  epochs: [{ epoch, fromSeq: 1 }],
  oldestSeq: 1,
  headSeq,
  turnSeq: 0,
  headKind: 'event' as const,
});
const message = (seq: number, text: string) => Buffer.from(`page ${seq} e${text.length}\n${text}`);
function pageOf(seq: number, text: string): LogPage {
  const news = decodeNews(message(seq, text));
  if (news.kind !== 'page') throw new TypeError('the message is not a page');
  return news.page;
}
const nothing = (headSeq: number): SessionRead => ({
  status: status(headSeq),
  page: { ...pageOf(headSeq + 1, ''), ends: [] },
});
const found = (headSeq: number, seq: number, text: string): SessionRead => ({
  status: status(headSeq),
  page: pageOf(seq, text),
});
const textOf = ({ value }: IteratorResult<LogPage, undefined>) =>
  value && Buffer.from(value.bytes).toString();
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Subscriptions to a server that never answers, so that followers are notified only by the test. */
let subscriptions: Subscriptions;
beforeEach(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  subscriptions = new Subscriptions(new Redis({ port, lazyConnect: true }));
  onTestFinished(() => {
    subscriptions.close();
    server.close();
  });
});

function follow({
  reads,
  afterSeq = 0,
  signal,
}: {
  reads: SessionRead[];
  afterSeq?: number;
  signal?: AbortSignal;
}) {
  const asked: number[] = [];
  const group = new Set<LogFollower>();
  const read = async (after: number) => {
    asked.push(after);
    const next = reads.shift();
    if (next === undefined) throw redisError('there is no more to read', 'REDIS_FAILED');
    return next;
  };
  const follower = new LogFollower({ channel: 'c', subscriptions, read, afterSeq, signal, group });
  return { follower, asked, group };
}

it('continues with published entries where reading ended, and skips those already read', async () => {
  const { follower, asked } = follow({ reads: [found(2, 1, 'a'), nothing(1)] });
  follower.onListening();
  expect(textOf(await follower.next())).toBe('a');
  const next = follower.next();
  await turn();
  follower.onMessage(message(1, 'a'));
  follower.onMessage(message(2, 'b'));
  follower.onMessage(message(3, 'c'));
  expect(textOf(await next)).toBe('bc');
  // The first page did not contain everything, so a second read starts after it.
  expect(asked).toEqual([0, 1]);
  const last = follower.next();
  follower.onMessage(message(4, 'd'));
  expect(textOf(await last)).toBe('d');
  follower.end();
});

it('joins the messages of one turn of the event loop into one page', async () => {
  const { follower } = follow({ reads: [nothing(0)] });
  follower.onListening();
  const next = follower.next();
  await turn();
  for (const [index, text] of ['a', 'b', 'c'].entries()) {
    follower.onMessage(message(index + 1, text));
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
  }
  expect(textOf(await next)).toBe('abc');
  follower.end();
});

it('returns only the part of a published page that was not read before', async () => {
  const { follower } = follow({ reads: [found(3, 3, 'c')], afterSeq: 2 });
  follower.onListening();
  expect(textOf(await follower.next())).toBe('c');
  const next = follower.next();
  await turn();
  follower.onMessage(message(1, 'a'));
  follower.onMessage(Buffer.from('page 2 e1,e1,e1\nbcd'));
  follower.onMessage(message(5, 'e'));
  const result = await next;
  expect([textOf(result), result.value?.firstSeq, result.value?.ends]).toEqual(['de', 4, [1, 2]]);
  follower.end();
});

it('reads again when it is resubscribed, because messages may have been missed', async () => {
  const { follower, asked } = follow({ reads: [nothing(0), found(1, 1, 'a')] });
  follower.onListening();
  const next = follower.next();
  await turn();
  follower.onListening();
  expect(textOf(await next)).toBe('a');
  expect(asked).toEqual([0, 0]);
  follower.end();
});

it('reads from the stream when published entries leave a gap', async () => {
  const { follower, asked } = follow({ reads: [nothing(0), found(2, 1, 'a'), nothing(1)] });
  follower.onListening();
  const next = follower.next();
  await turn();
  follower.onMessage(message(2, 'b'));
  expect(textOf(await next)).toBe('a');
  expect(asked).toEqual([0, 0]);
  follower.end();
});

it('drops waiting messages beyond 1 MiB, and reads them from the stream instead', async () => {
  const { follower, asked } = follow({ reads: [nothing(0), found(1, 1, 'read')] });
  follower.onListening();
  const next = follower.next();
  await turn();
  for (const seq of [1, 2, 3]) follower.onMessage(message(seq, 'x'.repeat(400_000)));
  expect(textOf(await next)).toBe('read');
  expect(asked).toEqual([0, 0]);
  follower.end();
});

it('no longer counts messages as waiting once they are consumed', async () => {
  const { follower, asked } = follow({ reads: [nothing(0)] });
  follower.onListening();
  for (const seq of [1, 2, 3]) {
    const next = follower.next();
    await turn();
    follower.onMessage(message(seq, 'x'.repeat(400_000)));
    expect((await next).value?.firstSeq).toBe(seq);
  }
  expect(asked).toEqual([0]);
  follower.end();
});

it('ends when another writer has replaced entries that it read', async () => {
  const reads = [found(1, 1, 'a'), { ...nothing(1), status: status(1, 'other') }];
  const { follower, group } = follow({ reads });
  follower.onListening();
  expect(textOf(await follower.next())).toBe('a');
  follower.onMessage(Buffer.from('open'));
  expect((await follower.next()).done).toBe(true);
  expect(group.size).toBe(0);
});

it('ends when the session is removed, without another read', async () => {
  const { follower, asked, group } = follow({ reads: [nothing(0)] });
  expect([...group]).toEqual([follower]);
  follower.onListening();
  const next = follower.next();
  await turn();
  follower.onMessage(Buffer.from('gone'));
  expect((await next).done).toBe(true);
  expect(asked).toEqual([0]);
  expect(group.size).toBe(0);
});

it('throws once and ends when a read or the subscription fails', async () => {
  const failing = follow({ reads: [] });
  failing.follower.onListening();
  await expect(failing.follower.next()).rejects.toThrow('no more to read');
  expect((await failing.follower.next()).done).toBe(true);
  expect(failing.group.size).toBe(0);

  const unsubscribed = follow({ reads: [] });
  const next = unsubscribed.follower.next();
  unsubscribed.follower.onFailure(redisError('not permitted', 'REDIS_NOT_PERMITTED'));
  await expect(next).rejects.toThrow('not permitted');
  expect((await unsubscribed.follower.next()).done).toBe(true);
  expect(unsubscribed.group.size).toBe(0);
});

it('discards a page whose read finishes after the follower is aborted', async () => {
  const abort = new AbortController();
  const { follower } = follow({ reads: [found(1, 1, 'a')], signal: abort.signal });
  follower.onListening();
  const next = follower.next();
  abort.abort();
  expect((await next).done).toBe(true);
});

it('subscribes to nothing if its signal is already aborted', async () => {
  const { follower, group } = follow({ reads: [], signal: AbortSignal.abort() });
  expect(group.size).toBe(0);
  expect((await follower.next()).done).toBe(true);
});
