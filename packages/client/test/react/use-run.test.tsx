// @vitest-environment jsdom
import type { EventEnvelope } from '@svc/contracts';
import { act, Activity, StrictMode, Suspense, startTransition, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Connection } from '../../src/connection/connection.js';
import type { EventStream, EventStreamOptions } from '../../src/connection/event-stream.js';
import { useRun } from '../../src/react/use-run.js';
import type { RunSnapshot } from '../../src/store/run-feed.js';
import { toolEvent } from '../state/events.js';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
const url = 'http://app.test/svc/events/s1';
const encoder = new TextEncoder();

/** Connections to a server that the test controls. */
function server() {
  const opened: {
    options: EventStreamOptions;
    stream: EventStream;
    send: (event: EventEnvelope) => void;
    end: () => void;
  }[] = [];
  const open = (options: EventStreamOptions): EventStream => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let ended = false;
    const fetch = async () => {
      if (ended) return new Response(null, { status: 204 });
      const start = (given: NonNullable<typeof body>) => {
        body = given;
        given.enqueue(encoder.encode(': live\n\n'));
      };
      const readable = new ReadableStream<Uint8Array>({ start });
      return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    };
    const stream = new Connection({ ...options, fetch });
    const send = (event: EventEnvelope) =>
      body?.enqueue(
        encoder.encode(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      );
    const end = () => {
      ended = true;
      body?.close();
    };
    opened.push({ options, stream, send, end });
    return stream;
  };
  return { open, opened };
}

const schedule = (change: () => void) => queueMicrotask(change);
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 5)));

function show(run: RunSnapshot): string {
  return `${run.connection}: ${run.turns.flatMap(({ cards }) => cards.map(({ id, status }) => `${id} ${status}`)).join(', ')}`;
}

let container: HTMLElement;
let root: Root;
beforeEach(() => {
  // Without jitter, the next connection follows at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  container = document.createElement('div');
  root = createRoot(container);
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.restoreAllMocks();
});

it('shows the run as it proceeds, over one connection under StrictMode', async () => {
  const { open, opened } = server();
  const Page = () => <p>{show(useRun(url, { open, schedule, headers: {} }))}</p>;
  await act(() =>
    root.render(
      <StrictMode>
        <Page />
      </StrictMode>,
    ),
  );
  await settle();
  expect(opened).toHaveLength(1);
  expect(container.textContent).toBe('open: ');
  opened[0]?.send(toolEvent('t1', 'executing', {}));
  await settle();
  expect(container.textContent).toBe('open: t1 running');
  await act(() =>
    root.render(
      <StrictMode>
        <Page />
      </StrictMode>,
    ),
  );
  expect(opened).toHaveLength(1);
});

it('does not connect while rendering, and disconnects with the last component', async () => {
  const { open, opened } = server();
  const Page = () => <p>{show(useRun(url, { open, schedule }))}</p>;
  expect(renderToString(<Page />)).toBe('<p>connecting: </p>');
  expect(opened).toHaveLength(0);
  await act(() => root.render(<Page />));
  await settle();
  await act(() => root.render(null));
  await settle();
  expect(opened.map(({ stream }) => stream.status)).toEqual(['closed']);
});

it('does not connect for a render that React discards', async () => {
  const { open, opened } = server();
  let resume: (() => void) | undefined;
  const suspended = new Promise<void>((resolve) => (resume = resolve));
  let isReady = false;
  const Page = () => {
    const run = useRun(url, { open, schedule });
    if (!isReady) throw suspended;
    return <p>{show(run)}</p>;
  };
  await act(() =>
    startTransition(() =>
      root.render(
        <Suspense fallback="...">
          <Page />
        </Suspense>,
      ),
    ),
  );
  expect(opened).toHaveLength(0);
  isReady = true;
  await act(async () => resume?.());
  await settle();
  expect(opened).toHaveLength(1);
});

