import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConfigurationError } from '../../src/config/errors.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import type { ReplacedAnswer } from '../../src/testing/scripted-orchestrator.js';
import { collect, startAgent } from '../agent-setup.js';

const tool = (name: string) => ({ name, description: name });

const oneCall = async (session: ScriptedSession): Promise<void> => {
  session.finish({ result: await session.callTool('t', {}, 'ev-1') });
};

describe('a tool call is answered', () => {
  it.each<[string, () => unknown, object]>([
    ['with what the tool returned', () => ({ a: 1 }), { status: 'ok', result: { a: 1 } }],
    ['with null if the tool returned nothing', () => undefined, { status: 'ok', result: null }],
    [
      'with a result that looks like an error',
      () => ({ error: 'x' }),
      { status: 'ok', result: { error: 'x' } },
    ],
    ['with a string that looks like an error', () => 'error: x', { status: 'ok', result: 'error: x' }],
    [
      'with the message of an error',
      () => {
        throw new Error('broke');
      },
      { status: 'error', error: { code: 'TOOL_FAILED', message: 'broke' } },
    ],
    [
      'with a default message if the tool threw something other than an Error',
      () => {
        // A tool may throw anything.
        // oxlint-disable-next-line no-throw-literal
        throw 'text';
      },
      {
        status: 'error',
        error: { code: 'TOOL_FAILED', message: 'Something other than an Error was thrown (string).' },
      },
    ],
    [
      'with the message of an error of another realm',
      () => runInNewContext('throw new TypeError("no rate for XYZ")'),
      { status: 'error', error: { code: 'TOOL_FAILED', message: 'no rate for XYZ' } },
    ],
    [
      'with the class of an error whose message is not a string',
      () => {
        throw Object.assign(new RangeError(), { message: { a: 1 } });
      },
      { status: 'error', error: { code: 'TOOL_FAILED', message: 'RangeError' } },
    ],
    [
      'with "Error" for an error without a valid name or message',
      () => {
        throw Object.assign(new Error(), { message: undefined, name: 5 });
      },
      { status: 'error', error: { code: 'TOOL_FAILED', message: 'Error' } },
    ],
    [
      'with the code of an SDK error whose message is not a string',
      () => {
        throw Object.assign(new ConfigurationError('', { code: 'CONFIG_X' }), { message: 5 });
      },
      { status: 'error', error: { code: 'CONFIG_X', message: 'ConfigurationError' } },
    ],
    [
      'with TOOL_RESULT_NOT_SERIALIZABLE if JSON cannot represent its result',
      () => 1n,
      { status: 'error', error: { code: 'TOOL_RESULT_NOT_SERIALIZABLE' } },
    ],
  ])('%s', async (_name, run, answer) => {
    await using setup = await startAgent(oneCall);
    setup.agent.toolify(tool('t'), run);
    await setup.agent.invoke('x');
    expect(setup.bodies('/resume')).toMatchObject([{ value: { tool_event_id: 'ev-1', ...answer } }]);
  });

  it.each([
    ['an empty batch', { id: 'e', value: { tool_calls: [] } }, 'TOOL_INVALID_EVENT'],
    ['an unknown tool', { id: 'e', value: { tool_call: { tool_id: 'nope', args: {} } } }, 'TOOL_UNKNOWN'],
    ['an unknown value', { id: 'e', value: { what: 1 } }, 'TOOL_INVALID_EVENT'],
    ['a value that is not an object', { id: 'e', value: 7 }, 'TOOL_INVALID_EVENT'],
  ])('with an error for %s', async (_name, payload, code) => {
    await using setup = await startAgent(async (session) => {
      session.send('tool_event', payload);
      session.finish({ result: await session.posted('e') });
    });
    const { result } = await setup.agent.invoke('x');
    expect(result).toMatchObject({ tool_event_id: 'e', status: 'error', error: { code } });
  });

  it('with ok if it is a barrier', async () => {
    await using setup = await startAgent(async (session) => {
      session.send('tool_event', { id: 'b', value: { barrier: true } });
      session.finish({ result: await session.posted('b') });
    });
    expect((await setup.agent.invoke('x')).result).toMatchObject({ status: 'ok', result: 'ok' });
  });

  it('with the path and rule of each invalid argument, without its value', async () => {
    await using setup = await startAgent(async (session) => {
      session.finish({ result: await session.callTool('t', { n: 'secret-text' }) });
    });
    setup.agent.toolify({ ...tool('t'), input: z.object({ n: z.number() }) }, () => null);
    const { result } = await setup.agent.invoke('x');
    expect(result).toMatchObject({
      error: {
        code: 'TOOL_INVALID_ARGUMENTS',
        retryable: true,
        details: { issues: [{ path: 'n', problem: 'expected number' }] },
      },
    });
    expect(JSON.stringify(result)).not.toContain('secret-text');
  });

  it('with TOOL_RESULT_TOO_LARGE if its result exceeds maxResultBytes', async () => {
    await using setup = await startAgent(oneCall);
    setup.agent.toolify({ ...tool('t'), maxResultBytes: 10 }, () => 'x'.repeat(20));
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      error: { code: 'TOOL_RESULT_TOO_LARGE', details: { size: 22, max_bytes: 10 } },
    });
  });

  it('with TOOL_TIMEOUT after toolTimeoutMs, and its signal aborts', async () => {
    await using setup = await startAgent(oneCall, { toolTimeoutMs: 10 });
    let isAborted = false;
    setup.agent.toolify(tool('t'), async (_args, { signal }) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return new Promise(() => {});
    });
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      error: { code: 'TOOL_TIMEOUT', details: { timeout_ms: 10 }, retryable: true },
    });
    expect(isAborted).toBe(true);
  });

  it('with TOOL_TIMEOUT if its arguments take too long to validate', async () => {
    await using setup = await startAgent(oneCall, { toolTimeoutMs: 10 });
    const input = z.object({}).refine(async () => new Promise<boolean>(() => {}));
    setup.agent.toolify({ ...tool('t'), input, permissions: ['write'] }, () => null);
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      error: {
        code: 'TOOL_TIMEOUT',
        message: "The arguments of 't' were not validated within 10 ms. The tool did not run.",
        retryable: true,
      },
    });
  });

  it.each([
    ['only reads (retryable)', {}, true],
    ['writes (not retryable)', { permissions: ['write'] as const }, false],
    ['writes but is idempotent (retryable)', { permissions: ['write'] as const, idempotent: true }, true],
  ])('with TOOL_TIMEOUT after its own timeoutMs if the tool %s', async (_name, traits, isRetryable) => {
    await using setup = await startAgent(oneCall);
    setup.agent.toolify({ ...tool('t'), timeoutMs: 10, ...traits }, async () => new Promise(() => {}));
    const { result } = await setup.agent.invoke('x');
    expect(result).toMatchObject({ error: { code: 'TOOL_TIMEOUT', details: { timeout_ms: 10 } } });
    expect(JSON.stringify(result).includes('"retryable":true')).toBe(isRetryable);
    const [spec] = setup.orchestrator.sessions.get('session-1')?.state.tools ?? [];
    expect(spec?.metadata?.['idempotent']).toBe('idempotent' in traits ? true : undefined);
  });
});

