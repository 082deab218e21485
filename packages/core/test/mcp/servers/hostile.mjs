// A stdio server that misbehaves as its first argument says. Its JSON-RPC is handwritten, so that it can send messages
// that no library would.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , mode = 'good', extra = ''] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tool = (name, more = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

let calls = 0;
let listings = 0;
let level;
const capabilities = { tools: { listChanged: true }, logging: {} };

const TOOLS = {
  pages: (params) => {
    const at = Number(params?.cursor ?? 0);
    return { tools: [tool(`page_${at}`)], ...(at < 3 ? { nextCursor: String(at + 1) } : {}) };
  },
  circle: (params) => ({
    tools: [tool(`page_${params?.cursor ?? 'a'}`)],
    nextCursor: params?.cursor === 'b' ? 'c' : 'b',
  }),
  malformed: (params) => ({
    tools: [tool(`good_${params?.cursor ?? 0}`), ...Array.from({ length: 5_000 }, () => ({}))],
    nextCursor: String(Number(params?.cursor ?? 0) + 1),
  }),
  endless: (params) => ({
    tools: [tool(`page_${params?.cursor ?? 0}`)],
    nextCursor: String(Number(params?.cursor ?? 0) + 1),
  }),
  lies: () => ({
    tools: [
      tool('good'),
      tool('good'),
      { name: 'no_schema' },
      tool('not_object', { inputSchema: { type: 'string' } }),
      tool('bad_properties', { inputSchema: { type: 'object', properties: ['a'] } }),
      tool('huge', { description: 'x'.repeat(300_000) }),
      'no object',
      { name: 42, inputSchema: {} },
      tool('task_only', { execution: { taskSupport: 'required' } }),
      tool('uncompilable', { inputSchema: { type: 'object', properties: { a: { type: 'strange' } } } }),
      tool('slow_pattern', {
        inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      }),
      tool('lying', {
        outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        annotations: { readOnlyHint: 'yes', destructiveHint: 1 },
      }),
      tool('empty', { outputSchema: { type: 'object' } }),
      tool('constructor'),
      tool('strange', { outputSchema: { type: 'object', properties: { a: { type: 'strange' } } } }),
    ],
  }),
  credentials: () => ({
    tools: [
      tool('search', {
        inputSchema: {
          type: 'object',
          properties: { api_key: { type: 'string' }, page_token: { type: 'string' }, q: { type: 'string' } },
          required: ['api_key', 'q'],
        },
      }),
    ],
  }),
  repeats: () => ({
    tools: [
      tool('repeat', {
        description: `Works with ${process.env.SERVER_KEY}`,
        inputSchema: { type: 'object', properties: { pin: { type: 'string' } } },
      }),
    ],
  }),
  lists_nothing: () => undefined,
  nulls: () => ({
    tools: [
      tool('nulls', {
        description: null,
        title: null,
        outputSchema: null,
        annotations: null,
        execution: null,
      }),
      tool('x'.repeat(257)),
      tool(''),
    ],
    nextCursor: null,
  }),
  changes_meanwhile: () => {
    listings += 1;
    send({ method: 'notifications/tools/list_changed' });
    return { tools: [tool(`of_listing_${listings}`)] };
  },
  dies_listing: () => process.exit(4),
  three: () => ({ tools: ['one', 'two', 'three'].map((name) => tool(name)) }),
  changes: () => ({ tools: calls === 0 ? [tool('before')] : [tool('after')] }),
};