it('moves to another URL, and starts there without a cursor', async () => {
  const { open, opened } = server();
  let move: (to: string | null) => void = () => undefined;
  const Page = () => {
    const [address, setAddress] = useState<string | null>(null);
    move = setAddress;
    return <p>{show(useRun(address, { open, schedule }))}</p>;
  };
  await act(() => root.render(<Page />));
  await settle();
  expect(opened).toHaveLength(0);
  await act(() => move(url));
  await settle();
  opened[0]?.send(toolEvent('t1', 'completed'));
  await settle();
  expect(container.textContent).toBe('open: t1 completed');
  await act(() => move(`${url}2`));
  await settle();
  expect(container.textContent).toBe('open: ');
  expect(
    opened.map(({ options, stream }) => [String(options.url), options.lastEventId, stream.status]),
  ).toEqual([
    [url, undefined, 'closed'],
    [`${url}2`, undefined, 'open'],
  ]);
});

it('resumes where it was when a component is shown again', async () => {
  const { open, opened } = server();
  const Page = () => <p>{show(useRun(url, { open, schedule, lastEventId: 'e0' }))}</p>;
  const render = (mode: 'visible' | 'hidden') =>
    act(() =>
      root.render(
        <Activity mode={mode}>
          <Page />
        </Activity>,
      ),
    );
  await render('visible');
  await settle();
  opened[0]?.send({ ...toolEvent('t1', 'executing'), id: 'e7' });
  await settle();
  await render('hidden');
  await settle();
  await render('visible');
  await settle();
  expect(opened.map(({ options, stream }) => [options.lastEventId, stream.status])).toEqual([
    ['e0', 'closed'],
    ['e7', 'open'],
  ]);
  expect(container.textContent).toBe('open: t1 running');
});

it('is shown as connecting, and never as closed, when a component is shown again', async () => {
  const { open, opened } = server();
  const fetch = () => new Promise<Response>(() => undefined);
  const openOnce = (options: EventStreamOptions) =>
    opened.length === 0 ? open(options) : new Connection({ ...options, fetch });
  const shown: string[] = [];
  const Page = () => <p>{shown.push(useRun(url, { open: openOnce, schedule }).connection)}</p>;
  for (const mode of ['visible', 'hidden', 'visible'] as const) {
    await act(() =>
      root.render(
        <Activity mode={mode}>
          <Page />
        </Activity>,
      ),
    );
    await settle();
  }
  expect(opened[0]?.stream.status).toBe('closed');
  expect([shown.includes('closed'), shown.at(-1)]).toEqual([false, 'connecting']);
});

it('does not reconnect to a session that has ended', async () => {
  const { open, opened } = server();
  const Page = () => <p>{show(useRun(url, { open, schedule }))}</p>;
  const render = (mode: 'visible' | 'hidden') =>
    act(() =>
      root.render(
        <Activity mode={mode}>
          <Page />
        </Activity>,
      ),
    );
  await render('visible');
  await settle();
  opened[0]?.end();
  await settle();
  expect(container.textContent).toBe('closed: ');
  await render('hidden');
  await settle();
  await render('visible');
  await settle();
  expect(opened).toHaveLength(1);
});

it.each([
  ['headers', (authorization: string) => ({ authorization })],
  ['function of headers', (authorization: string) => () => ({ authorization })],
])('gets the headers of each request from the %s of the last render', async (_, headersOf) => {
  const { open, opened } = server();
  const Page = ({ token }: { token: string }) => (
    <p>{show(useRun(url, { open, schedule, headers: headersOf(token) }))}</p>
  );
  await act(() => root.render(<Page token="one" />));
  await act(() => root.render(<Page token="two" />));
  await settle();
  const headers = opened[0]?.options.headers;
  expect(opened).toHaveLength(1);
  expect(typeof headers === 'function' && (await headers())).toEqual({ authorization: 'two' });
});

it.each([null, { open: null, schedule: null, lastEventId: null, headers: null }])(
  'treats %j as no options',
  async (options) => {
    const request = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }));
    const Page = () => <p>{useRun(url, options && { ...options, fetch: null }).connection}</p>;
    await act(() => root.render(<Page />));
    await vi.waitFor(() => expect(request).toHaveBeenCalledOnce(), 10_000);
    expect(request.mock.calls[0]?.[0]).toBe(url);
  },
);
