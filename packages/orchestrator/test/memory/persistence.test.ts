import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { caller, failed, MemoryBench } from '../support/memory-bench.js';
import { newFolder } from '../support/new-folder.js';

/** Removes what older releases did not have. */
const downgrade = `DROP TRIGGER memory_asset_added; DROP TRIGGER memory_asset_removed;
  DROP TRIGGER memory_blob_added; DROP TRIGGER memory_blob_removed; DROP TABLE memory_usage;
  DROP INDEX memory_assets_retained; DROP INDEX memory_assets_shared;
  DROP INDEX memory_passages_of_project; ALTER TABLE memory_passages DROP COLUMN project_id`;

it('recalls what an earlier process stored, within the same scopes', async () => {
  const path = join(await newFolder(), 'memory.db');
  const run = { thread: 't', swarm: 'w' };
  const first = new MemoryBench({ path });
  await first.recall('x', run, {
    memory_assets_config: { defined_skills: [{ name: 'Zebra', sharing_scope: 'swarm' }] },
  });
  const ended = { answer: 'yes', calls: [failed('zebra')] };
  const phases = await first.remember('a zebra', { ...run, session: 's' }, ended);
  await first.memory.close();
  const second = new MemoryBench({ path, clock: first.clock });
  const kinds = async (reader: object) =>
    (await second.recall('zebra', reader)).items.map(({ kind }) => kind).toSorted();
  expect(await kinds(run)).toEqual(['insight', 'skill', 'summary']);
  expect(await kinds({ agent: 'b', swarm: 'w' })).toEqual(['skill']);
  expect(await kinds({ ...run, project: 'q' })).toEqual([]);
  // What the run stored is known too, so a process that repeats the work reports the same phases.
  expect(phases).not.toEqual([]);
  expect(await second.remember('a zebra', { ...run, session: 's' }, ended)).toEqual(phases);
});

it('does nothing in a sweep after it is closed, and lets a run continue without it', async () => {
  const bench = new MemoryBench({ path: join(await newFolder(), 'memory.db') });
  await bench.memory.open();
  await bench.memory.close();
  await bench.memory.sweep();
  const phases: unknown[] = [];
  const onPhase = async (phase: unknown) => void phases.push(phase);
  const recall = (signal: AbortSignal) => bench.memory.recall(bench.subject('x'), { signal, onPhase });
  expect(await recall(AbortSignal.abort())).toEqual([]);
  expect([phases, bench.errors]).toEqual([[], []]);
  expect(await recall(new AbortController().signal)).toEqual([]);
  await bench.memory.remember(bench.subject('x'), { isCompleted: true, asked: 'x', calls: [] }, { onPhase });
  expect(phases).toMatchObject([
    { phase: 'memory_retrieved', memory: { mode: 'retrieve', status: 'error', hit_count: 0 } },
    { phase: 'memory_indexed', memory: { mode: 'index', status: 'error' } },
  ]);
  expect(bench.errors).toHaveLength(2);
});

it('knows for sixty days that it has stored a run', async () => {
  const bench = new MemoryBench();
  const { policies, database } = await bench.memory.open();
  await bench.remember('x', { session: 's' }, { calls: [failed('zebra')] });
  bench.clock.advance(60 * 86_400_000 - 1);
  await policies.sweep();
  expect(database.runs.read('s')).toHaveLength(1);
  bench.clock.advance(1);
  await policies.sweep();
  expect(database.runs.read('s')).toBeUndefined();
});

it('opens a file of version 1 with its records', async () => {
  const path = join(await newFolder(), 'memory.db');
  const bench = new MemoryBench({ path });
  await bench.remember('x', { session: 's' }, { calls: [failed('zebra')] });
  await bench.memory.close();
  const database = new DatabaseSync(path);
  database.exec(
    `${downgrade}; ALTER TABLE memory_runs DROP COLUMN assets; UPDATE memory_version SET version = 1`,
  );
  database.close();
  const next = new MemoryBench({ path, clock: bench.clock });
  expect(await next.remember('x', { session: 's' }, { calls: [failed('zebra')] })).toEqual([]);
  expect((await next.recall('zebra')).items).toHaveLength(1);
});

