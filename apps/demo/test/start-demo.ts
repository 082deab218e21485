import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offlinePlanner } from '@svc/orchestrator';
import { createDemo, type DemoOptions } from '../src/create-demo.js';
import { git, temporaryFolder } from './folder/temporary-folder.js';

const lines = (count: number) => `${'a line\n'.repeat(count)}`;

/** Starts the demo on a checkout with known numbers. */
export async function startDemo(options: Partial<DemoOptions> = {}) {
  const folder = await temporaryFolder({
    'README.md': `${lines(41)}stream_gap is an event\n`,
    'docs/guide.md': 'One.\nThe stream_gap notice.\n',
    'src/largest.ts': 'x'.repeat(9000),
    'src/second.ts': 'x'.repeat(8000),
    'src/third.ts': 'x'.repeat(7000),
    'src/fourth.ts': 'x'.repeat(6000),
    'src/fifth.ts': 'x'.repeat(5000),
    'src/sixth.ts': 'stream_gap',
    '.env': 'SECRET=canary-in-dot-env\n',
  });
  git(folder.root, 'init', '-q');
  for (const [index, subject] of [
    'begin the project',
    'teach it to count',
    'repair the counter',
    'write the guide',
  ].entries()) {
    await writeFile(join(folder.root, 'src/sixth.ts'), `stream_gap ${index}`);
    git(folder.root, 'add', '.');
    git(folder.root, 'commit', '-q', '-m', subject);
  }
  const demo = await createDemo({
    host: '127.0.0.1',
    port: 0,
    root: folder.root,
    reportsFolder: `${folder.root}/reports`,
    planner: offlinePlanner(),
    ...options,
  });
  const dispose = async () => {
    await demo.close();
    await folder[Symbol.asyncDispose]();
  };
  return { url: demo.url, root: folder.root, [Symbol.asyncDispose]: dispose };
}
