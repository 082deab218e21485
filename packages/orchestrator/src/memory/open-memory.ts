import type { RunStore } from '@svc/contracts/orchestrator';
import type { EmbeddingModel } from 'ai';
import { modelEmbedder } from './vectors/embedder.js';
import { Memory, type MemoryOptions } from './memory.js';

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
  { store, ...parts }: Omit<MemoryOptions, 'path' | 'embedder'> & { store: RunStore },
): Memory {
  const embedder = embeddingModel === undefined ? undefined : modelEmbedder(embeddingModel);
  return new Memory({ ...parts, path: path ?? pathOf(store) ?? ':memory:', embedder });
}

/** The file of a store that has one. */
function pathOf(store: RunStore): string | undefined {
  return 'path' in store && typeof store.path === 'string' ? store.path : undefined;
}
