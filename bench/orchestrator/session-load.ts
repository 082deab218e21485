/** Runs a number of concurrent sessions, each answering every call it receives. */
const [url = '', key = '', sessions = '500'] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const tool = {
  tool_id: 't-work',
  agent_id: 'a',
  name: 'work',
  description: 'Does a piece of work',
  args_schema: { properties: { number: { type: 'number' } }, required: ['number'] },
};
const state = { messages: [{ type: 'human', content: 'Do five pieces of work' }], tools: [tool] };

async function post(address: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as Record<string, string>;
}

async function run(): Promise<number> {
  const { events_url = '', resume_url = '' } = await post(`${url}/start-session`, { state });
  const response = await fetch(events_url, { headers });
  let calls = 0;
  let isOver = false;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      isOver ||= frame.includes('event: final');
      const [, id] = /^event: tool_event\ndata: {"id":"([^"]+)"/m.exec(frame) ?? [];
      if (id === undefined) continue;
      calls += 1;
      void post(resume_url, { value: { tool_event_id: id, status: 'ok', result: { done: calls } } });
    }
  }
  if (!isOver) throw new Error('a stream ended before its final');
  return calls;
}

const calls = await Promise.all(Array.from({ length: Number(sessions) }, run));
process.stdout.write(`${calls.reduce((sum, each) => sum + each, 0)}\n`);
