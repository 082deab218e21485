import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOrchestrator } from '@svc/orchestrator';
import { expect, it } from 'vitest';
import { Agent, Client } from '../src/index.js';

it('a start whose response is lost is retried and opens one session', async () => {
  const orchestrator = createOrchestrator();
  await orchestrator.listen({ port: 0 });
  let starts = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const onward = forward(new URL(url, orchestrator.url), { method, headers }, (answer) => {
      if (url.endsWith('/start-session') && (starts += 1) < 3) {
        // The orchestrator has started the run, but its response is dropped.
        answer.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    await using client = new Client({ apiKey: orchestrator.apiKey, baseUrl });
    await using agent = new Agent({ name: 'billing', client });
    let runs = 0;
    agent.toolify({ name: 'fetch_rate', description: 'Fetch the exchange rate' }, () => ({
      rate: (runs += 1),
    }));
    expect(await agent.invoke('Fetch the exchange rate')).toMatchObject({ status: 'completed' });
    const headers = { authorization: `Bearer ${orchestrator.apiKey}` };
    const list = await fetch(`${orchestrator.url}/sessions`, { headers });
    expect([starts, runs, ((await list.json()) as { items: unknown[] }).items.length]).toEqual([3, 1, 1]);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await orchestrator.close();
  }
});
