import { transform } from 'esbuild';
import type { Plugin } from 'vitest/config';

/** Vitest's transformer keeps TC39 decorators, which Node cannot parse, so esbuild lowers them first. */
export function lowerDecorators(): Plugin {
  return {
    name: 'svc:lower-decorators',
    enforce: 'pre',
    async transform(code, id) {
      if (id.includes('node_modules') || !/\.tsx?$/.test(id) || !/^\s*@[\w.]+/m.test(code)) return null;
      const result = await transform(code, {
        loader: id.endsWith('x') ? 'tsx' : 'ts',
        target: 'es2022',
        sourcefile: id,
        sourcemap: true,
      });
      return { code: result.code, map: result.map };
    },
  };
}

/** The export condition that resolves workspace packages to their sources, so that tests need no build. */
export const sourceCondition = '@svc/source';
