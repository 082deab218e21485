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

/** How long an embedding model may delay a run; after that, only words are searched. */
const recallTimeoutMs = 10_000;
/** The time limit for embedding one batch of texts. */
const indexingTimeoutMs = 120_000;

/** How a memory is opened. */
export interface MemoryOptions {
  /** The database file, or `:memory:`. */
  readonly path: string;
  readonly clock: Clock;
  readonly randomText: RandomText;
  /** Without one, memory is searched by words only. */
  readonly embedder?: Embedder | undefined;
  readonly limits: MemoryLimits;
  /** Receives failures that nobody awaits. */
  readonly onError: (error: unknown) => void;
}

/** The parts that work on one memory database. */
export interface OpenMemory {
  readonly database: MemoryDatabase;
  readonly skills: Skills;
  readonly insights: Insights;
  readonly resources: ResourceDesk;
  readonly policies: MemoryPolicies;
  readonly runs: RunMemory;
  readonly indexer: VectorIndexer | undefined;
}

/** An orchestrator's memory. Its database is opened on first use. */
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
      // The next call tries to open it again.
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Stores the assets of the run's request, then returns what memory has for its turn. Never fails a run: failures are
   * reported to `onError` and to displays, and the run continues without memory.
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

  /** Stores what the run can add to memory. Never fails a run, like `recall`. */
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

  /** Removes what has expired. An unopened memory without a file is empty. */
  async sweep(): Promise<void> {
    if (this.#closed || (!this.#opening && this.#options.path === ':memory:')) return;
    const { policies } = await this.open();
    await policies.sweep().catch((error: unknown) => {
      // A memory closed meanwhile leaves the rest to the next sweep.
      if (!this.#closed) throw error;
    });
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // A failure to open was already reported to the caller.
    const memory = await this.#opening?.catch(() => undefined);
    await memory?.indexer?.close();
    memory?.database.close();
  }
}

async function openMemory(options: MemoryOptions): Promise<OpenMemory> {
  const { path, clock, randomText, embedder, limits, onError } = options;
  // Loaded late, because an orchestrator without memory should not load `node:sqlite`.
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
