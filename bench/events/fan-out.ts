import { MemoryEventLog } from '@svc/events';
import type { EventReader } from '@svc/events';
import { bareFrame, nextTurn, of, openBridge, poolOf } from './bridge-events.ts';
import { measureAsync } from './measure-async.ts';
import type { AsyncCase } from './measure-async.ts';
import { table } from './measure.ts';

let used = 0;

/** Takes everything a reader has, as a socket would. */
function drain(reader: EventReader): void {
  const take = () => {
    for (let bytes = reader.read(); bytes !== undefined; bytes = reader.read()) used += bytes.length;
  };
  reader.onReadable(take);
  take();
}

/** Measures one delivery in this process, including its share of emitting, against handing out bytes made once. */
export async function benchFanOut(): Promise<string> {
  const shapes = [
    { sessions: 1, readers: 1, burst: 1 },
    { sessions: 1, readers: 100, burst: 1 },
    { sessions: 1, readers: 1000, burst: 1 },
    { sessions: 1, readers: 100, burst: 16 },
    { sessions: 1000, readers: 1, burst: 1 },
  ];
  const tables: string[] = [];
  for (const shape of shapes) tables.push(await benchShape(shape));
  return tables.join('\n');
}

interface Shape {
  readonly sessions: number;
  readonly readers: number;
  readonly burst: number;
}

async function benchShape({ sessions, readers, burst }: Shape): Promise<string> {
  const pool = poolOf('small');
  const log = new MemoryEventLog({ maxSessions: sessions + 1 });
  const bridges = await Promise.all(
    Array.from({ length: sessions }, (_, at) => openBridge({ log, maxHistory: 500 }, `s${at}`)),
  );
  for (const bridge of bridges) for (let at = 0; at < readers; at += 1) drain(await bridge.openReader());
  const count = Math.max(20_000, 40 * sessions * readers);
  const turns = Math.ceil(count / (sessions * readers * burst));
  const inTurns = (emit: (at: number, session: number) => void): AsyncCase => ({
    count: turns * sessions * readers * burst,
    async run() {
      for (let turn = 0; turn < turns; turn += 1) {
        for (let at = 0; at < burst; at += 1) for (let s = 0; s < sessions; s += 1) emit(turn + at, s);
        await nextTurn();
      }
      await nextTurn();
    },
  });
  const base = 'stringify + frame + Buffer once, handed to each';
  const costs = await measureAsync(
    {
      [base]: inTurns((at) => {
        const bytes = bareFrame(at, of(pool, at));
        for (let reader = 0; reader < readers; reader += 1) used += bytes.length;
      }),
      'bridge: emit to read': inTurns((at, session) => {
        const { type, data } = of(pool, at);
        void bridges[session]?.emit(type, data);
      }),
    },
    base,
  );
  await Promise.all(bridges.map((bridge) => bridge.close()));
  return table(`${sessions} session(s) x ${readers} reader(s), burst ${burst}: one delivery`, costs);
}
