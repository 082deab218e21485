import { beforeEach, expect, it } from 'vitest';
import { RecentPages } from '../../src/delivery/recent-pages.js';
import { SessionView, type ViewEnd } from '../../src/delivery/session-view.js';
import { createLogPage, type LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A log that records the signals of its followers. */
class WatchedLog extends MemoryEventLog {
  readonly signals: (AbortSignal | undefined)[] = [];

  override follow(...given: Parameters<MemoryEventLog['follow']>): AsyncIterable<LogPage> {
    this.signals.push(given[1].signal);
    return super.follow(...given);
  }
}

class Reader {
  readonly pages: number[] = [];
  readonly ends: ViewEnd[] = [];
  onPage = (page: LogPage) => void this.pages.push(page.firstSeq);
  onEnd = (end: ViewEnd) => void this.ends.push(end);
}

let log: WatchedLog;
let view: SessionView;
let append: (seq: number) => Promise<void>;
beforeEach(async () => {
  log = new WatchedLog();
  const { epoch } = await log.open('s');
  view = new SessionView({ log, sessionId: 's', source: new RecentPages({ log, sessionId: 's' }) });
  append = async (seq) => {
    await log.append({ sessionId: 's', seq, kind: 'event', frames: 'data: 1\n\n' }, { epoch });
    await turn();
  };
});

it('follows the log once for all readers, until the last of them has left', async () => {
  const [one, other] = [new Reader(), new Reader()];
  view.attach(one, 0);
  view.attach(other, 0);
  await append(1);
  view.detach(one);
  view.detach(one);
  await append(2);
  expect([one.pages, other.pages]).toEqual([[1], [1, 2]]);
  expect(log.signals.map((signal) => signal?.aborted)).toEqual([false]);
  expect(view.source.peek(0)).toBeDefined();
  view.detach(other);
  expect(log.signals.map((signal) => signal?.aborted)).toEqual([true]);
  expect(view.source.peek(0)).toBeUndefined();
});

it('delivers new pages once, and no end, to a reader attached right after the last one left', async () => {
  const [leaving, coming, late] = [new Reader(), new Reader(), new Reader()];
  view.attach(leaving, 0);
  view.detach(leaving);
  view.attach(coming, 0);
  await turn();
  view.attach(late, 0);
  await append(1);
  expect([coming.pages, coming.ends, late.pages, leaving.ends]).toEqual([[1], [], [1], []]);
  expect(log.signals).toHaveLength(2);
  view.detach(coming);
  view.detach(late);
});

it('has a page in memory before it delivers it to a reader', async () => {
  const found: (LogPage | undefined)[] = [];
  const reader = new Reader();
  reader.onPage = () => void found.push(view.source.peek(0));
  view.attach(reader, 0);
  await append(1);
  expect(found).toMatchObject([{ firstSeq: 1 }]);
  view.detach(reader);
});

it('reports a failing log to the readers, and follows it again for the next one', async () => {
  const failure = new Error('the disk is gone');
  const follow = log.follow.bind(log);
  log.follow = () => {
    throw failure;
  };
  const reader = new Reader();
  view.attach(reader, 0);
  await turn();
  expect(reader.ends).toEqual([{ failure }]);
  log.follow = follow;
  const next = new Reader();
  view.attach(next, 0);
  await append(1);
  expect(next.pages).toEqual([1]);
  view.detach(reader);
  view.detach(next);
});

it('drops a page that arrives after the last reader has left', async () => {
  const page = createLogPage([{ seq: 1, kind: 'event', frames: 'data: 1\n\n' }]);
  log.follow = async function* () {
    await turn();
    yield page;
  };
  const reader = new Reader();
  view.attach(reader, 0);
  view.detach(reader);
  await turn();
  await turn();
  expect([reader.pages, view.source.peek(0)]).toEqual([[], undefined]);
});
