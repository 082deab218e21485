import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../tooling/bundle-program.ts';
import { cleanResult } from '../src/ingress/session-values.js';
import { DoomedServer } from './support/doomed-server.js';
import type { LockstepDeath } from './support/lockstep-store.js';
import { runPatiently, type PatientOutcome, type PatientRun } from './support/patient-client.js';
import { startRequests } from './support/read-vectors.js';
import { needs, request, toolSpec } from './support/requests.js';

// These are real processes, killed with SIGKILL; `sessions/crash.test.ts` simulates crashes.

let program: Awaited<ReturnType<typeof bundleProgram>>;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('support/programs/doomed-server.ts', import.meta.url));
  folder = await mkdtemp(join(tmpdir(), 'svc-crash-'));
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true });
});

/** Threads and memory belong to a project, so each round of runs has projects of its own. */
const projectsOf = (round: number) => ({ names: `names-${round}`, values: `values-${round}` });
const maxRounds = 100;
const keyOf = (project: string) => `key-of-${project}`;
const keys = Array.from({ length: maxRounds }, (_, round) => Object.values(projectsOf(round)))
  .flat()
  .map((project) => ({ key: keyOf(project), project }));

function openServer(name: string, deathOf?: (life: number) => LockstepDeath): DoomedServer {
  const path = join(folder, `${name}.db`);
  const server = new DoomedServer({ program: program.file, path, keys, ...(deathOf ? { deathOf } : {}) });
  onTestFinished(() => server.stop());
  return server;
}

interface Run {
  readonly name: string;
  readonly body: object;
  /** Whether private data is sent by name only, or with its values, as original clients do. */
  readonly sends: 'names' | 'values';
}

const text = { type: 'string' };
const tools = [toolSpec('fetch', { id: text }), toolSpec('charge', { order: needs('fetch'), note: text })];
/** Two calls, one depending on the other, and a question: a case that no recorded request covers. */
const charge: Run = { name: 'charge', body: { state: request('charge', tools) }, sends: 'names' };

/** All distinct recorded requests. One that sends private values is included again with only their names. */
const recorded = [
  ...new Map(startRequests().map((each) => [JSON.stringify(each.body), each])).values(),
].flatMap(({ name, body }): Run[] => {
  const { private_data: values, ...state } = Object(body['state']);
  if (values === undefined) return [{ name, body, sends: 'names' }];
  const private_data_schema = Object.keys(values).map((data_key) => ({ data_key }));
  return [
    { name, body, sends: 'values' },
    { name: `${name}, by name`, body: { ...body, state: { ...state, private_data_schema } }, sends: 'names' },
  ];
});

/** Runs all of them concurrently, each to its end. */
function runAll(
  server: DoomedServer,
  {
    runs,
    round,
    ...how
  }: { runs: readonly Run[]; round: number } & Pick<PatientRun, 'outcomeOf' | 'onEvent'>,
): Promise<PatientOutcome[]> {
  const url = () => server.url();
  const projects = projectsOf(round);
  return Promise.all(
    runs.map(({ body, sends }) => runPatiently({ url, key: keyOf(projects[sends]), body, ...how })),
  );
}

const good = { status: 'ok', result: { ok: true } } as const;
/** What replaces a result once the orchestrator no longer knows the private values. */
const { tool_event_id: _id, ...withheld } = cleanResult({ tool_event_id: '', ...good }, 'gone');

it('completes recorded runs as if undisturbed when it is killed before or after any of their writes', async () => {
  const runs = [...recorded, charge];
  const calm = openServer('calm');
  const undisturbed = await runAll(calm, { runs, round: 0 });
  // Private values are lost with the process: results posted afterwards are withheld.
  const withheldFrom = (first: number) => (nth: number) => (nth < first ? good : withheld);
  const orWithheld = [
    await runAll(calm, { runs, round: 1, outcomeOf: withheldFrom(0) }),
    await runAll(calm, { runs, round: 2, outcomeOf: withheldFrom(1) }),
  ];
  const deathOf = (life: number): LockstepDeath => ({
    projects: Object.values(projectsOf(life)),
    runs: runs.length,
    atWrite: 1 + Math.floor(life / 2),
    moment: life % 2 === 0 ? 'before' : 'after',
  });
  const doomed = openServer('doomed', deathOf);
  // Each process finishes the round in which its predecessor died and dies in the next; the last one survives.
  for (let round = 0; doomed.deaths === round; round += 1) {
    const outcomes = await runAll(doomed, { runs, round });
    const { atWrite, moment } = deathOf(round);
    for (const [index, { name, sends }] of runs.entries()) {
      const outcome = outcomes[index];
      const allowed = sends === 'values' ? orWithheld.map((each) => each[index]) : [];
      const expected = allowed.find((each) => isDeepStrictEqual(each, outcome)) ?? undisturbed[index];
      expect(outcome, `${name}, killed ${moment} write ${atWrite}`).toEqual(expected);
    }
  }
  // Two deaths for each write, and the longest run has more than 15.
  expect(doomed.deaths).toBeGreaterThan(2 * 15);
  expect(doomed.deaths % 2).toBe(0);
}, 900_000);

it('completes 20 concurrent runs although it is killed three times', async () => {
  const server = openServer('many');
  let seen = 0;
  let next = 40;
  const onEvent = () => {
    seen += 1;
    if (seen >= next && server.deaths < 3 && server.kill()) next = seen + 40;
  };
  const runs = Array.from({ length: 20 }, () => charge);
  const outcomes = await runAll(server, { runs, round: 0, onEvent });
  for (const { final, ran } of outcomes) {
    expect(final).toMatchObject({ status: 'completed' });
    expect(ran).toEqual([expect.stringMatching(/^fetch/), expect.stringMatching(/^charge/)]);
  }
  expect(server.deaths).toBe(3);
}, 300_000);
