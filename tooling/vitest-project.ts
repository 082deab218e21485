import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';
import { lowerDecorators, sourceCondition } from './vitest.ts';

/** The settings every package's tests run with. Type tests (`*.test-d.ts`) are checked by `tsc`, with the sources. */
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
      // A condition that comes true is seen at once; a machine that is busy may take long to make it true.
      expect: { poll: { timeout: 30_000 } },
      server: { deps: { inline: [/@svc\//] } },
    },
  });
}
