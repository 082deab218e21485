// node bench/events/micro.mjs: the cost of building, rebuilding and normalizing an event
import { spawnSync } from 'node:child_process';
import { bundle } from './bundle.mjs';

const outfile = await bundle('micro');
process.exitCode = spawnSync(process.execPath, ['--expose-gc', outfile], { stdio: 'inherit' }).status ?? 1;
