import { type AddressInfo, connect, type Socket } from 'node:net';
import { MemoryEventLog } from '@svc/events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen, open, turn } from './app.js';

type Server = Awaited<ReturnType<typeof listen>>;

/** Pipelines requests for these sessions: the responses after the first have no socket until it has ended. */
function pipeline({ app }: Server, ...sessionIds: string[]): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.resume();
  socket.write(sessionIds.map((id) => `GET /svc/events/${id} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  return socket;
}

it('a client that disconnects frees all its places, even those of streams behind the first', async () => {
  await using server = await listen({ limits: { readersPerSession: 3 } });
  const bridge = server.bridge();
  const socket = pipeline(server, 's1', 's1', 's1');
  while (bridge.subscriberCount < 3) await turn();
  socket.destroy();
  await expect.poll(() => bridge.subscriberCount).toBe(0);
  const { status, close } = await open(server.url());
  expect(status).toBe(200);
  close();
});

it('a client that disconnects no longer waits for sessions, even with streams behind the first', async () => {
  await using server = await listen({ limits: { waitingReaders: 2 } });
  const first = server.bridge('first');
  const socket = pipeline(server, 'first', 's1', 's1');
  const isFull = async () => {
    const { status, close } = await open(server.url('s2'));
    close();
    return status === 503;
  };
  while (!(await isFull())) await turn();
  socket.destroy();
  await expect.poll(() => first.subscriberCount).toBe(0);
  await expect.poll(isFull).toBe(false);
});

it('a client that disconnects while a stream behind the first is authorized holds no reader', async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<boolean>();
  const authorize = (_: unknown, sessionId: string): boolean | Promise<boolean> => {
    if (sessionId === 'first') return true;
    asked.resolve();
    return answered.promise;
  };
  await using server = await listen({ authorize });
  const [first, bridge] = [server.bridge('first'), server.bridge()];
  const socket = pipeline(server, 'first', 's1');
  await asked.promise;
  while (first.subscriberCount === 0) await turn();
  socket.destroy();
  while (first.subscriberCount > 0) await turn();
  answered.resolve(true);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(bridge.subscriberCount).toBe(0);
});

it('a client that disconnects while the log is asked for a stream behind the first frees its place', async () => {
  await using server = await listen({ limits: { readersPerSession: 1 } });
  const log = new MemoryEventLog();
  const [first, bridge] = [server.bridge('first'), server.bridge('s1', { log })];
  await bridge.emitFinal('done');
  const asked = Promise.withResolvers<void>();
  vi.spyOn(log, 'inspect').mockImplementationOnce(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const socket = pipeline(server, 'first', 's1');
  await asked.promise;
  while (first.subscriberCount === 0) await turn();
  socket.destroy();
  await expect.poll(async () => (await server.app.inject('/svc/events/s1')).statusCode).toBe(200);
});

it('a stream behind the first is sent when its turn comes, and ends when its client disconnects', async () => {
  await using server = await listen();
  const [first, second] = [server.bridge('first'), server.bridge('second')];
  const socket = pipeline(server, 'first', 'second');
  let text = '';
  socket.on('data', (bytes) => (text += String(bytes)));
  while (second.subscriberCount === 0) await turn();
  await first.emitFinal('one');
  await second.emitStatusMessage({ assistantId: 'a', message: 'two' });
  await expect.poll(() => text).toMatch(/"one".*HTTP\/1\.1 200.*"two"/s);
  expect(second.subscriberCount).toBe(1);
  socket.destroy();
  await expect.poll(() => second.subscriberCount).toBe(0);
});
