import type { RunStore } from '@svc/contracts/orchestrator';
import type { EmbeddingModel } from 'ai';
import type { Clock } from '../clock.js';
import type { RandomText } from '../random-text.js';
import { modelEmbedder } from './embedder.js';
import type { MemoryLimits } from './memory-limits.js';
import { Memory } from './memory.js';

/** How an orchestrator remembers. */
export interface OrchestratorMemoryOptions {
  /** Finds what is remembered by meaning too. Any AI SDK embedding model. @default by words alone */
  embeddingModel?: EmbeddingModel | undefined;
  /** The file memory is kept in; `:memory:` forgets with the process. @default the file of `sqliteRunStore`, else `:memory:` */
  path?: string | undefined;
}

/** The memory of an orchestrator, beside its runs if they are in a file. */
export function openMemory(
  { embeddingModel, path }: OrchestratorMemoryOptions,
  {
    store,
    clock,
    randomText,
    limits,
    onError,
  }: {
    store: RunStore;
    clock: Clock;
    randomText: RandomText;
    limits: MemoryLimits;
    onError: (error: unknown) => void;
  },
): Memory {
  return new Memory({
    path: path ?? pathOf(store) ?? ':memory:',
    clock,
    randomText,
    ...(embeddingModel === undefined ? {} : { embedder: modelEmbedder(embeddingModel) }),
    limits,
    onError,
  });
}

/** The file of a store that has one. */
function pathOf(store: RunStore): string | undefined {
  return 'path' in store && typeof store.path === 'string' ? store.path : undefined;
}
