import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modelFromEnvironment, modelPlanner, offlinePlanner } from '@svc/orchestrator';
import { createDemo } from './create-demo.js';
import { readEnvironment } from './environment.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  const environment = readEnvironment(process.env, here('../../..'));
  const model = await modelFromEnvironment(process.env);
  const pageFolder = here('./page');
  if (!existsSync(pageFolder))
    throw new Error('The page is not built; start the demo with the command in the README.');
  const demo = await createDemo({
    ...environment,
    pageFolder,
    planner: model ? modelPlanner({ model }) : offlinePlanner(),
  });
  console.log(`Demo ready: ${demo.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo.close());
}

main().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE';
  console.error(
    taken ? `Port ${process.env['PORT'] || 3000} is in use; choose another one: PORT=3001` : error.message,
  );
  process.exitCode = 1;
});
