import { onTestFinished } from 'vitest';

/** Returns the errors that are uncaught from now on, which then do not fail the test. */
export function uncaughtErrors(): unknown[] {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.on('uncaughtException', (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const each of others) process.on('uncaughtException', each);
  });
  return uncaught;
}
