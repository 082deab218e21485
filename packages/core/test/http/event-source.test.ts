import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { frame, heartbeat, readStream, stream } from './read-stream.js';

const lost =
  'The event stream broke 12 times without a new event. If a proxy ends or buffers it, `svc doctor` says so.';

describe('a broken stream', () => {
  const all = [1, 2, 3, 4];
  it.each(all)('is resumed after event %i', async (cutAfter) => {
    const first = all.slice(0, cutAfter).map((id) => frame(id));
    const rest = all.slice(cutAfter).map((id) => frame(id));
    const { events, lastIds } = await readStream(
      [stream(first.join(''), { cut: true }), stream([...rest, frame(5, 'final')].join(''))],
      { stopAfter: 5 },
    );
    expect(events.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(lastIds).toEqual([undefined, String(cutAfter)]);
  });

  it('delivers an event once if it breaks in the middle of that event', async () => {
    const { events } = await readStream(
      [stream(`${frame(1)}id: 2\nevent: x\nda`, { cut: true }), stream(frame(2))],
      {
        stopAfter: 2,
      },
    );
    expect(events.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('says which events are repeated if it is replayed from the start', async () => {
    const { events } = await readStream(
      [stream(frame(1) + frame(2), { cut: true }), stream(frame(1) + frame(2) + frame(3))],
      { stopAfter: 5 },
    );
    expect(events.map(({ id, isRepeated }) => [id, isRepeated])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['1', true],
      ['2', true],
      ['3', undefined],
    ]);
  });

  it('delivers another event under a known id: the store of the orchestrator had lost the first one', async () => {
    const other = 'id: 2\nevent: x\ndata: {"n":20}\n\n';
    const { events, lastIds } = await readStream(
      [
        stream([1, 2, 3].map((id) => frame(id)).join(''), { cut: true }),
        stream(frame(1) + other, { cut: true }),
        stream(frame(3, 'y')),
      ],
      { stopAfter: 6 },
    );
    const fresh = events.filter(({ isRepeated }) => !isRepeated);
    expect(fresh.map(({ name, payload }) => [name, payload])).toEqual([
      ['x', { n: 1 }],
      ['x', { n: 2 }],
      ['x', { n: 3 }],
      ['x', { n: 20 }],
      ['y', { n: 3 }],
    ]);
    expect(lastIds).toEqual([undefined, '3', '2']);
  });

  it('is resumed by its query after an id that a header would lose or change', async () => {
    const bodies = ['id: 中 1\ndata: {}\n\n', 'id: 2 \ndata: {}\n\n', frame(3)];
    const { events, urls, lastIds } = await readStream(
      [...bodies.map((body) => stream(body, { cut: true })), stream(frame(4))],
      { stopAfter: 4 },
    );
    expect(events.map(({ id }) => id)).toEqual(['中 1', '2 ', '3', '4']);
    const byQuery = ['/events?last_event_id=%E4%B8%AD+1', '/events?last_event_id=2+'];
    expect(urls).toEqual(['/events', ...byQuery, '/events']);
    expect(lastIds).toEqual([undefined, undefined, undefined, '3']);
  });

  it('cannot be resumed without event ids, and the error says so', async () => {
    const { error, lastIds } = await readStream([stream('event: x\ndata: {}\n\n', { cut: true })]);
    expect(error).toMatchObject({
      code: 'HTTP_STREAM_LOST',
      message: expect.stringContaining('its events have no ids'),
    });
    expect(lastIds).toHaveLength(1);
  });

  it('without event ids is over if it broke after its error event', async () => {
    const { events, error } = await readStream([stream('event: error\ndata: {}\n\n', { cut: true })], {
      mayReconnect: () => false,
    });
    expect([events.length, error]).toEqual([1, undefined]);
  });

  it('that had only sent heartbeats is read from its beginning', async () => {
    const { events } = await readStream([stream(heartbeat, { cut: true }), stream(frame(1))], {
      stopAfter: 2,
    });
    expect(events.map(({ name }) => name)).toEqual(['heartbeat', 'x']);
  });

  it('is resumed as often as a proxy ends a connection that was alive', async () => {
    let elapsedMs = 0;
    const { events, sleeps } = await readStream(
      [stream(frame(1)), ...Array.from({ length: 20 }, () => stream(heartbeat)), stream(frame(2))],
      { stopAfter: 22, monotonicMs: () => (elapsedMs += 10_000) },
    );
    expect(events.at(-1)?.id).toBe('2');
    expect(new Set(sleeps)).toEqual(new Set([100]));
  });

  it('is resumed as often as a proxy ends a connection that was silent for long', async () => {
    let elapsedMs = 0;
    const lasting = (response: ServerResponse): void => {
      response.writeHead(200).flushHeaders();
      setTimeout(() => {
        elapsedMs += 10_000;
        response.destroy();
      }, 50);
    };
    const { events, sleeps } = await readStream(
      [stream(frame(1)), ...Array.from({ length: 20 }, () => lasting), stream(frame(2))],
      { stopAfter: 2, monotonicMs: () => elapsedMs },
    );
    expect(events.at(-1)?.id).toBe('2');
    expect(new Set(sleeps)).toEqual(new Set([100]));
  });

  it('is resumed as often as a connection that was alive for long goes silent', async () => {
    let elapsedMs = 0;
    const fading = (response: ServerResponse): void => {
      response.writeHead(200).write(heartbeat);
    };
    const { events, sleeps } = await readStream(
      [stream(frame(1)), fading, fading, fading, stream(frame(2))],
      { stopAfter: 5, idleTimeoutMs: 100, monotonicMs: () => (elapsedMs += 10_000) },
    );
    expect(events.at(-1)?.id).toBe('2');
    expect(new Set(sleeps)).toEqual(new Set([100]));
  });

  it('is given up if no connection is answered, however long that takes', async () => {
    let elapsedMs = 0;
    const { error } = await readStream([stream(frame(1)), (response) => response.writeHead(504).end()], {
      monotonicMs: () => (elapsedMs += 10_000),
    });
    expect(error).toMatchObject({ message: 'The event stream broke 12 times without a new event.' });
  });

  it('is resumed after growing waits if connections are silent until they count as broken', async () => {
    let elapsedMs = 0;
    const silent = (response: ServerResponse): void => response.writeHead(200).flushHeaders();
    const { sleeps } = await readStream([silent, silent, stream(frame(1))], {
      stopAfter: 1,
      idleTimeoutMs: 100,
      monotonicMs: () => (elapsedMs += 45_000),
    });
    expect(sleeps).toEqual([100, 200]);
  });

  it('is given up if heartbeats come only at the beginning of each connection', async () => {
    const { error } = await readStream([stream(frame(1)), stream(heartbeat)]);
    expect(error).toMatchObject({ message: lost });
  });

  it('is also resumed if it goes silent without closing', async () => {
    const silent = (response: ServerResponse): void => {
      response.writeHead(200);
      response.write(frame(1));
    };
    const { events, lastIds } = await readStream([silent, stream(frame(2))], {
      stopAfter: 2,
      idleTimeoutMs: 100,
    });
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    expect(lastIds).toEqual([undefined, '1']);
  });

  it('is given up after 12 breaks without a new event, with increasing waits', async () => {
    const { error, sleeps } = await readStream([stream(frame(1), { cut: true })]);
    expect(error).toMatchObject({
      code: 'HTTP_STREAM_LOST',
      message: lost,
    });
    expect(sleeps).toEqual([100, 100, 200, 400, 800, 1600, 3200, ...Array.from({ length: 5 }, () => 5000)]);
  });

  it.each(['text/html; charset=utf-8', 'application/json', 'text/event-streams'])(
    'fails immediately if the new response is %s, and names that type',
    async (type) => {
      const page = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': type }).end('<title>Sign in</title>');
      };
      const { error, lastIds } = await readStream([stream(frame(1), { cut: true }), page]);
      expect(error).toMatchObject({
        code: 'HTTP_INVALID_RESPONSE',
        message: expect.stringContaining(type.split(';')[0] ?? type),
      });
      expect(lastIds).toHaveLength(2);
    },
  );
});

describe('a reconnection', () => {
  const refuse =
    (status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse): void => {
      response.writeHead(status, headers).end();
    };

  it('continues after server errors', async () => {
    const { events } = await readStream(
      [stream(frame(1), { cut: true }), refuse(500), refuse(502), stream(frame(2))],
      {
        stopAfter: 2,
      },
    );
    expect(events).toHaveLength(2);
  });

  it('waits as long as a 429 asks', async () => {
    const { events, sleeps } = await readStream(
      [stream(frame(1), { cut: true }), refuse(429, { 'retry-after': '7' }), stream(frame(2))],
      { stopAfter: 2 },
    );
    expect(events).toHaveLength(2);
    expect(sleeps).toEqual([100, 7000]);
  });

  it.each([401, 403, 404, 410])('fails immediately on %i', async (status) => {
    const { error, lastIds } = await readStream([stream(frame(1), { cut: true }), refuse(status)]);
    expect(error).toMatchObject({ statusCode: status });
    expect(lastIds).toHaveLength(2);
  });

  it('waits with growing delays if Retry-After names no time', async () => {
    const { events, sleeps } = await readStream(
      [refuse(503, { 'retry-after': '0' }), refuse(503, { 'retry-after': '0' }), stream(frame(1))],
      { stopAfter: 1 },
    );
    expect(events).toHaveLength(1);
    expect(sleeps).toEqual([100, 200]);
  });

  it('waits no longer than 30 s, whatever Retry-After says', async () => {
    const ask = (seconds: string) => refuse(503, { 'retry-after': seconds });
    const { events, sleeps } = await readStream([ask('99999999'), ask('9'.repeat(400)), stream(frame(1))], {
      stopAfter: 1,
    });
    expect(events).toHaveLength(1);
    expect(sleeps).toEqual([30_000, 30_000]);
  });

  it('is not repeated when the plan limit is reached', async () => {
    const { error, lastIds } = await readStream([
      stream(frame(1), { cut: true }),
      (response) => response.writeHead(429).end('{"code":"plan_limit_exceeded","message":"No more."}'),
    ]);
    expect(error).toMatchObject({ name: 'PlanLimitExceededError', statusCode: 429 });
    expect(lastIds).toHaveLength(2);
  });

  it('is not attempted when the reader says that the stream is over', async () => {
    const { events, error, lastIds } = await readStream([stream(frame(1))], { mayReconnect: () => false });
    expect([events.length, error, lastIds.length]).toEqual([1, undefined, 1]);
  });
});

it('a stream is accepted without a content type, and with one in any letter case and with parameters', async () => {
  const typed = (headers: Record<string, string>) => (response: ServerResponse) => {
    response.writeHead(200, headers).end(frame(1));
  };
  for (const type of [[], [['content-type', 'Text/Event-Stream;charset=UTF-8']]]) {
    const { events } = await readStream([typed(Object.fromEntries(type))], { stopAfter: 1 });
    expect(events.map(({ id }) => id)).toEqual(['1']);
  }
});

it('a stream rejects with the reason of its signal when that aborts', async () => {
  const controller = new AbortController();
  const { error } = await readStream(
    [
      (response) => {
        response.writeHead(200);
        response.write(frame(1));
        controller.abort(new DOMException('enough', 'AbortError'));
      },
    ],
    { signal: controller.signal },
  );
  expect(error).toMatchObject({ name: 'AbortError', message: 'enough' });
});

it('a stream skips malformed lines, and passes on data that is not JSON as raw text', async () => {
  const { events } = await readStream([stream(`\u0000\u0001 what\n<html>\n\n${frame(1)}data: [1,\n\n`)], {
    mayReconnect: () => false,
  });
  expect(events.map(({ payload }) => payload)).toEqual([{ n: 1 }, { raw: '[1,' }]);
});

it('text with multi-byte characters is decoded correctly across chunks', async () => {
  const text = '€'.repeat(300_000);
  const { events } = await readStream([stream(`data: ${JSON.stringify({ text })}\n\n`)], {
    mayReconnect: () => false,
  });
  expect(events.map(({ payload }) => payload)).toEqual([{ text }]);
});

it('an empty event id counts as no id', async () => {
  const { events } = await readStream([stream('id:\ndata: {"n":1}\n\nid:\ndata: {"n":2}\n\n')], {
    mayReconnect: () => false,
  });
  expect(events.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }]);
});

it('a frame that is too large is refused', async () => {
  const { error } = await readStream([stream(`data: ${'x'.repeat(17 * 1024 * 1024)}`)]);
  expect(error).toMatchObject({ code: 'HTTP_FRAME_TOO_LARGE' });
});
