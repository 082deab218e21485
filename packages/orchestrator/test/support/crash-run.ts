import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import type { Planner } from '../../src/planning/planner.js';
import { decodeEvent } from '../../src/sessions/record/decode-record.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { comparable } from './comparable.js';
import { ManualClock } from './manual-clock.js';
import { MemoryBench } from './memory-bench.js';
import { mortalStore, type Death } from './mortal-store.js';
import { SessionBench, type BenchEvent } from './session-bench.js';

/** A run, and how its client answers. */
export interface Scenario {
  readonly name: string;
  readonly request: object;
  readonly planner: () => Planner;
  /** By tool name; a returned `Error` fails the call. */
  readonly tools: Record<string, (args: Record<string, unknown>) => unknown>;
  /** By data key. */
  readonly answers?: Record<string, unknown>;
}

/** The outcome of a run as its client sees it, and what the run took. */
export interface CrashOutcome {
  readonly final: unknown;
  readonly events: string[];
  readonly ran: string[];
  readonly turns: number;
  readonly writes: number;
  readonly lives: number;
}

const sessionId = 'sess_crash';

/** Runs a scenario in as many processes as it takes: the first dies as `death` says, its successors continue. */
export async function crashRun(scenario: Scenario, death?: Death): Promise<CrashOutcome> {
  const store = new MemoryRunStore();
  const clock = new ManualClock();
  const { memory } = new MemoryBench({ clock });
  const client = new Client(scenario);
  let writes = 0;
  let life = 0;
  while (!client.final) {
    life += 1;
    const mortal = mortalStore(store, life === 1 ? death : undefined);
    const bench = new SessionBench({
      planner: scenario.planner(),
      store: mortal.store,
      clock,
      memory,
      owner: `${life}`,
      isMortal: true,
    });
    const started = startOrRecover(bench, life, scenario);
    await Promise.race([started, mortal.died]);
    if (!mortal.isDead()) await Promise.race([client.live(bench, mortal.end), mortal.died]);
    writes = mortal.writes();
    if (!client.final && !mortal.isDead()) throw new Error('The run is stuck.');
    // The successor has another name, as a replica would, so it waits until the lease expires.
    clock.advance(20_000);
  }
  const turns = await store.listDocuments({
    projectId: 'p',
    collection: 'thread:t',
    nowMs: clock.nowMs(),
    limit: 9,
  });
  return {
    final: comparable(client.final),
    events: client.events(),
    ran: client.ran.toSorted(),
    turns: turns.length,
    writes,
    lives: life,
  };
}

async function startOrRecover(bench: SessionBench, life: number, { request }: Scenario): Promise<void> {
  await bench.manager.open();
  // A client whose start request was not answered sends it again; the run may exist already.
  if (life > 1 && (await bench.store.readRun(sessionId))) return;
  const run = { sessionId, projectId: 'p', keyId: 'k', threadId: 't', labels: {} };
  await bench.manager.start(run, SessionRequestSchema.parse(request));
}

/** A client that outlives the processes and remembers what it has seen, run and posted. */
class Client {
  readonly ran: string[] = [];
  readonly #seen = new Map<number, BenchEvent>();
  readonly #results = new Map<string, unknown>();
  readonly #posted = new Set<string>();
  readonly #scenario: Scenario;
  final: BenchEvent['payload'];

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  async live(bench: SessionBench, signal: AbortSignal): Promise<void> {
    await this.#postAgain(bench);
    const afterSeq = Math.max(0, ...this.#seen.keys());
    for await (const batch of bench.store.follow(sessionId, { afterSeq, signal })) {
      for (const record of batch) {
        const event = decodeEvent(sessionId, record);
        if (!event) continue;
        this.#seen.set(event.seq, event.data);
        await this.#react(event.data, bench);
      }
    }
  }

  /** The events, without what depends on timing or chance. */
  events(): string[] {
    return [...this.#seen.values()].flatMap(({ name, payload }) => {
      if (payload.streaming_content !== undefined) return [];
      return [JSON.stringify([name, comparable(payload)])];
    });
  }

  async #react({ name, payload }: BenchEvent, bench: SessionBench): Promise<void> {
    if (name === 'final') this.final = payload;
    if (name === 'interrupt_required') {
      const value = this.#scenario.answers?.[payload.data_key];
      await bench.answer(payload.checkpoint_id, { [payload.data_key]: value });
    }
    if (name !== 'tool_event' || this.#results.has(payload.id)) return;
    const { tool_name, args } = payload.value.tool_call;
    this.ran.push(`${tool_name} ${JSON.stringify(args)}`);
    this.#results.set(payload.id, this.#scenario.tools[tool_name]?.(args));
    await this.#post(payload.id, bench);
  }

  async #postAgain(bench: SessionBench): Promise<void> {
    for (const id of this.#results.keys()) if (!this.#posted.has(id)) await this.#post(id, bench);
    for (const { name, payload } of this.#seen.values()) {
      if (name !== 'interrupt_required') continue;
      const value = this.#scenario.answers?.[payload.data_key];
      await bench.answer(payload.checkpoint_id, { [payload.data_key]: value });
    }
  }

  async #post(id: string, bench: SessionBench): Promise<void> {
    const result = this.#results.get(id);
    if (result instanceof Error) await bench.postError(sessionId, id, { code: 'E', message: result.message });
    else await bench.post(sessionId, id, result);
    this.#posted.add(id);
  }
}
