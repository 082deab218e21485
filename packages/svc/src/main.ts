#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' };
import { explainOldNode } from './old-node.js';
import { stopOnSignals } from './stop-on-signals.js';

const problem = explainOldNode(process.versions.node, manifest.engines.node);
if (problem === undefined) {
  // Before the rest is loaded, which takes a while: the first process of a container ignores signals without a listener.
  const stop = stopOnSignals();
  // Only now: on an older Node the command's dependencies fail as soon as they are loaded.
  const { run } = await import('./run.js');
  // Node reports a signal in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  await run(stop);
} else {
  process.stderr.write(`svc: ${problem}\n`);
  process.exitCode = 1;
}
