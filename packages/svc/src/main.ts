#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' };
import { explainOldNode } from './old-node.js';

const problem = explainOldNode(process.versions.node, manifest.engines.node);
if (problem === undefined) {
  // Only now: on an older Node the command's dependencies fail as soon as they are loaded.
  await import('./run.js');
} else {
  process.stderr.write(`svc: ${problem}\n`);
  process.exitCode = 1;
}
