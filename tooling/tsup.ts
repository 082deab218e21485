import { defineConfig } from 'tsup';

/** JavaScript only: TypeScript 7 has no compiler API for bundled declarations, so `tsc` emits them. */
const javascript = {
  format: ['esm' as const],
  target: 'es2023',
  outDir: 'dist',
  sourcemap: true,
  clean: true,
  dts: false,
};

/** The package's entries as bundles. */
export function library(entry: Record<string, string>, platform: 'node' | 'neutral' = 'node') {
  return defineConfig({
    ...javascript,
    entry,
    platform,
    splitting: true,
    // `node:sqlite` exists only under that name.
    removeNodeProtocol: false,
  });
}

/** Every module as a file of its own, for pages: their bundler can inline constants, which a bundle turns into variables. */
export function modules() {
  return defineConfig({ ...javascript, entry: ['src/**/*'], platform: 'neutral', bundle: false });
}
