import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';
import { lowerDecorators, sourceCondition } from './vitest.ts';

/** Returns the test settings of every package. `tsc` checks type tests (`*.test-d.ts`) with the sources. */
export function project(name: string, include: string[] = ['test/**/*.test.{ts,tsx}']) {
  return defineProject({
    plugins: [lowerDecorators()],
    resolve: { conditions: [sourceCondition, 'node', 'import', 'module', 'default'] },
    ssr: { resolve: { conditions: [sourceCondition, 'node', 'import', 'module', 'default'] } },
    test: {
      name,
      include,
      setupFiles: [fileURLToPath(new URL('property-tests.ts', import.meta.url))],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // Costs nothing when a condition becomes true quickly; a busy machine may need long.
      expect: { poll: { timeout: 30_000 } },
      server: { deps: { inline: [/@svc\//] } },
    },
  });
}
