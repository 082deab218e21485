import { expect, it } from 'vitest';
import { ToolTable } from '../../src/pipeline/tool-table.js';

const call = (rawId: string, status: string, args: object | null = null) => ({
  name: 'search',
  rawId,
  status,
  args,
  agentName: null,
  swarmName: null,
  type: 'func',
  hasOwnId: false,
});

/** Processes an event of a call as a bridge does, and returns its id. */
function take(table: ToolTable, event: ReturnType<typeof call>): string {
  const found = table.find(event);
  const id = found.knownId ?? event.rawId;
  for (const [kind, ...rest] of table.effectsOf(found, id)) {
    if (kind === 'tool_alias') table.addAlias(...(rest as [string, string]));
    if (kind === 'tool_start') table.start(...(rest as [string, string, string | null]));
    if (kind === 'tool_end') table.end(...(rest as [string]));
  }
  return id;
}

it('a call takes no longer while thousands of calls of the same tool are running', () => {
  const begin = (count: number) => {
    const table = new ToolTable();
    for (let i = 0; i < count; i += 1) take(table, call(`c${i}`, 'executing', { i }));
  };
  const cpuOf = (count: number) => {
    const start = process.cpuUsage();
    begin(count);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  // The minimum of three, because a busy machine slows some of them down.
  const leastCpuOf = (count: number) => Math.min(cpuOf(count), cpuOf(count), cpuOf(count));
  begin(1_000);
  // Eight times as many calls would take 64 times the work if each were compared with all others.
  expect(leastCpuOf(8_000)).toBeLessThan(Math.max(leastCpuOf(1_000), 5_000) * 30);
});

it('forgets the oldest of very many calls that never end', () => {
  const table = new ToolTable();
  for (let i = 0; i < 25_000; i += 1) take(table, call(`c${i}`, 'executing', { i }));
  const started = Array.from(table.snapshot()).filter(([kind]) => kind === 'tool_start');
  expect(started.length).toBeLessThanOrEqual(10_000);
  expect(started.at(-1)?.[1]).toBe('c24999');
  expect(take(table, call('again', 'executing', { i: 24_999 }))).toBe('c24999');
  expect(take(table, call('first', 'executing', { i: 0 }))).toBe('first');
});
