// A server of the official library that speaks only the version of the protocol without a handshake.
import { setTimeout as wait } from 'node:timers/promises';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const sure = z.object({ sure: z.boolean() });

/** Creates the server of one request or connection. `cancelled` records what was cancelled. */
export function createTools({
  extra = false,
  cancelled = [],
}: { extra?: boolean; cancelled?: string[] } = {}) {
  const server = new McpServer({ name: 'stateless', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) =>
    text(`Hello ${name}`),
  );
  // The library refuses a call over HTTP without the headers.
  const place = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
  const count = z.int().meta({ 'x-mcp-header': 'Count' }).optional();
  server.registerTool('route', { inputSchema: z.object({ place, count }) }, ({ place: { region } }) =>
    text(region),
  );
  server.registerTool('report', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 2 },
    });
    await mcpReq.log('info', 'half done');
    await mcpReq.log('debug', 'a detail');
    return text('reported');
  });
  server.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'it');
    if (answer) return text(JSON.stringify(answer));
    const form = inputRequired.elicit({ message: 'Really?', requestedSchema: sure });
    return inputRequired({ inputRequests: { it: form } });
  });
  server.registerTool('ask_forever', {}, () =>
    inputRequired({
      inputRequests: { it: inputRequired.elicit({ message: 'Again?', requestedSchema: sure }) },
    }),
  );
  server.registerTool(
    'ask_at_once',
    { inputSchema: z.object({ count: z.int() }) },
    ({ count }, { mcpReq }) => {
      const keys = Array.from({ length: count }, (_, at) => `it${at}`);
      const answers = keys.map((key) => acceptedContent(mcpReq.inputResponses, key, sure)?.sure);
      if (answers.every((answer) => answer !== undefined)) return text(JSON.stringify(answers));
      const form = inputRequired.elicit({ message: 'Really?', requestedSchema: sure });
      return inputRequired({ inputRequests: Object.fromEntries(keys.map((key) => [key, form])) });
    },
  );
  server.registerTool('come_back', {}, ({ mcpReq }) =>
    mcpReq.requestState() === 'later' ? text('now') : inputRequired({ requestState: 'later' }),
  );
  server.registerTool('slow', {}, async ({ mcpReq }) => {
    await wait(60_000, undefined, { signal: mcpReq.signal }).catch(() => cancelled.push('slow'));
    return text('late');
  });
  if (extra) server.registerTool('extra', {}, () => text('extra'));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(() => createTools(), { legacy: 'reject' });