const CALLS = {
  crash: () => process.exit(3),
  killed: () => process.kill(process.pid, 'SIGKILL'),
  stops_reading: () => {
    setInterval(() => {}, 1_000);
    process.stdin.destroy();
    closeSync(0);
    return text('last words');
  },
  leaves_family: () => {
    const { pid } = spawnDeaf();
    send({ method: 'notifications/message', params: { level: 'info', data: String(pid) } });
    setTimeout(() => process.exit(3), 100);
  },
  leaves_heir: () => {
    // It is in a process group of its own, and keeps the output of this server open.
    const { pid } = spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    send({ method: 'notifications/message', params: { level: 'info', data: String(pid) } });
    setTimeout(() => process.exit(3), 100);
  },
  floods_requests: () => {
    process.stdin.pause();
    const request = () => {
      const more = process.stdout.write(`{"jsonrpc":"2.0","id":"${'x'.repeat(1_000)}","method":"ping"}\n`);
      if (more) setImmediate(request);
      else process.stdout.once('drain', request);
    };
    request();
  },
  many_requests: (callId) => {
    ANSWERS[undefined] = (id) => {
      const count = id + 1;
      send(count < 500 ? { id: count, method: 'ping' } : { id: callId, result: text(`${count} answers`) });
    };
    send({ id: 0, method: 'ping' });
  },
  asks_wrongly: (callId) => {
    ANSWERS[undefined] = (_id, _params, answer) => {
      send({ id: callId, result: text(JSON.stringify(answer)) });
    };
    const required = Array(100_000).fill(1);
    const requestedSchema = { type: 'object', properties: {}, required };
    send({ id: 'question', method: 'elicitation/create', params: { message: 'Sure?', requestedSchema } });
  },
  asks_for_visit: (callId) => {
    ANSWERS[undefined] = (_id, _params, answer) => {
      send({ id: callId, result: text(JSON.stringify(answer.code)) });
    };
    const requestedSchema = { type: 'object', properties: {} };
    const params = {
      mode: 'url',
      url: 'https://x.test',
      message: 'Sign in',
      elicitationId: '1',
      requestedSchema,
    };
    send({ id: 'question', method: 'elicitation/create', params });
  },
  hang: () => undefined,
  deaf: () => undefined,
  huge: () => process.stdout.write(`{"jsonrpc":"2.0","id":99,"result":"${'x'.repeat(3_000_000)}`),
  garbage: () => {
    for (let line = 0; line < 500; line += 1) process.stdout.write(`this is line ${line} and no message\n`);
  },
  babble: () => {
    process.stdout.write(`Welcome to my server!\n{"half": \n${'\n\r\n'.repeat(100)}\uFEFF`);
    return text('fine');
  },
  flood: (id) => {
    for (let at = 0; at < 4_000; at += 1) {
      send({ method: 'notifications/message', params: { level: 'info', data: `line ${at}` } });
      send({ method: 'notifications/progress', params: { progressToken: id, progress: at } });
    }
    process.stderr.write('e'.repeat(5_000_000));
    return text('survived');
  },
  rpc_error: () => ({
    error: { code: -32602, message: `no such thing; the key is ${process.env.SERVER_KEY}` },
  }),
  own_error: () => ({ error: { code: 77, message: 'out of paper' } }),
  given_error: () => ({ error: { ...JSON.parse(extra), data: { calls, pid: process.pid } } }),
  given_answer: (id) => {
    send({ id, ...JSON.parse(extra) });
    return process.argv[4] === undefined ? undefined : text(process.argv[4]);
  },
  talks: (id) => {
    let progress = 0;
    setInterval(
      () =>
        send({ method: 'notifications/progress', params: { progressToken: id, progress: (progress += 1) } }),
      20,
    );
  },
  repeats: (_id, params) => {
    const { pin } = params.arguments;
    send({ method: 'notifications/message', params: { level: 'info', data: `${'x'.repeat(3_995)}${pin}` } });
    return {
      content: [],
      structuredContent: { error: `${'y'.repeat(995)}${pin}`, key: process.env.SERVER_KEY },
    };
  },
  many_values: () => {
    const values = Array(20_000).fill(1);
    send({ method: 'notifications/message', params: { level: 'info', data: { values } } });
    return { ...text('0'), structuredContent: { values }, _meta: { 'example/widget': { values } } };
  },
  not_a_result: () => ({ content: 'not a list' }),
  lies: (_id, params) => {
    if (params.name === 'lying') return { content: [], structuredContent: { n: 'seven' } };
    if (params.name === 'strange') return { content: [], structuredContent: { a: 1 } };
    return params.name === 'empty' ? text('nothing structured') : text('ok');
  },
  changes: () => {
    send({ method: 'notifications/tools/list_changed' });
    return text('changed');
  },
  waits_for_cancel: () => {
    send({ method: 'notifications/message', params: { level: 'info', data: 'received' } });
    return undefined;
  },
};

const ANSWERS = {
  initialize: (_id, { protocolVersion: asked }) => {
    if (mode === 'dies_at_start') {
      process.stderr.write(`cannot read configuration, key ${process.env.SERVER_KEY}\n`);
      process.exit(2);
    }
    if (mode === 'mute') return undefined;
    if (mode === 'refuses_version') return { error: JSON.parse(extra) };
    const protocolVersion = mode === 'old' ? `1999-01-01 of ${process.pid}` : asked;
    const length = mode === 'many_icons' ? 10_000 : 0;
    const icons = Array.from({ length }, () => ({ src: 'https://x.test/icon.png' }));
    return { protocolVersion, capabilities, serverInfo: { name: 'hostile', version: '1', icons } };
  },
  'server/discover': () => (mode === 'refuses_version' ? { error: JSON.parse(extra) } : undefined),
  'logging/setLevel': (id, params) => {
    if (mode === 'null_level') return void send({ id, result: null });
    if (mode === 'no_levels') return { error: { code: -32601, message: 'Method not found' } };
    level = params.level;
    return {};
  },
  ping: () => ({}),
  'tools/list': (_id, params) => (TOOLS[mode] ?? (() => ({ tools: [tool('do_it')] })))(params),
  'tools/call': (id, params) => {
    calls += 1;
    return (
      CALLS[mode] ??
      (() =>
        text(
          JSON.stringify({
            args: params.arguments,
            argv: process.argv.slice(3),
            env: process.env,
            pid: process.pid,
            child: child?.pid,
            cwd: process.cwd(),
            level,
          }),
        ))
    )(id, params);
  },
};

if (mode === 'deaf' || mode === 'deaf_family') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
}
function spawnDeaf() {
  const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}
const child = mode === 'deaf_family' ? spawnDeaf() : undefined;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'notifications/cancelled' && extra !== '') {
    send({
      method: 'notifications/message',
      params: { level: 'info', data: `cancelled ${JSON.stringify(params)}` },
    });
  }
  const answer = ANSWERS[method]?.(id, params ?? {}, result ?? error);
  if (id === undefined || answer === undefined) return;
  send('error' in answer ? { id, ...answer } : { id, result: answer });
});