it('recognizes the skills in a file of version 2', async () => {
  const path = join(await newFolder(), 'memory.db');
  const named = { name: 'Zebra', sharing_scope: 'agent' as const };
  const request = {
    memory_assets_config: { defined_skills: [named, { ...named, skill_id: 'z' }] },
    memory_config: { skill_extraction: { enabled: true } },
  };
  const calls = [{ toolName: 'find' }, { toolName: 'refund' }];
  const skillsAfterRun = async (bench: MemoryBench, session: string) => {
    await bench.recall('zebra', {}, request);
    await bench.remember('x', { session }, { calls, request });
    const { skills } = await bench.memory.open();
    return skills.list(caller(), { limit: 10, offset: 0 }).map(({ id }) => id);
  };
  const bench = new MemoryBench({ path });
  const before = await skillsAfterRun(bench, 'first');
  await bench.memory.close();
  const database = new DatabaseSync(path);
  database.exec(`${downgrade};
    UPDATE memory_assets SET lineage = replace(replace(lineage, 'id:', ''), 'name:', '');
    UPDATE memory_version SET version = 2
  `);
  database.close();
  expect(before).toHaveLength(3);
  const next = new MemoryBench({ path, clock: bench.clock });
  expect(await skillsAfterRun(next, 'second')).toEqual(before);
  expect(next.errors).toEqual([]);
});

it('counts the records in a file of version 3', async () => {
  const path = join(await newFolder(), 'memory.db');
  const bench = new MemoryBench({ path });
  const { insights, resources } = await bench.memory.open();
  await insights.create(caller(), { content: 'one' });
  await resources.create(caller(), { name: 'two', text_content: 'zebra' });
  await resources.create(caller('q'), { name: 'two', text_content: 'zebras' });
  await bench.memory.close();
  const database = new DatabaseSync(path);
  database.exec(`${downgrade}; UPDATE memory_version SET version = 3`);
  database.close();
  const next = await new MemoryBench({ path, clock: bench.clock }).memory.open();
  await next.resources.create(caller(), { name: 'three', text_content: 'a zebra' });
  expect(next.database.assets.usage('p')).toEqual({ records: 3, bytes: 12 });
  expect(next.database.assets.usage('q')).toEqual({ records: 1, bytes: 6 });
  await next.policies.purge(caller(), { confirmToken: 'PURGE_MEMORY' });
  expect(next.database.assets.usage('p')).toEqual({ records: 0, bytes: 0 });
  expect(next.database.assets.usage('q')).toEqual({ records: 1, bytes: 6 });
});

it('leaves nothing of what is purged in the file', async () => {
  const path = join(await newFolder(), 'memory.db');
  const bench = new MemoryBench({ path });
  const { insights, resources, policies } = await bench.memory.open();
  await resources.create(caller('q'), { name: 'kept', text_content: 'okapi' });
  await insights.create(caller(), { content: 'the secretword of an insight' });
  await resources.create(caller(), { name: 'two', text_content: 'a secretword '.repeat(2000) });
  await bench.remember('secretword', { thread: 't' }, { answer: 'secretword' });
  await policies.purge(caller(), { confirmToken: 'PURGE_MEMORY' });
  // At once, also in the write-ahead log beside the file: a process may stay open, and write little, for months.
  const log = await readFile(`${path}-wal`);
  expect(log.includes('secretword')).toBe(false);
  const bytes = await readFile(path);
  expect(bytes.includes('okapi')).toBe(true);
  expect(bytes.includes('secretword')).toBe(false);
  await bench.memory.close();
});

it('leaves what is purged in the log beside the file only while another process reads it', async () => {
  const path = join(await newFolder(), 'memory.db');
  const bench = new MemoryBench({ path });
  const { insights, policies } = await bench.memory.open();
  await insights.create(caller(), { content: 'the secretword of an insight' });
  const backup = new DatabaseSync(path);
  backup.exec('BEGIN; SELECT count(*) FROM memory_assets');
  await policies.purge(caller(), { confirmToken: 'PURGE_MEMORY' });
  expect((await readFile(`${path}-wal`)).includes('secretword')).toBe(true);
  backup.close();
  await policies.sweep();
  expect((await readFile(`${path}-wal`)).includes('secretword')).toBe(false);
  await bench.memory.close();
});

it('refuses a file of a newer release and says how to fix it', async () => {
  const path = join(await newFolder(), 'memory.db');
  const bench = new MemoryBench({ path });
  await bench.memory.open();
  await bench.memory.close();
  const database = new DatabaseSync(path);
  database.exec('UPDATE memory_version SET version = 99');
  database.close();
  await expect(new MemoryBench({ path }).memory.open()).rejects.toThrow(
    /version 99.*Update @svc\/orchestrator/,
  );
});

it('retries a file that could not be opened, and can be closed twice', async () => {
  const folder = join(await newFolder(), 'missing');
  const path = join(folder, 'memory.db');
  const bench = new MemoryBench({ path });
  const { items, phases } = await bench.memory
    .recall(bench.subject('x'), { signal: new AbortController().signal, onPhase: async () => undefined })
    .then((found) => ({ items: found, phases: bench.errors.length }));
  expect({ items, phases }).toEqual({ items: [], phases: 1 });
  await mkdir(folder);
  await bench.memory.open();
  await bench.memory.close();
  await bench.memory.close();
  await expect(bench.memory.open()).rejects.toThrow('closed');
});