describe('a batch of tool calls', () => {
  it('is answered once, with results and failures in order', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTools([{ name: 'good' }, { name: 'bad' }], 'b-1');
      session.finish();
    });
    setup.agent.toolify(tool('good'), () => 1);
    setup.agent.toolify(tool('bad'), () => {
      throw new Error('broke');
    });
    const events = await collect(setup.agent.stream('x'));
    expect(setup.bodies('/resume')).toEqual([
      {
        value: {
          tool_event_id: 'b-1',
          status: 'ok',
          result: {
            results: [1, { error: { code: 'TOOL_FAILED', message: 'broke' } }],
            statuses: ['ok', 'error'],
          },
        },
      },
    ]);
    const states = events
      .slice(0, 4)
      .map(({ payload }) => [payload['tool_id'], payload['status'], payload['error']]);
    expect(states.toSorted()).toEqual([
      ['b-1:0', 'completed', null],
      ['b-1:0', 'executing', null],
      ['b-1:1', 'executing', null],
      ['b-1:1', 'failed', 'broke'],
    ]);
  });
});

describe('posting a result', () => {
  async function post(answers: readonly number[]) {
    let count = 0;
    const intercept = ({ path }: { path: string }): ReplacedAnswer | undefined => {
      if (!path.endsWith('/resume')) return undefined;
      const status = answers[count] ?? 200;
      count += 1;
      return status === 200 ? undefined : { status, body: { code: 'broken', message: 'broken' } };
    };
    await using setup = await startAgent(oneCall, {}, { intercept });
    let runs = 0;
    setup.agent.toolify(tool('t'), () => (runs += 1));
    const outcome = await setup.agent.invoke('x').catch((error: unknown) => error);
    await setup.agent.close();
    return {
      outcome,
      runs,
      posts: setup.bodies('/resume'),
      methods: setup.orchestrator.requests.map(({ method }) => method),
    };
  }

  it('is repeated unchanged after server errors, and the tool does not run again', async () => {
    const { outcome, runs, posts } = await post([500, 500]);
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(runs).toBe(1);
    expect(new Set(posts.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(posts).toHaveLength(3);
  });

  it('fails the run and ends the session if it is refused', async () => {
    const { outcome, posts, methods } = await post([400]);
    expect(outcome).toMatchObject({ name: 'MaivnHTTPError', statusCode: 400, code: 'broken' });
    expect(posts).toHaveLength(1);
    expect(methods.at(-1)).toBe('DELETE');
  });
});

describe('a repeated tool event', () => {
  it('does not run the tool again, and posts the same result again', async () => {
    await using setup = await startAgent(async (session) => {
      const call = { id: 'ev-1', value: { tool_call: { tool_id: 't', args: {} } } };
      session.send('tool_event', call);
      await session.posted('ev-1');
      session.send('tool_event', call);
      await session.callTool('t');
      session.finish();
    });
    let runs = 0;
    setup.agent.toolify(tool('t'), () => (runs += 1));
    const events = await collect(setup.agent.stream('x'));
    expect(runs).toBe(2);
    expect(events.filter(({ payload }) => payload['tool_id'] === 'ev-1')).toHaveLength(2);
    const posts = setup.bodies('/resume').filter((body) => JSON.stringify(body).includes('ev-1'));
    expect(posts).toHaveLength(2);
    expect(posts[0]).toEqual(posts[1]);
  });

  it('is ignored while its call is running', async () => {
    await using setup = await startAgent(async (session) => {
      const call = { id: 'ev-1', value: { tool_call: { tool_id: 't', args: {} } } };
      session.send('tool_event', call);
      session.send('tool_event', call);
      await session.posted('ev-1');
      session.finish();
    });
    let runs = 0;
    setup.agent.toolify(tool('t'), async () => (runs += 1));
    await setup.agent.invoke('x');
    expect(runs).toBe(1);
    expect(setup.bodies('/resume')).toMatchObject([{ value: { status: 'ok', result: 1 } }]);
  });
});
