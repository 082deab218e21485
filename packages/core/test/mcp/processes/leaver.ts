/**
 * A process that starts a server and exits without closing it. Arguments: how it exits, then the server's command
 * line. It first prints the process ids of the server.
 */
import { MCPServer } from '../../../src/mcp/mcp-server.js';

const [, , how = '', command = '', ...args] = process.argv;
const server = new MCPServer({ name: 'left', command, args });
const [tool] = await server.listTools();
const context = {
  signal: new AbortController().signal,
  runId: '',
  sessionId: '',
  toolEventId: '',
  toolName: '',
  reportProgress: async () => {},
  reportLog: async () => {},
  ask: async () => '',
};
const result = await tool?.execute({}, context);
process.stdout.write(`${JSON.stringify(result)}\n`);
if (how === 'exit') process.exit(0);
if (how === 'throw') throw new Error('leaving');
if (how.startsWith('SIG')) setInterval(() => {}, 60_000);
// Otherwise the process has nothing left to do, and the server must not keep it alive.
