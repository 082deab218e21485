import { expect, it } from 'vitest';
import { ChildTransport } from '../../../src/mcp/transport/child-transport.js';

it('closing lets a server exit by itself when its input ends, before it is terminated', async () => {
  const script = "process.stdin.resume().on('end', () => process.exit(7))";
  const close = async () => {
    const parts = { command: process.execPath, args: ['-e', script], env: {}, cwd: undefined };
    const transport = new ChildTransport({ ...parts, maxMessageBytes: 1_000 });
    await transport.start();
    await transport.close();
    return transport.end;
  };
  // A stalled machine can use up the server's time to exit.
  await expect.poll(close, { timeout: 60_000 }).toBe('it exited with code 7');
}, 120_000);

it('closing a server that is being started prevents its start', async () => {
  const parts = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {}, cwd: '/' };
  const transport = new ChildTransport({ ...parts, maxMessageBytes: 1_000 });
  const starting = transport.start();
  await transport.close();
  await expect(starting).rejects.toThrow('closed before it was started');
});
