import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { openInAnyVersion } from '../../../src/mcp/connection/choose-version.js';

it('a connection that is given up while the version is chosen is closed, in either version', async () => {
  const giveUp = new AbortController();
  const closed: string[] = [];
  const open = async (_signal: AbortSignal, version = 'handshake') => ({
    client: { getNegotiatedProtocolVersion: () => '2025-11-25' } as Client,
    hasSession: false,
    async close() {
      closed.push(version);
      giveUp.abort(new Error('given up'));
    },
  });
  await expect(openInAnyVersion(open, giveUp.signal)).rejects.toThrow('given up');
  expect(closed).toEqual(['handshake', '2026-07-28']);
});
