import type { RunStore } from '@svc/contracts/orchestrator';
import type { EmbeddingModel } from 'ai';
import { modelEmbedder } from './vectors/embedder.js';
import { Memory, type MemoryOptions } from './memory.js';

/** How an orchestrator stores and searches memory. */
export interface OrchestratorMemoryOptions {
  /** Also searches memory by meaning; any AI SDK embedding model. @default none: only words are searched */
  embeddingModel?: EmbeddingModel | undefined;
  /** The SQLite file of the memory; `:memory:` keeps it only while the process lives. @default the file of `sqliteRunStore`, else `:memory:` */
  path?: string | undefined;
}

/** Creates the memory of an orchestrator, in the file of its runs if they are in one. Nothing is opened yet. */
export function createMemory(
  { embeddingModel, path }: OrchestratorMemoryOptions,
  { store, ...parts }: Omit<MemoryOptions, 'path' | 'embedder'> & { store: RunStore },
): Memory {
  const embedder = embeddingModel === undefined ? undefined : modelEmbedder(embeddingModel);
  return new Memory({ ...parts, path: path ?? pathOf(store) ?? ':memory:', embedder });
}

/** The file of a store, if it has one. */
function pathOf(store: RunStore): string | undefined {
  return 'path' in store && typeof store.path === 'string' ? store.path : undefined;
}
