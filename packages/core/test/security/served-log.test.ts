import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging, getLogger } from '../../src/logging/logger.js';
import { serveMcp } from '../../src/mcp/serve/serve-mcp.js';
import { startAgent } from '../agent-setup.js';
import { callTool, connectTo } from '../mcp/mcp-doubles.js';

it('a private value is hidden in the log of a tool called by an MCP client', async () => {
  const lines: LogRecord[] = [];
  configureLogging({ level: 'info', sink: (record) => lines.push(record) });
  onTestFinished(() => configureLogging({ level: 'silent' }));
  await using setup = await startAgent([], { privateData: { token: 'canary-4711-token' } });
  setup.agent.toolify({ name: 't', description: 't' }, () =>
    getLogger('mine').info('has canary-4711-token', { text: 'canary-4711-token' }),
  );
  await using service = serveMcp(setup.agent, { offer: 'tools' });
  const server = createServer((request, response) => void service.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
  await callTool(await connectTo({ name: 'served', url, prefix: '' }).listTools(), 't');
  expect(lines.find(({ logger }) => logger === 'mine')).toMatchObject({
    message: 'has {_{token}_}',
    fields: { text: '{_{token}_}' },
  });
});
