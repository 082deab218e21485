import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/program.js';
import { recordingTerminal } from './terminal.js';

async function run(args: string[], environment: Record<string, string> = {}) {
  const recording = recordingTerminal(environment);
  await createProgram(recording.terminal).parseAsync(['node', 'svc', 'keys', ...args]);
  return recording;
}

it('trims the path of the store, and reports what it did', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = join(folder, 'runs.db');
  const created = await run(['create', '--project', 'shop', '--store', ` ${store} `]);
  const environment = { SVC_STORE: ` ${store} ` };
  const [listed = ''] = (await run(['list'], environment)).lines;
  const id = `${listed.split('\t')[0]}`;
  expect(created.errors).toEqual([
    `Key ${id} of project shop. It is shown only once; the store keeps its hash.`,
  ]);
  expect((await run(['revoke', id], environment)).lines).toEqual([`Revoked key ${id}.`]);
  expect((await readdir(folder)).every((name) => name.startsWith('runs.db'))).toBe(true);
});

it('treats a blank variable as unset', async () => {
  await expect(run(['list'], { SVC_STORE: ' ' })).rejects.toThrow('--store <file> or SVC_STORE');
});

it('explains how to create a key when there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = join(folder, 'runs.db');
  const recording = recordingTerminal({ SVC_PORT: '0', SVC_STORE: store });
  const ended = createProgram(recording.terminal).parseAsync(['node', 'svc', 'orchestrator']);
  await Promise.race([recording.written, ended]);
  recording.interrupt();
  await ended;
  const { lines, errors } = await run(['list', '--store', store]);
  expect([lines, errors]).toEqual([
    [],
    [`No keys yet. Create one: svc keys create --project <name> --store ${store}`],
  ]);
});

it('creates no key if it was interrupted before it began', async () => {
  const { terminal, lines, errors, interrupt } = recordingTerminal({ SVC_STORE: ':memory:' });
  interrupt();
  const args = ['node', 'svc', 'keys', 'create', '--project', 'p'];
  await expect(createProgram(terminal).parseAsync(args)).rejects.toBe(terminal.signal.reason);
  expect([lines, errors]).toEqual([[], []]);
});

it('creates no key with an empty organization', async () => {
  const { terminal, lines } = recordingTerminal({ SVC_STORE: ':memory:' });
  const args = ['node', 'svc', 'keys', 'create', '--project', 'p', '--organization', ''];
  await expect(createProgram(terminal).parseAsync(args)).rejects.toThrow(
    'A key has an invalid `organization`',
  );
  expect(lines).toEqual([]);
});
