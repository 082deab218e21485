import { expect, it } from 'vitest';
import { ChildTransport } from '../../../src/mcp/transport/child-transport.js';

it('a server may end by itself when its input is closed, and is asked to only then', async () => {
  const script = "process.stdin.resume().on('end', () => process.exit(7))";
  const close = async () => {
    const parts = { command: process.execPath, args: ['-e', script], env: {}, cwd: undefined };
    const transport = new ChildTransport({ ...parts, maxMessageBytes: 1_000 });
    await transport.start();
    await transport.close();
    return transport.end;
  };
  // A machine that stands still takes its time away.
  await expect.poll(close, { timeout: 60_000 }).toBe('it exited with code 7');
}, 120_000);
