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
await serveMcp(agent, { offer: 'tools' }).serveStdio();
process.stderr.write('the client left\n');
