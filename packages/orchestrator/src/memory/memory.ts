import type { Clock } from '../clock.js';
import type { RandomText } from '../random-text.js';
import { withTimeLimit, type Embedder } from './vectors/embedder.js';
import { Insights } from './knowledge/insights.js';
import type { MemoryLimits } from './keeping/memory-limits.js';
import type { OnMemoryPhase } from './runs/memory-phase.js';
import { MemoryPolicies } from './keeping/memory-policies.js';
import type { MemorySubject } from './runs/memory-subject.js';
import type { MemoryWriter } from './keeping/memory-writer.js';
import type { RecalledItem } from '../planning/plan-context.js';
import type { RunOutcome } from './runs/remember.js';
import { ResourceDesk } from './resources/resource-desk.js';
import { Resources } from './resources/resources.js';
import { RunMemory } from './runs/run-memory.js';
import { Skills } from './knowledge/skills.js';
import { memoryClosed } from '../store/errors.js';
import type { MemoryDatabase } from './sqlite/memory-database.js';
import { VectorIndexer } from './vectors/vector-indexer.js';

/** The longest an embedding model may keep a run waiting; after that words alone have to do. */
const recallTimeoutMs = 10_000;
/** The longest it may take for the texts of one batch. */
const indexingTimeoutMs = 120_000;

/** How a memory is opened. */
export interface MemoryOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly clock: Clock;
  readonly randomText: RandomText;
  /** Without one, memory is searched by words alone. */
  readonly embedder?: Embedder | undefined;
  readonly limits: MemoryLimits;
  /** Told of failures nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** Everything that works on one database of memory. */
export interface OpenMemory {
  readonly database: MemoryDatabase;
  readonly skills: Skills;
  readonly insights: Insights;
  readonly resources: ResourceDesk;
  readonly policies: MemoryPolicies;
  readonly runs: RunMemory;
  readonly indexer: VectorIndexer | undefined;
}

/** What an orchestrator remembers. Its database is opened when it is first used. */
export class Memory {
  readonly #options: MemoryOptions;
  #opening: Promise<OpenMemory> | undefined;
  #closed = false;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  open(): Promise<OpenMemory> {
    if (this.#closed) return Promise.reject(memoryClosed());
    this.#opening ??= openMemory(this.#options).catch((error: unknown) => {
      // The next one who asks may have more luck.
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * What memory holds for a run's turn, after what the run brings has been stored. It never fails a run: what goes
   * wrong is told to `onError` and to displays, and the run goes on without.
   */
  async recall(
    subject: MemorySubject,
    { signal, onPhase }: { signal: AbortSignal; onPhase: OnMemoryPhase },
  ): Promise<readonly RecalledItem[]> {
    try {
      return await (await this.open()).runs.recall(subject, { signal, onPhase });
    } catch (error) {
      if (signal.aborted) return [];
      this.#options.onError(error);
      const memory = { mode: 'retrieve', status: 'error', hit_count: 0 };
      await onPhase({ phase: 'memory_retrieved', message: 'Memory could not be read', memory });
      return [];
    }
  }

  /** Stores what a run can say of itself. It never fails a run, as `recall`. */
  async remember(
    subject: MemorySubject,
    outcome: RunOutcome,
    { onPhase }: { onPhase: OnMemoryPhase },
  ): Promise<void> {
    try {
      await (await this.open()).runs.remember(subject, outcome, { onPhase });
    } catch (error) {
      this.#options.onError(error);
      const memory = { mode: 'index', status: 'error' };
      await onPhase({ phase: 'memory_indexed', message: 'The run could not be stored in memory', memory });
    }
  }

  /** Removes what has expired. What was never opened and is in no file holds nothing. */
  async sweep(): Promise<void> {
    if (this.#closed || (!this.#opening && this.#options.path === ':memory:')) return;
    const { policies } = await this.open();
    await policies.sweep().catch((error: unknown) => {
      // What a memory that was closed meanwhile still holds, the next one sweeps.
      if (!this.#closed) throw error;
    });
  }

  /** Closing twice is fine. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // A memory that failed to open has told whoever opened it.
    const memory = await this.#opening?.catch(() => undefined);
    await memory?.indexer?.close();
    memory?.database.close();
  }
}

async function openMemory(options: MemoryOptions): Promise<OpenMemory> {
  const { path, clock, randomText, embedder, limits, onError } = options;
  // Loaded late: `node:sqlite` is nothing for an orchestrator that never remembers.
  const { MemoryDatabase } = await import('./sqlite/memory-database.js');
  const database = new MemoryDatabase(path);
  const within = (timeoutMs: number) => embedder && withTimeLimit(embedder, { clock, timeoutMs });
  const background = within(indexingTimeoutMs);
  const indexer = background && new VectorIndexer({ database, embedder: background, onError });
  const writer: MemoryWriter = { database, clock, randomText, limits, onWritten: () => indexer?.wake() };
  const [skills, insights, resources] = [new Skills(writer), new Insights(writer), new Resources(writer)];
  const embedding = within(recallTimeoutMs);
  indexer?.wake();
  return {
    database,
    skills,
    insights,
    resources: new ResourceDesk(writer, resources),
    policies: new MemoryPolicies(writer),
    runs: new RunMemory({ writer, skills, insights, resources, embedder: embedding, onError }),
    indexer,
  };
}
