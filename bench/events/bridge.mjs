// node bench/events/bridge.mjs [emit] [fan-out] [replay] [memory] [growth]: the cost of the bridge within one process
import { spawnSync } from 'node:child_process';
import { bundle } from './bundle.mjs';

const outfile = await bundle('bridge');
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
