import { defineConfig } from 'tsup';

/** JavaScript only: TypeScript 7 has no compiler API for bundled declarations, so `tsc` emits them. */
export function library(entry: Record<string, string>, platform: 'node' | 'neutral' = 'node') {
  return defineConfig({
    entry,
    format: ['esm'],
    platform,
    target: 'es2023',
    outDir: 'dist',
    splitting: true,
    sourcemap: true,
    clean: true,
    // `node:sqlite` exists only under that name.
    removeNodeProtocol: false,
    dts: false,
  });
}
