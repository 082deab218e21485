/** A process that offers an agent's tools over its standard input and output. */
import * as z from 'zod';
import { Agent } from '../../../src/agents/agent.js';
import { serveMcp } from '../../../src/mcp/serve/serve-mcp.js';

await using agent = new Agent({ name: 'calculator', apiKey: 'unused' });
agent.toolify(
  {
    name: 'add',
    description: 'Add',
    input: z.object({ a: z.number(), b: z.number() }),
    permissions: ['read'],
  },
  ({ a, b }) => {
    // Each call adds a tool, of which the client is notified.
    agent.toolify({ name: `add_${a}`, description: 'Add' }, () => a);
    return a + b;
  },
);
agent.toolify({ name: 'confirm', description: 'Confirm' }, async (_args, { ask, signal }) => {
  signal.addEventListener('abort', () => process.stderr.write('confirm ended\n'));
  return ask({ name: 'sure', prompt: 'Sure?', inputType: 'boolean' });
});
agent.toolify({ name: 'hang', description: 'Hang' }, async (_args, { signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  process.stderr.write('hung up\n');
});
const service = serveMcp(agent, { offer: 'tools' });
agent.toolify({ name: 'close', description: 'Close the service' }, async () => {
  void service.close();
  await new Promise<never>(() => {});
});
await service.serveStdio();
process.stderr.write('the client left\n');
