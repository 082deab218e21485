import { createServer, type ServerResponse } from 'node:http';
import { Agent, Client } from '@svc/core';
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import { z } from 'zod';

const CALLS = Number(process.env['CALLS'] ?? 2000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);

/** An orchestrator that only asks for the next call when the last one was answered. */
async function startServer() {
  const streams = new Map<string, { response: ServerResponse; left: number; calls: number }>();
  let sessions = 0;
  const ask = (id: string) => {
    const session = streams.get(id);
    if (!session) return;
    session.calls += 1;
    const payload =
      session.left === 0
        ? { session_id: id, status: 'completed', responses: ['done'] }
        : {
            id: `${id}-${session.calls}`,
            value: { tool_call: { tool_id: 'add', args: { a: session.calls, b: 2 } } },
          };
    const name = session.left === 0 ? 'final' : 'tool_event';
    session.left -= 1;
    session.response.write(`id: ${session.calls}\nevent: ${name}\ndata: ${JSON.stringify(payload)}\n\n`);
    if (name === 'final') session.response.end();
  };
  const server = createServer((request, response) => {
    const [, kind, id = '', action] = (request.url ?? '').split('/');
    request.on('data', () => {});
    request.on('end', () => {
      if (kind === 'start-session') {
        const sessionId = `s${(sessions += 1)}`;
        const base = `http://127.0.0.1:${port}/sessions/${sessionId}`;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            session_id: sessionId,
            events_url: `${base}/events`,
            resume_url: `${base}/resume`,
          }),
        );
      } else if (action === 'events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        streams.set(id, { response, left: CALLS, calls: 0 });
        ask(id);
      } else {
        response.setHeader('content-type', 'application/json');
        response.end('{"accepted":true}');
        ask(id);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The same calls by hand: one request, one stream and one POST per call, and nothing else. */
async function runBare(url: string): Promise<void> {
  const pool = new Pool(url);
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const response = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await response.body.text());
  };
  const started = await post('/start-session', { state: { messages: [], tools: [] } });
  const path = (target: string) => new URL(target).pathname;
  const stream = await pool.request({ path: path(started.events_url), method: 'GET', headers });
  const posts: Promise<unknown>[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      const payload = JSON.parse(data);
      if (event !== 'tool_event') return;
      const { a, b } = payload.value.tool_call.args;
      posts.push(
        post(path(started.resume_url), { value: { tool_event_id: payload.id, status: 'ok', result: a + b } }),
      );
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of stream.body) parser.feed(decoder.decode(chunk, { stream: true }));
  await Promise.all(posts);
  await pool.destroy();
}

async function runSdk(agent: Agent, isRead: boolean): Promise<void> {
  if (!isRead) return void (await agent.invoke('x'));
  for await (const _event of agent.stream('x')) continue;
}

const server = await startServer();
const client = new Client({ apiKey: 'k', baseUrl: server.url });
const agent = new Agent({ name: 'bench', client, privateData: { token: 'a-private-token-value' } });
agent.toolify(
  { name: 'add', description: 'Add', input: z.object({ a: z.number(), b: z.number() }) },
  ({ a, b }) => a + b,
);

const cases = {
  'bare HTTP calls': async () => runBare(server.url),
  'agent.invoke': async () => runSdk(agent, false),
  'agent.stream, read': async () => runSdk(agent, true),
};
const times = new Map<string, { wall: number[]; cpu: number[] }>();
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(cases)) {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    await run();
    const wallUs = ((performance.now() - startedAt) * 1000) / CALLS;
    const used = process.cpuUsage(cpu);
    // The first round is the warm-up.
    if (round === 0) continue;
    const known = times.get(name) ?? { wall: [], cpu: [] };
    known.wall.push(wallUs);
    known.cpu.push((used.user + used.system) / CALLS);
    times.set(name, known);
  }
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
console.log(`${CALLS} calls per run, median of ${ROUNDS} rounds, client and server in one process`);
for (const [name, { wall, cpu }] of times) {
  console.log(
    `${name.padEnd(20)} ${median(wall).toFixed(0).padStart(5)} us wall  ${median(cpu).toFixed(0).padStart(5)} us CPU per call`,
  );
}
await agent.close();
await client.close();
server.close();
