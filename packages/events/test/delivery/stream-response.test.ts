import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

const url = 'http://app.test/svc/events/s';
const open = () => new EventBridge('s', { logger: silentLogger, heartbeatIntervalMs: 1000 });

afterEach(() => {
  vi.useRealTimers();
});

const eventsOf = (text: string) =>
  decodeFrames(text.replaceAll(/^:.*\n\n/gm, '')).map(
    ({ envelope }) => envelope.data.n ?? envelope.data.response,
  );

describe('a web-standard response', () => {
  it('streams the turn, with headers that prevent caching and buffering', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emitFinal('done');
    const response = await bridge.toResponse(new Request(url));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const text = await response.text();
    expect(text.startsWith(': open\n\n')).toBe(true);
    expect(eventsOf(text)).toEqual([1, 'done']);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('has no body and attaches no reader for a HEAD request', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const leaving = new AbortController();
    const waiting = bridge.waitForSubscriber({ timeoutMs: 100_000, signal: leaving.signal });
    const response = await bridge.toResponse(new Request(url, { method: 'HEAD' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.body).toBeNull();
    expect(bridge.subscriberCount).toBe(0);
    leaving.abort();
    expect(await waiting).toBe(false);
  });

  it('resumes from the lastEventId option, else the header, else the query parameter', async () => {
    const bridge = open();
    for (const n of [1, 2, 3]) await bridge.emit('custom', { n });
    await bridge.emitFinal('done');
    const [one, two] = (await bridge.history()).map(({ id }) => id);
    const asked = async (query: string, headers = {}) =>
      eventsOf(await (await bridge.toResponse(new Request(url + query, { headers }))).text());
    expect(await asked(`?last_event_id=${one}`, { 'last-event-id': two })).toEqual([3, 'done']);
    expect(await asked(`?last_event_id=${one}`, { 'last-event-id': ' ' })).toEqual([2, 3, 'done']);
    expect(await asked('')).toEqual([1, 2, 3, 'done']);
    const request = new Request(url, { headers: { 'last-event-id': two ?? '' } });
    const given = async (lastEventId: string | null | undefined) =>
      eventsOf(await (await bridge.toResponse(request, { lastEventId })).text());
    expect(await given(one)).toEqual([2, 3, 'done']);
    expect(await given('')).toEqual([1, 2, 3, 'done']);
    for (const absent of [null, undefined]) expect(await given(absent)).toEqual([3, 'done']);
  });

  it('is 204 when the session has ended and the reader has seen everything', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const [event] = await bridge.history();
    await bridge.close();
    const headers = { 'last-event-id': event?.id ?? '' };
    const response = await bridge.toResponse(new Request(url, { headers }));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await bridge.toResponse(new Request(url))).status).toBe(200);
  });

  it.each(['x'.repeat(257), 'a%00b', 'a%0Ab', '%7F'])('is 400 for the cursor %s', async (cursor) => {
    const response = await open().toResponse(new Request(`${url}?last_event_id=${cursor}`));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('accepts an unknown cursor of 256 characters, and reports stream_gap', async () => {
    const bridge = open();
    await bridge.emitFinal('done');
    const response = await bridge.toResponse(new Request(`${url}?last_event_id=${'x'.repeat(256)}`));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('event: stream_gap');
  });

  it('reads events only as its body is consumed, and detaches when it is cancelled', async () => {
    const bridge = open();
    for (let n = 0; n < 10; n += 1) await bridge.emit('custom', { n });
    const response = await bridge.toResponse(new Request(url));
    expect(bridge.subscriberCount).toBe(1);
    const taken = vi.spyOn(EventReader.prototype, 'read');
    const reader = response.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).not.toHaveBeenCalled();
    taken.mockRestore();
    const { value } = (await reader?.read()) ?? {};
    expect(eventsOf(new TextDecoder().decode(value))).toHaveLength(10);
    await reader?.cancel();
    expect(bridge.subscriberCount).toBe(0);
  });

  it('copies its bytes, so that a consumer may transfer them', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emitFinal('done');
    const reader = (await bridge.toResponse(new Request(url))).body?.getReader();
    await reader?.read();
    const { value } = (await reader?.read()) ?? {};
    structuredClone(value, { transfer: [value?.buffer as ArrayBuffer] });
    expect(await bridge.history()).toHaveLength(2);
  });

  it('fails instead of ending normally when the log cannot be read', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger });
    await bridge.emit('custom', { n: 1 });
    log.readAfter = () => Promise.reject(new Error('the log is gone'));
    const response = await bridge.toResponse(new Request(url));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('the log is gone');
  });

  it('detaches when the request is aborted', async () => {
    const bridge = open();
    const leaving = new AbortController();
    await bridge.emit('custom', { n: 1 });
    const response = await bridge.toResponse(new Request(url, { signal: leaving.signal }));
    const reading = response.text();
    leaving.abort();
    expect(eventsOf(await reading).length).toBeLessThanOrEqual(1);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('is an empty stream, not 204, if its signal has aborted: the session goes on', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const stopping = new AbortController();
    const respond = () => bridge.toResponse(new Request(url), { signal: stopping.signal });
    const during = respond();
    stopping.abort();
    for (const response of [await during, await respond()]) {
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(': open\n\n');
    }
    expect(bridge.subscriberCount).toBe(0);
  });

  it('sends keep-alives while no events arrive', async () => {
    const bridge = open();
    const response = await bridge.toResponse(new Request(url), { heartbeatIntervalMs: 1 });
    const reader = response.body?.getReader();
    await reader?.read();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^: keepalive \S+\n\n$/);
    await reader?.cancel();
  });

  it('refuses a heartbeatIntervalMs of 0', async () => {
    await expect(open().toResponse(new Request(url), { heartbeatIntervalMs: 0 })).rejects.toThrow(RangeError);
  });
});
