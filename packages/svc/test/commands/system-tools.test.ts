import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readSystemTools } from '../../src/commands/system-tools.js';
import { createProgram } from '../../src/program.js';
import { startServer } from '../start-server.js';
import { recordingTerminal } from './terminal.js';

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Serves a model that calls both tools once when they are offered, and then answers. */
async function serveModel() {
  const turns: { tools: string[]; text: string }[] = [];
  const url = await startServer(async (request, response) => {
    const text = await readAll(request);
    const offered: { function: { name: string } }[] = JSON.parse(text).tools ?? [];
    const tools = offered.map((tool) => tool.function.name);
    turns.push({ tools, text });
    const args = { web_search: { query: 'green tea' }, repl: { code: '6 * 7' } };
    const calls = Object.entries(args).filter(([name]) => tools.includes(name) && turns.length === 1);
    const delta =
      calls.length > 0
        ? {
            tool_calls: calls.map(([name, given], index) => ({
              index,
              id: `c${index}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(given) },
            })),
          }
        : { content: 'Done.' };
    const chunk = (choice: object) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      choices: [choice],
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(chunk({ index: 0, delta, finish_reason: null }))}\n\n`);
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    response.end(
      `data: ${JSON.stringify(chunk({ index: 0, delta: {}, finish_reason }))}\n\ndata: [DONE]\n\n`,
    );
  });
  return { url, turns };
}

/** Runs one question through an orchestrator started with these flags. */
async function ask(args: string[], environment: Record<string, string> = {}) {
  const model = await serveModel();
  const { terminal, lines, interrupt, written } = recordingTerminal({
    SVC_API_KEY: 'k-local-test-key',
    SVC_MODEL: 'test',
    SVC_MODEL_BASE_URL: model.url,
    ...environment,
  });
  const always = ['node', 'svc', 'orchestrator', '--port', '0', '--drain-seconds', '0'];
  const ended = createProgram(terminal).parseAsync([...always, ...args]);
  await Promise.race([written, ended]);
  const url = /http:\S+/.exec(lines[0] ?? '')?.[0];
  const headers = { authorization: 'Bearer k-local-test-key', 'content-type': 'application/json' };
  const body = JSON.stringify({ state: { messages: [{ type: 'human', content: 'What is green tea?' }] } });
  const started = await fetch(`${url}/start-session`, { method: 'POST', headers, body });
  const stream = await (await fetch(Object(await started.json()).events_url, { headers })).text();
  interrupt();
  await ended;
  expect(stream).toContain('"status":"completed"');
  return model.turns;
}

describe('svc orchestrator', () => {
  it('offers neither web_search nor repl by default', async () => {
    const turns = await ask([]);
    expect(turns).toHaveLength(1);
    for (const tool of ['web_search', 'repl']) expect(turns[0]?.tools).not.toContain(tool);
  });

  it.each([
    ['flags', (url: string) => [['--web-search', url, '--web-search-private', '--repl'], {}] as const],
    [
      'the environment',
      (url: string) => [[], { SVC_WEB_SEARCH: url, SVC_WEB_SEARCH_PRIVATE: '1', SVC_REPL: 'true' }] as const,
    ],
  ])('runs web_search and repl when they are enabled by %s', async (_, configure) => {
    const searches: { url: string | undefined; key: unknown }[] = [];
    const search = await startServer(({ url, headers }, response) => {
      searches.push({ url, key: headers['x-key'] });
      response.end(JSON.stringify({ results: [{ title: 'A leaf', url: 'https://tea.example/' }] }));
    });
    const [args, environment] = configure(`${search}/search?q={query}`);
    const turns = await ask([...args], { ...environment, SVC_WEB_SEARCH_HEADER: 'X-Key: canary' });
    expect(searches).toEqual([{ url: '/search?q=green%20tea', key: 'canary' }]);
    expect(turns[1]?.text).toContain('https://tea.example/');
    expect(turns[1]?.text).toMatch(/value\W+42/);
  });
});

describe('readSystemTools', () => {
  it('does not allow private addresses by default', () => {
    const endpoint = 'https://search.example/?q={query}';
    expect(readSystemTools({ webSearch: endpoint }, {})).toEqual({
      webSearch: { endpoint, headers: {}, allowPrivateAddresses: false },
      repl: false,
    });
  });

  it('prefers flags to the environment', () => {
    const endpoint = 'https://search.example/?q={query}';
    const environment = {
      SVC_WEB_SEARCH: 'https://other.example/?q={query}',
      SVC_WEB_SEARCH_PRIVATE: '0',
      SVC_REPL: '0',
    };
    const flags = { webSearch: endpoint, webSearchPrivate: true, repl: true };
    expect(readSystemTools(flags, environment)).toEqual({
      webSearch: { endpoint, headers: {}, allowPrivateAddresses: true },
      repl: true,
    });
  });

  it('trims variables, and reads switches in any case', () => {
    const environment = {
      SVC_WEB_SEARCH: ' https://search.example/?q={query} ',
      SVC_WEB_SEARCH_HEADER: ' ',
      SVC_WEB_SEARCH_PRIVATE: ' TRUE ',
      SVC_REPL: ' False ',
    };
    expect(readSystemTools({}, environment)).toEqual({
      webSearch: {
        endpoint: 'https://search.example/?q={query}',
        headers: {},
        allowPrivateAddresses: true,
      },
      repl: false,
    });
  });

  it.each([
    ['a URL without {query}', { SVC_WEB_SEARCH: 'https://search.example/?key=canary' }, '{query}'],
    ['an invalid URL', { SVC_WEB_SEARCH: 'canary {query}' }, '{query}'],
    ['another protocol', { SVC_WEB_SEARCH: 'file:///canary/{query}' }, 'HTTP URL'],
    [
      'a header without a name',
      { SVC_WEB_SEARCH: 'https://s.example/{query}', SVC_WEB_SEARCH_HEADER: 'canary' },
      'SVC_WEB_SEARCH_HEADER',
    ],
    ['an invalid switch', { SVC_REPL: 'maybe' }, 'SVC_REPL must be 1 or 0, got "maybe"'],
  ])('rejects %s', (_, environment, message) => {
    expect(() => readSystemTools({}, environment)).toThrow(message);
    expect(() => readSystemTools({}, environment)).not.toThrow('canary');
  });
});
