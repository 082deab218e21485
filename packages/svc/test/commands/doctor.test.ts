import { createServer, type RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { runDoctor } from '../../src/commands/doctor.js';
import { startServer } from '../start-server.js';
import { recordingTerminal } from './terminal.js';

const serve = async (listener: RequestListener) =>
  `${await startServer(listener)}/svc/events/s1?token=canary`;

it.each([
  [301, false, 'failure  answer       301: redirected', 'final URL'],
  [401, false, 'failure  answer       401: not admitted', '--header'],
  [204, true, 'unknown  answer       204: the session has ended', 'open session'],
])(
  'explains how to fix a response with status %i, and returns whether nothing failed',
  async (status, isWell, found, fix) => {
    const headers = { location: '/elsewhere?token=canary' };
    const url = await serve((_request, response) => void response.writeHead(status, headers).end());
    const { terminal, lines } = recordingTerminal();
    expect(await runDoctor(url, { seconds: '600' }, terminal)).toBe(isWell);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${found}\\n {22}-> .*${fix}`))]);
  },
);

it('requests an event stream with the given headers', async () => {
  let asked: unknown;
  const url = await serve(({ headers }, response) => {
    asked = [headers['accept'], headers['x-who']];
    response.writeHead(204).end();
  });
  await runDoctor(url, { header: ['X-Who: me'], seconds: '60' }, recordingTerminal().terminal);
  expect(asked).toEqual(['text/event-stream', 'me']);
});

it('waits the given number of seconds, and repeats only the origin of the URL', async () => {
  const url = await serve(() => {});
  const looked = runDoctor(url, { seconds: '0.4' }, recordingTerminal().terminal);
  await expect(looked).rejects.toThrow(`No answer from ${new URL(url).origin} in 0.4 s.`);
  await expect(looked).rejects.not.toThrow('canary');
});

it('explains a missing response by the code or the message of the cause', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  const why = { [port]: 'ECONNREFUSED', 9: 'bad port' };
  for (const [closed, cause] of Object.entries(why)) {
    const looked = runDoctor(`http://127.0.0.1:${closed}/`, { seconds: '60' }, recordingTerminal().terminal);
    await expect(looked).rejects.toThrow(
      `No answer from http://127.0.0.1:${closed}: ${cause}. Check the URL, its server and its certificate.`,
    );
  }
});
